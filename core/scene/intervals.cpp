#include "core/scene/intervals.hpp"

#include <cstddef>
#include <string>

#include "core/base/error.hpp"

namespace bev::scene {

namespace {

std::string describe(const Interval& interval, std::int64_t row,
                     const IntervalField& field) {
  return std::string(field.array) + "/" + std::to_string(row) + ": " +
         std::string(field.field) + " [" + std::to_string(interval.begin) + ", " +
         std::to_string(interval.end) + ")";
}

}  // namespace

void check_interval(const Interval& interval, std::int64_t row,
                    const IntervalField& field) {
  const bool ordered = 0 <= interval.begin && interval.begin <= interval.end;
  if (ordered && static_cast<std::uint64_t>(interval.end) <= field.length) return;
  throw Error(Errc::corrupt_chunk,
              describe(interval, row, field) +
                  ", expected 0 <= begin <= end <= " + std::to_string(field.length) +
                  ", the length of " + std::string(field.target));
}

Interval check_intervals(std::span<const Interval> intervals, std::int64_t first,
                         const IntervalField& field) {
  if (intervals.empty()) return {};
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const auto row = first + static_cast<std::int64_t>(i);
    check_interval(intervals[i], row, field);
    if (i == 0 || intervals[i].begin == intervals[i - 1].end) continue;
    throw Error(Errc::corrupt_chunk, describe(intervals[i], row, field) +
                                         ", expected it to begin at " +
                                         std::to_string(intervals[i - 1].end) +
                                         ", where the one before it ends");
  }
  return {intervals.front().begin, intervals.back().end};
}

}  // namespace bev::scene
