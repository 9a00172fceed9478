#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "export.hpp"

namespace bev {

/// Strings, one after the other: row i is bytes[offsets[i], offsets[i + 1]), as in
/// Arrow's large_utf8.
struct TextValues {
  std::span<const std::int64_t> offsets;  ///< one more than rows
  std::string_view bytes;                 ///< UTF-8
};

/// A decoded column of a Parquet file, without null values.
struct TableColumn {
  /// Name in the file; columns are found by it.
  std::string name;
  /// One value per row.
  std::variant<std::span<const double>, std::span<const std::int64_t>, TextValues>
      values;
};

/// The files of an Argoverse 2 scenario.
struct Argoverse2Files {
  std::vector<TableColumn> columns;  ///< of scenario_ID.parquet, in any order
  std::string_view map_json;         ///< of log_map_archive_ID.json; empty for no map
  std::string file, sha256;          ///< for the attributes; may be empty
};

/// A recording that an importer read, to be written by ScenarioWriter.
///
/// Thread safety  Const functions may run at the same time.
class BEV_EXPORT Scenario {
 public:
  ~Scenario();
  Scenario(Scenario&&) noexcept;             ///< leaves the other unusable
  Scenario& operator=(Scenario&&) noexcept;  ///< leaves the other unusable

  const std::string& id() const noexcept;    ///< scenario_id
  const std::string& city() const noexcept;  ///< "austin"
  std::size_t frame_count() const noexcept;  ///< number of frames
  std::size_t agent_count() const noexcept;  ///< in all frames

  struct Impl;  ///< private to the library

  /// Created by importers.
  explicit Scenario(std::unique_ptr<Impl> impl) noexcept;

 private:
  friend class ScenarioWriter;
  std::unique_ptr<Impl> impl_;
};

/// Reads Argoverse 2 motion forecasting scenarios. docs/other-data.md describes the
/// conversion.
///
/// Lifetime       A scenario owns its memory.
/// Throws         The constructor throws invalid_argument for invalid tables; read()
///                throws not_found for absent columns and unknown cities,
///                invalid_metadata, naming column, lane or crossing, for invalid
///                values, limit_exceeded above a limit.
/// Thread safety  read() may run in several threads at the same time.
class BEV_EXPORT Argoverse2Importer {
 public:
  /// @param tables_json  labels and extents by object type, and origins by city, that
  ///                     replace the defaults; may be empty
  explicit Argoverse2Importer(std::string_view tables_json = {});
  ~Argoverse2Importer();
  Argoverse2Importer(Argoverse2Importer&&) noexcept;             ///< as Scenario
  Argoverse2Importer& operator=(Argoverse2Importer&&) noexcept;  ///< as Scenario

  /// Converts a scenario, which the writer then writes.
  Scenario read(const Argoverse2Files& files) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes scenarios as one data set: a scene each.
///
///     bev::ScenarioWriter writer(write, "scored");
///     for (const auto& files : all) writer.add(importer.read(files));
///     const std::string report = writer.close();
///
/// Memory         One chunk per array, the joined map, and some 500 bytes per scenario.
/// Throws         invalid_argument for an unknown mask, maps of two cities, or scenarios
///                with and without a map; corrupt_chunk for an invalid state;
///                exceptions of the function that stores.
/// Thread safety  A writer belongs to one thread.
class BEV_EXPORT ScenarioWriter {
 public:
  /// Stores an object under its key ("agents/3"), replacing the previous one.
  using Write = std::function<void(std::string_view, std::span<const std::byte>)>;

  /// @param mask  agents that agents_mask/0.5 selects: "focal", "scored" (with the
  ///              focal track) or "all", at any distance from the ego vehicle; or
  ///              "none" for no mask
  explicit ScenarioWriter(Write write, std::string_view mask = "scored");
  ~ScenarioWriter();
  ScenarioWriter(ScenarioWriter&&) noexcept;             ///< as Scenario
  ScenarioWriter& operator=(ScenarioWriter&&) noexcept;  ///< as Scenario

  /// Appends a scene; an error appends nothing.
  void add(const Scenario& scenario);

  /// Adds only the map: after restore(), of every scenario that the state contains.
  void add_map(const Scenario& scenario);

  /// Returns everything but the maps, as bytes.
  std::string state() const;

  /// Continues after the scenarios that a state contains, in the same store.
  void restore(std::string_view state);

  std::uint64_t scene_count() const noexcept;  ///< scenarios added so far

  /// Writes the rest, and returns the report as JSON.
  std::string close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bev
