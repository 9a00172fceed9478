#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/dataset.hpp"

namespace bev::scene {

/// Checks the interval of row `row`: 0 <= begin <= end <= length.
///
/// @throws Error  corrupt_chunk, "scenes/0: invalid frame_index_interval (found [5, 3),
///                expected 0 <= begin <= end <= 248, the length of frames)"
void check_interval(const Interval& interval, std::int64_t row,
                    const IntervalField& field);

/// Checks the intervals of consecutive rows from `first`: each by itself, and that each
/// begins where the previous one ends.
///
/// @returns the target rows that they span; [0, 0) without intervals
Interval check_intervals(std::span<const Interval> intervals, std::int64_t first,
                         const IntervalField& field);

/// A scene, or a frame by its index in the whole dataset.
struct AgentScope {
  enum class Kind { scene, frame };
  Kind kind = Kind::scene;
  std::uint64_t number = 0;
};

/// Returns "scene 3" or "frame 17".
std::string to_string(const AgentScope& scope);

/// Returns the scope's rows of `frames`: the scene's, or the one frame. Nullopt and
/// errors as agents_of().
std::optional<Interval> frames_of(store::Reader& reader, const ChunkedDataset& dataset,
                                  const AgentScope& scope);

/// Returns the scope's rows of `agents`; nullopt while requests are pending.
///
/// @throws Error  out_of_range for a scene or frame that does not exist; corrupt_chunk
///                for invalid intervals
std::optional<Interval> agents_of(store::Reader& reader, const ChunkedDataset& dataset,
                                  const AgentScope& scope);

/// Finds the record whose interval holds an index of the next array: a frame's scene,
/// or an agent's frame. Interpolation search over pages of records, since records are
/// about equally large; remembers the span of each page read.
///
/// Throws         find() throws out_of_range for an index in no interval, and
///                corrupt_chunk for invalid or descending intervals.
/// Thread safety  One object belongs to one thread and one dataset.
class IntervalSearch {
 public:
  enum class Of { scenes, frames };

  struct Hit {
    std::uint64_t row = 0;  ///< row of the record
    Interval interval;
  };

  explicit IntervalSearch(Of records) : records_(records) {}

  /// Returns the record that holds `index`; nullopt while requests are pending.
  std::optional<Hit> find(store::Reader& reader, const ChunkedDataset& dataset,
                          std::uint64_t index);

  /// Requests the records in advance if they are one page, which any search needs.
  void prepare(store::Reader& reader, const ChunkedDataset& dataset);

 private:
  /// A page of records and the combined span of their intervals.
  struct Page {
    std::uint64_t number = 0;
    Interval span;
  };
  /// The pages [begin, end) that may hold the index; `indices` is their combined span.
  struct Gap {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Interval indices;
  };

  std::uint64_t count(const ChunkedDataset& dataset) const noexcept;
  IntervalField field(const ChunkedDataset& dataset) const noexcept;
  bool load(store::Reader& reader, const ChunkedDataset& dataset, std::uint64_t page);
  void remember(std::uint64_t page, const IntervalField& field);
  Gap narrow(const ChunkedDataset& dataset, std::int64_t index) const;
  std::uint64_t guess(const Gap& gap, std::int64_t index);
  Hit pick(const IntervalField& field, std::int64_t index) const;

  Of records_;
  std::vector<Page> known_;     // ascending
  std::vector<Interval> rows_;  // records of loaded_
  std::optional<std::uint64_t> loaded_;
  std::uint32_t guesses_ = 0;
};

}  // namespace bev::scene
