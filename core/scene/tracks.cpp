#include "core/scene/tracks.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/base/error.hpp"

namespace bev::scene {
namespace {

/// Returns the part of `order` for the rows of one frame.
template <class Order>
auto part_of(Order& order, const Interval& frame, std::int64_t first) {
  return std::span(order).subspan(static_cast<std::size_t>(frame.begin - first),
                                  static_cast<std::size_t>(frame.end - frame.begin));
}

// 512 MiB of points. Only a frame that repeats an id can exceed that.
constexpr std::size_t kMaxPoints = std::size_t{1} << 25;

struct TrackRows {
  std::size_t begin = 0;
  std::size_t end = 0;
};

TrackRows rows_of(const FrameWindow& window, std::size_t frame) {
  const auto rows = window.tracks_of(frame);
  return {static_cast<std::size_t>(rows.begin), static_cast<std::size_t>(rows.end)};
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

void TrackJoiner::rebuild(const FrameWindow& window) {
  window_ = &window;
  index_.rebuild(window.frames.agent_index_interval, window.agent_rows.begin,
                 window.tracks.track_id);
}

void TrackJoiner::follow(int step, std::size_t reach, Polylines& out, Gaps gaps) const {
  out.points.clear();
  out.offsets.assign(1, 0);
  const auto& window = *window_;
  const auto available = step < 0 ? window.now : window.frames.size() - 1 - window.now;
  const auto rows = rows_of(window, window.now);
  for (auto row = rows.begin; row < rows.end; ++row) {
    if (out.points.size() > kMaxPoints) {
      fail(Errc::limit_exceeded,
           {"frames/", window.index, ": trails exceed ", kMaxPoints, " points"});
    }
    out.points.push_back(window.tracks.centroid[row]);
    for (std::size_t i = 1; i <= std::min(reach, available); ++i) {
      const auto frame = step < 0 ? window.now - i : window.now + i;
      const auto there = find(frame, window.tracks.track_id[row]);
      if (there == kNone && gaps == Gaps::end) break;
      if (there != kNone) out.points.push_back(window.tracks.centroid[there]);
    }
    out.offsets.push_back(static_cast<std::uint32_t>(out.points.size()));
  }
}

}  // namespace bev::scene
