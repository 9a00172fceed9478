#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sink.hpp"
#include "core/convert/scenario.hpp"
#include "core/convert/scenario_writer.hpp"
#include "core/scene/records.hpp"

// Scenarios that are read as a data set without being converted to files. The index has
// every object that ScenarioWriter writes, but the chunks of agents, faces and their mask,
// which are by far the largest: these are made of the scenarios when they are read.

namespace bev::convert {

/// Rows of a scenario in the arrays of its data set.
struct SceneRows {
  std::uint64_t frames = 0, agents = 0, faces = 0;
  bool operator==(const SceneRows&) const = default;
};

/// Returns the number of rows of a scenario.
SceneRows rows_of(const Scenario& scenario);

/// Writes the index.
///
/// Memory, Lifetime, Throws, Thread safety  as ScenarioWriter
class ScenarioIndexer {
 public:
  ScenarioIndexer(Sink& sink, ScenarioWriterOptions options);

  void add(const Scenario& scenario);

  /// Writes the rest and returns the rows of all scenarios.
  std::vector<SceneRows> close();

 private:
  /// Passes on what belongs to the index.
  class Kept final : public Sink {
   public:
    explicit Kept(Sink& sink) : sink_(sink) {}
    void put(std::string_view key, std::span<const std::byte> bytes) override;

   private:
    Sink& sink_;
  };

  Kept kept_;
  ScenarioWriter writer_;
  std::vector<SceneRows> rows_;
};

/// What the chunks of a scenario are made of.
struct ChunkRows {
  std::vector<scene::Agent> agents;
  std::vector<scene::Face> faces;
  std::vector<std::uint32_t> mask;  ///< two values per agent; empty without a mask

  /// Bytes in memory.
  std::size_t size_bytes() const noexcept;
};

/// Converts a scenario.
///
/// @param expected  the rows that the index has
/// Throws  changed if it has others.
ChunkRows chunk_rows(const Scenario& scenario, const std::optional<MaskRule>& mask,
                     const SceneRows& expected);

/// Makes the chunks that the index lacks, byte by byte as ScenarioWriter writes them.
class ScenarioChunks {
 public:
  /// Sums of frames, agents or faces above this are refused.
  static constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 48U;

  /// @param rows  of all scenarios
  /// @param mask  of the writer's options
  /// Throws  limit_exceeded above kMaxRows.
  ScenarioChunks(std::vector<SceneRows> rows, std::optional<MaskRule> mask);

  /// Whether a key names an object that the index does not have.
  static bool is_made(std::string_view key) noexcept;

  /// Rows [begin, end) of an array, and scenarios [first, last) that contain them.
  struct Chunk {
    enum class Array : std::uint8_t { agents, faces, mask };
    Array array = Array::agents;
    std::uint64_t begin = 0, end = 0;
    std::size_t first = 0, last = 0;
  };

  /// Returns a chunk by its key; nullopt if there is none.
  std::optional<Chunk> find(std::string_view key) const;

  /// Whether the scenario has rows of the chunk.
  bool has_rows(const Chunk& chunk, std::size_t scenario) const;

  /// Returns the keys of all chunks.
  std::vector<std::string> keys() const;

  /// Returns a chunk's bytes.
  ///
  /// @param rows  returns those of a scenario that has rows of the chunk
  std::vector<std::byte> encode(
      const Chunk& chunk,
      const std::function<const ChunkRows&(std::size_t scenario)>& rows) const;

  const std::vector<SceneRows>& rows() const noexcept { return rows_; }

  /// Sums of all scenarios.
  SceneRows total() const noexcept;

 private:
  const std::vector<std::uint64_t>& first_rows(Chunk::Array array) const noexcept;

  std::vector<SceneRows> rows_;
  std::optional<MaskRule> mask_;
  std::vector<std::uint64_t> first_agents_, first_faces_;  // and the end
  std::uint64_t frames_ = 0;
};

}  // namespace bev::convert
