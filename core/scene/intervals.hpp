#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Where intervals out of a file come from and what they point into. Nothing of them is
/// used, and nothing allocated by them, before they are checked.
struct IntervalField {
  std::string_view array;    ///< of the records that hold them: "frames"
  std::string_view field;    ///< "agent_index_interval"
  std::string_view target;   ///< the array they point into: "agents"
  std::uint64_t length = 0;  ///< its rows
};

/// Checks the interval of row `row`: 0 <= begin <= end <= length.
///
/// @throws Error  corrupt_chunk, "scenes/0: frame_index_interval [5, 3), expected
///                0 <= begin <= end <= 248, the length of frames"
void check_interval(const Interval& interval, std::int64_t row,
                    const IntervalField& field);

/// Checks those of neighbouring rows, from `first` on: each by itself, and each begins
/// where the one before it ends.
///
/// @returns the rows of the target they hold together; [0, 0) for no interval
Interval check_intervals(std::span<const Interval> intervals, std::int64_t first,
                         const IntervalField& field);

}  // namespace bev::scene
