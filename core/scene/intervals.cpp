#include "core/scene/intervals.hpp"

#include <cstddef>
#include <string>

#include "core/base/error.hpp"

namespace bev::scene {

namespace {

std::string describe(const Interval& interval, std::int64_t row,
                     const IntervalField& field) {
  return joined({field.array, "/", row, ": ", field.field, " [", interval.begin, ", ",
                 interval.end, ")"});
}

}  // namespace

void check_interval(const Interval& interval, std::int64_t row,
                    const IntervalField& field) {
  const bool ordered = 0 <= interval.begin && interval.begin <= interval.end;
  if (ordered && static_cast<std::uint64_t>(interval.end) <= field.length) return;
  fail(Errc::corrupt_chunk, {describe(interval, row, field),
                             ", expected 0 <= begin <= end <= ", field.length,
                             ", the length of ", field.target});
}

Interval check_intervals(std::span<const Interval> intervals, std::int64_t first,
                         const IntervalField& field) {
  if (intervals.empty()) return {};
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const auto row = first + static_cast<std::int64_t>(i);
    check_interval(intervals[i], row, field);
    if (i == 0 || intervals[i].begin == intervals[i - 1].end) continue;
    fail(Errc::corrupt_chunk,
         {describe(intervals[i], row, field), ", expected it to begin at ",
          intervals[i - 1].end, ", where the one before it ends"});
  }
  return {intervals.front().begin, intervals.back().end};
}

}  // namespace bev::scene
