#include "core/scene/track_index.hpp"

#include <algorithm>
#include <numeric>

namespace bev::scene {

namespace {

/// Returns the part of `order` for the rows of one frame.
template <class Order>
auto part_of(Order& order, const Interval& frame, std::int64_t first) {
  return std::span(order).subspan(static_cast<std::size_t>(frame.begin - first),
                                  static_cast<std::size_t>(frame.end - frame.begin));
}

}  // namespace

void TrackIndex::rebuild(std::span<const Interval> frames, std::int64_t first,
                         std::span<const std::uint64_t> track_ids) {
  frames_ = frames;
  first_ = first;
  track_ids_ = track_ids;
  order_.resize(track_ids.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  for (const auto& frame : frames) {
    const auto rows = part_of(order_, frame, first);
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return track_ids[a] != track_ids[b] ? track_ids[a] < track_ids[b] : a < b;
    });
  }
}

std::size_t TrackIndex::find(std::size_t frame, std::uint64_t track_id) const {
  const auto rows = part_of(order_, frames_[frame], first_);
  const auto found = std::lower_bound(
      rows.begin(), rows.end(), track_id,
      [&](std::size_t row, std::uint64_t id) { return track_ids_[row] < id; });
  return found != rows.end() && track_ids_[*found] == track_id ? *found : kNone;
}

}  // namespace bev::scene
