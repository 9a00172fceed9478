#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Source and target of intervals in a file. Every interval is checked before it is
/// used or memory is allocated by it.
struct IntervalField {
  std::string_view array;    ///< array of the records: "frames"
  std::string_view field;    ///< "agent_index_interval"
  std::string_view target;   ///< array the intervals reference: "agents"
  std::uint64_t length = 0;  ///< number of rows of the target
};

/// Checks the interval of row `row`: 0 <= begin <= end <= length.
///
/// @throws Error  corrupt_chunk, "scenes/0: frame_index_interval [5, 3), expected 0 <=
///                begin <= end <= 248, the length of frames"
void check_interval(const Interval& interval, std::int64_t row,
                    const IntervalField& field);

/// Checks the intervals of consecutive rows from `first`: each by itself, and that each
/// begins where the previous one ends.
///
/// @returns the target rows that they span; [0, 0) without intervals
Interval check_intervals(std::span<const Interval> intervals, std::int64_t first,
                         const IntervalField& field);

}  // namespace bev::scene
