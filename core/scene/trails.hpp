#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scene/frame_window.hpp"
#include "core/scene/track_index.hpp"

namespace bev::scene {

/// Lines of different lengths, one after the other.
///
/// Shapes  Line i is points[offsets[i]] to points[offsets[i + 1]]; n lines have n + 1
///         offsets.
struct Polylines {
  std::vector<std::array<double, 2>> points;
  std::vector<std::uint32_t> offsets;
};

/// Finds the agents of a frame again in the other frames of a window, by track_id.
/// Where an id occurs twice in a frame, its first row counts.
///
/// Errors    follow() throws out_of_memory for more than 33 million points.
/// Lifetime  The window outlives the joiner, and is not read again meanwhile. Memory is
///           kept from one rebuild() to the next.
class TrackJoiner {
 public:
  static constexpr std::size_t kNone = TrackIndex::kNone;

  /// Takes up a window; n log n in the agents it holds.
  void rebuild(const FrameWindow& window);

  /// The row of `tracks` of that track in that frame, or kNone.
  std::size_t find(std::size_t frame, std::uint64_t track_id) const {
    return index_.find(frame, track_id);
  }

  /// What a frame without the agent does to its line.
  enum class Gaps { end, skip };

  /// For each agent of the frame `now`, its positions from now on into the past
  /// (`step` -1) or the future (+1), at most `reach` frames, up to the first frame
  /// without it, or without those.
  void follow(int step, std::size_t reach, Polylines& out, Gaps gaps = Gaps::end) const;

 private:
  const FrameWindow* window_ = nullptr;
  TrackIndex index_;
};

}  // namespace bev::scene
