#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/scene/frame_window.hpp"
#include "core/scene/records.hpp"

namespace bev::scene {

/// Finds tracks in frames by id. If an id occurs twice in a frame, its first row
/// counts.
///
/// Lifetime  The spans passed to rebuild() outlive the index. Memory is reused by the
///           next rebuild().
class TrackIndex {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// Indexes the agents of frames in n log n.
  ///
  /// @param frames  the rows of each frame, counted like `first`
  /// @param first   the row of track_ids[0]
  void rebuild(std::span<const Interval> frames, std::int64_t first,
               std::span<const std::uint64_t> track_ids);

  /// Returns the position in track_ids of that track in that frame, or kNone.
  std::size_t find(std::size_t frame, std::uint64_t track_id) const;

 private:
  std::span<const Interval> frames_;
  std::int64_t first_ = 0;
  std::span<const std::uint64_t> track_ids_;
  std::vector<std::size_t> order_;  // rows sorted by id within each frame
};

/// Lines of different lengths in one buffer.
///
/// Shapes  Line i is points[offsets[i]] to points[offsets[i + 1]]; n lines have n + 1
///         offsets.
struct Polylines {
  std::vector<std::array<double, 2>> points;
  std::vector<std::uint32_t> offsets;
};

/// Finds the agents of a frame in the other frames of a window, by track_id. If an id
/// occurs twice in a frame, its first row counts.
///
/// Lifetime  The window outlives the joiner and must not be read again meanwhile.
///           Memory is reused by the next rebuild().
/// Throws    follow() throws limit_exceeded for more than 2^25 points.
class TrackJoiner {
 public:
  static constexpr std::size_t kNone = TrackIndex::kNone;

  /// Indexes a window in n log n of its agents.
  void rebuild(const FrameWindow& window);

  /// Returns the row of `tracks` of that track in that frame, or kNone.
  std::size_t find(std::size_t frame, std::uint64_t track_id) const {
    return index_.find(frame, track_id);
  }

  /// Effect of a frame without the agent on its line.
  enum class Gaps { end, skip };

  /// Returns, for each agent of the frame `now`, its positions from now into the past
  /// (`step` -1) or the future (+1), over at most `reach` frames. A frame without the
  /// agent ends the line or is skipped, as `gaps` says.
  void follow(int step, std::size_t reach, Polylines& out, Gaps gaps = Gaps::end) const;

 private:
  const FrameWindow* window_ = nullptr;
  TrackIndex index_;
};

}  // namespace bev::scene
