#include "core/scan/block_rows.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/error.hpp"
#include "core/reader/windows.hpp"

namespace bev {
namespace {

using scene::Interval;

/// Refuses rows before the first interval or after the last one.
void check_ends(const Interval& held, std::int64_t first, bool has_last,
                const scene::IntervalField& field) {
  const auto length = static_cast<std::int64_t>(field.length);
  if (first == 0 && held.begin != 0) {
    fail(Errc::unsupported, {field.target, ": rows before the first of ", field.array,
                             " (found ", held.begin, " rows)"});
  }
  if (has_last && held.end != length) {
    fail(Errc::unsupported, {field.target, ": rows after the last of ", field.array,
                             " (found ", length - held.end, " rows)"});
  }
}

/// Returns how many rows of a mask's beginning are 0, in steps of eight.
std::size_t zeros(std::span<const std::uint8_t> mask) {
  std::size_t count = 0;
  for (std::uint64_t eight = 0; count + sizeof eight <= mask.size();
       count += sizeof eight) {
    std::memcpy(&eight, mask.data() + count, sizeof eight);
    if (eight != 0) break;
  }
  return count;
}

}  // namespace

bool BlockRows::read_scene(store::Reader& reader, std::uint64_t scene) {
  intervals_.clear();
  const auto& dataset = *table_.dataset;
  const auto at = static_cast<std::int64_t>(scene);
  const auto count = static_cast<std::int64_t>(dataset.scene_count());
  const auto first = std::max<std::int64_t>(at - 1, 0);
  std::vector<Interval> scenes;
  if (!dataset.read_scene_intervals(reader, {first, std::min(at + 2, count)}, scenes)) {
    return false;
  }
  const auto field = dataset.frames_of_scenes();
  const auto held = scene::check_intervals(scenes, first, field);
  const auto last = first + static_cast<std::int64_t>(scenes.size());
  check_ends(held, first, last == count, field);
  scene_ = static_cast<std::uint32_t>(scene);
  frames_ = scenes[static_cast<std::size_t>(at - first)];
  rows_ = frames_;
  return true;
}

bool BlockRows::read_frames(store::Reader& reader) {
  if (table_.view.kind == reader::TableKind::frames) return true;
  const auto& dataset = *table_.dataset;
  const auto count = size_of(frames_);
  const bool of_agents = table_.view.kind == reader::TableKind::agents;
  const auto field = of_agents ? dataset.agents_of_frames() : dataset.faces_of_frames();
  const auto first = std::max<std::int64_t>(frames_.begin - 1, 0);
  const auto end =
      std::min(frames_.end + 1, static_cast<std::int64_t>(dataset.frame_count()));
  ArrayRead read(reader, *table_.frames);
  read.add(field.field, intervals_, static_cast<std::size_t>(end - first));
  if (!read.run(first, intervals_.size())) return false;
  const auto held = scene::check_intervals(intervals_, first, field);
  check_ends(held, first, end == static_cast<std::int64_t>(dataset.frame_count()),
             field);
  intervals_.erase(intervals_.begin(), intervals_.begin() + static_cast<std::ptrdiff_t>(
                                                                frames_.begin - first));
  intervals_.resize(count);
  rows_ = {intervals_.front().begin, intervals_.back().end};
  return true;
}

Interval BlockRows::rows_of(std::size_t frame) const {
  if (!intervals_.empty()) return intervals_[frame];
  const auto row = frames_.begin + static_cast<std::int64_t>(frame);
  return {row, row + 1};
}

std::size_t BlockRows::frame_of(std::int64_t row) const {
  if (intervals_.empty()) return static_cast<std::size_t>(row - frames_.begin);
  const auto it = std::partition_point(
      intervals_.begin(), intervals_.end(),
      [&](const Interval& interval) { return interval.end <= row; });
  return static_cast<std::size_t>(it - intervals_.begin());
}

TableRow BlockRows::table_row(std::int64_t row, std::size_t frame) const {
  return {row, frames_.begin + static_cast<std::int64_t>(frame), frames_.begin, scene_};
}

void BlockRows::append(std::span<const std::uint8_t> mask,
                       std::vector<TableRow>& out) const {
  std::size_t frame = 0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] == 0) {
      i += zeros(mask.subspan(i + 1));
      continue;
    }
    const auto row = rows_.begin + static_cast<std::int64_t>(i);
    if (!table_.has_scenes()) {
      out.push_back({row, 0, 0, 0});
      continue;
    }
    while (rows_of(frame).end <= row) ++frame;
    out.push_back(table_row(row, frame));
  }
  constexpr auto kMaxRows = reader::WindowCutter::kAbsent - 1;
  if (out.size() > kMaxRows) {
    fail(Errc::limit_exceeded, {"reader: too many rows at once (found ", out.size(),
                                ", limit ", kMaxRows, "); use the order \"blocks\""});
  }
}

}  // namespace bev
