#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/convert/map_output.hpp"
#include "core/convert/scenario.hpp"
#include "core/convert/scenario_records.hpp"
#include "core/scene/writer.hpp"

namespace bev::convert {

struct ScenarioWriterOptions {
  std::string source;  ///< name of the source format: "argoverse2"
  std::optional<MaskRule> mask = MaskRule{};  ///< absent: no mask is written
  scene::WriterOptions layout;
  /// Takes the bytes of semantic_map/semantic_map.pb in order; absent: the sink gets
  /// them at the end. A restored writer passes all bytes again.
  MapOutput::Append append_map = {};
};

/// Writes scenarios as one L5Kit data set: a scene per scenario, the mask
/// agents_mask/0.5, and the attribute `bevscope` with everything that the arrays have no
/// place for. If scenarios have maps, also semantic_map/semantic_map.pb and meta.json,
/// in the same store.
///
/// Memory         One chunk per array, the distinct lanes of a city (maps with a prefix
///                are passed on at once), and the attributes, some 500 bytes per
///                scenario.
/// Lifetime       The sink outlives the writer.
/// Throws         invalid_argument for an inconsistent scenario, maps of two cities, or
///                scenarios with and without a map; exceptions of the sink.
/// Thread safety  A writer belongs to one thread.
class ScenarioWriter {
 public:
  ScenarioWriter(Sink& sink, ScenarioWriterOptions options);
  ~ScenarioWriter();
  ScenarioWriter(const ScenarioWriter&) = delete;
  ScenarioWriter& operator=(const ScenarioWriter&) = delete;

  /// Appends a scene.
  void add(const Scenario& scenario);

  /// Adds only the map, after restore(): of each scenario that the state contains.
  void add_map(const Scenario& scenario);

  /// Returns everything but the maps, as bytes, so that a new writer can continue: see
  /// scene::Writer::state(). Maps are added again.
  std::string state() const;

  /// Throws corrupt_chunk for bytes that are not a state, or one of other options.
  void restore(std::string_view state);

  std::uint64_t scene_count() const noexcept;

  /// Writes the rest, and returns the report as JSON: counts by object type and role,
  /// counts of the map, and losses.
  std::string close();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bev::convert
