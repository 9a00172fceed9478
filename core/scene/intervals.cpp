#include "core/scene/intervals.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace bev::scene {
namespace {

std::string describe(const Interval& interval, std::int64_t row,
                     const IntervalField& field) {
  return joined({field.array, "/", row, ": invalid ", field.field, " (found [",
                 interval.begin, ", ", interval.end, "), expected "});
}

// Rows of two Blosc blocks of L5Kit's frames.
constexpr std::uint64_t kPageRows = 2048;

std::uint64_t pages_of(std::uint64_t rows) noexcept {
  return rows / kPageRows + (rows % kPageRows != 0 ? 1 : 0);
}

[[noreturn]] void throw_not_ascending(const IntervalField& field, std::uint64_t row) {
  fail(Errc::corrupt_chunk, {field.array, "/", row, ": ", field.field,
                             " begins before the previous one ends"});
}

[[noreturn]] void throw_not_held(const IntervalField& field, std::int64_t index) {
  fail(Errc::out_of_range,
       {field.target, "/", index, ": in no interval of ", field.array});
}

}  // namespace

void check_interval(const Interval& interval, std::int64_t row,
                    const IntervalField& field) {
  const bool ordered = 0 <= interval.begin && interval.begin <= interval.end;
  if (ordered && static_cast<std::uint64_t>(interval.end) <= field.length) return;
  const bool is_virtual = ordered && interval.begin >= kFirstVirtualRow;
  if (is_virtual && interval.end <= field.virtual_end) return;
  fail(Errc::corrupt_chunk, {describe(interval, row, field), "0 <= begin <= end <= ",
                             field.length, ", the length of ", field.target, ")"});
}

Interval check_intervals(std::span<const Interval> intervals, std::int64_t first,
                         const IntervalField& field) {
  if (intervals.empty()) return {};
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const auto row = first + static_cast<std::int64_t>(i);
    check_interval(intervals[i], row, field);
    if (i == 0 || intervals[i].begin == intervals[i - 1].end) continue;
    fail(Errc::corrupt_chunk, {describe(intervals[i], row, field), "begin ",
                               intervals[i - 1].end, ", the end of the previous one)"});
  }
  return {intervals.front().begin, intervals.back().end};
}

std::optional<Interval> frames_of(store::Reader& reader, const ChunkedDataset& dataset,
                                  const AgentScope& scope) {
  const bool is_scene = scope.kind == AgentScope::Kind::scene;
  const auto length = is_scene ? dataset.scene_count() : dataset.frame_count();
  if (scope.number >= length) {
    fail(Errc::out_of_range,
         {to_string(scope), " is out of range (count ", length, ")"});
  }
  const auto row = static_cast<std::int64_t>(scope.number);
  if (!is_scene) return Interval{row, row + 1};
  std::vector<Interval> scene;
  if (!dataset.read_scene_intervals(reader, {row, row + 1}, scene)) return std::nullopt;
  check_interval(scene.front(), row, dataset.frames_of_scenes());
  return scene.front();
}

std::string to_string(const AgentScope& scope) {
  return (scope.kind == AgentScope::Kind::scene ? "scene " : "frame ") +
         std::to_string(scope.number);
}

std::optional<Interval> agents_of(store::Reader& reader, const ChunkedDataset& dataset,
                                  const AgentScope& scope) {
  const auto frames = frames_of(reader, dataset, scope);
  if (!frames) return std::nullopt;
  FrameColumns columns;
  if (!dataset.read_frames(reader, *frames, columns)) return std::nullopt;
  return check_intervals(columns.agent_index_interval, frames->begin,
                         dataset.agents_of_frames());
}

std::uint64_t IntervalSearch::count(const ChunkedDataset& dataset) const noexcept {
  return records_ == Of::scenes ? dataset.scene_count() : dataset.frame_count();
}

IntervalField IntervalSearch::field(const ChunkedDataset& dataset) const noexcept {
  return records_ == Of::scenes ? dataset.frames_of_scenes()
                                : dataset.agents_of_frames();
}

std::optional<IntervalSearch::Hit> IntervalSearch::find(store::Reader& reader,
                                                        const ChunkedDataset& dataset,
                                                        std::uint64_t index) {
  if (index >= field(dataset).length) {
    fail_index({field(dataset).target, "/"}, index, field(dataset).length);
  }
  const auto wanted = static_cast<std::int64_t>(index);
  while (true) {
    const auto gap = narrow(dataset, wanted);
    if (gap.begin >= gap.end) throw_not_held(field(dataset), wanted);
    const bool found = gap.end - gap.begin == 1 && loaded_ == gap.begin;
    if (found) return pick(field(dataset), wanted);
    if (!load(reader, dataset, guess(gap, wanted))) return std::nullopt;
  }
}

void IntervalSearch::prepare(store::Reader& reader, const ChunkedDataset& dataset) {
  if (pages_of(count(dataset)) == 1) load(reader, dataset, 0);
}

bool IntervalSearch::load(store::Reader& reader, const ChunkedDataset& dataset,
                          std::uint64_t page) {
  if (loaded_ == page) return true;
  loaded_.reset();
  const auto first = page * kPageRows;
  const auto end = first + std::min(kPageRows, count(dataset) - first);
  const Interval rows{static_cast<std::int64_t>(first), static_cast<std::int64_t>(end)};
  const bool here = records_ == Of::scenes
                        ? dataset.read_scene_intervals(reader, rows, rows_)
                        : dataset.read_agent_intervals(reader, rows, rows_);
  if (!here) return false;
  const auto checked = field(dataset);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    check_interval(rows_[i], static_cast<std::int64_t>(first + i), checked);
    if (i > 0 && rows_[i].begin < rows_[i - 1].end) {
      throw_not_ascending(checked, first + i);
    }
  }
  remember(page, checked);
  loaded_ = page;
  return true;
}

void IntervalSearch::remember(std::uint64_t page, const IntervalField& field) {
  const auto at =
      std::partition_point(known_.begin(), known_.end(),
                           [&](const Page& other) { return other.number < page; });
  if (at != known_.end() && at->number == page) return;
  const Interval span{rows_.front().begin, rows_.back().end};
  const bool after = at == known_.begin() || std::prev(at)->span.end <= span.begin;
  const bool before = at == known_.end() || span.end <= at->span.begin;
  if (!after || !before) throw_not_ascending(field, page * kPageRows);
  known_.insert(at, Page{page, span});
}

IntervalSearch::Gap IntervalSearch::narrow(const ChunkedDataset& dataset,
                                           std::int64_t index) const {
  const auto at =
      std::partition_point(known_.begin(), known_.end(),
                           [&](const Page& page) { return page.span.end <= index; });
  const auto target = static_cast<std::int64_t>(field(dataset).length);
  Gap gap{0, pages_of(count(dataset)), {0, target}};
  if (at != known_.end()) {
    if (at->span.begin <= index) return {at->number, at->number + 1, at->span};
    gap.end = at->number;
    gap.indices.end = at->span.begin;
  }
  if (at != known_.begin()) {
    gap.begin = std::prev(at)->number + 1;
    gap.indices.begin = std::prev(at)->span.end;
  }
  return gap;
}

// Every third guess bisects, which bounds the search of unevenly distributed records to
// three times the logarithm of the pages.
std::uint64_t IntervalSearch::guess(const Gap& gap, std::int64_t index) {
  const auto pages = gap.end - gap.begin;
  if (++guesses_ % 3 == 0) return gap.begin + pages / 2;
  const auto part = static_cast<double>(index - gap.indices.begin) /
                    static_cast<double>(gap.indices.end - gap.indices.begin);
  const auto step = static_cast<std::uint64_t>(part * static_cast<double>(pages));
  return gap.begin + std::min(step, pages - 1);
}

IntervalSearch::Hit IntervalSearch::pick(const IntervalField& field,
                                         std::int64_t index) const {
  const auto at =
      std::partition_point(rows_.begin(), rows_.end(),
                           [&](const Interval& row) { return row.end <= index; });
  if (at == rows_.end() || at->begin > index) throw_not_held(field, index);
  return {*loaded_ * kPageRows + static_cast<std::uint64_t>(at - rows_.begin()), *at};
}

}  // namespace bev::scene
