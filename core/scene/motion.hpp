#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/scene/scene_dataset.hpp"
#include "core/scene/tracks.hpp"

namespace bev::scene {

/// Returns the seconds from one timestamp to a later one; NaN if it is not later.
inline double seconds_between(std::int64_t from_ns, std::int64_t to_ns) noexcept {
  if (to_ns <= from_ns) return std::numeric_limits<double>::quiet_NaN();
  const auto ticks =
      static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
  return static_cast<double>(ticks) * 1e-9;
}

/// Times of a scene's frames.
struct SceneClock {
  /// Timestamp of the first stored frame in nanoseconds; empty if none is stored.
  std::vector<std::int64_t> start;
  /// Seconds from `start` to each frame; NaN for frames whose record is absent, negative
  /// where time runs backwards.
  std::vector<double> seconds;
};

/// Returns the times of a scene's frames.
///
/// @param times_ns  timestamps of the frames
/// @param absent    of the scene, one value per frame
SceneClock clock_of(std::span<const std::int64_t> times_ns,
                    std::span<const AbsentParts> absent);

/// Position and heading in a frame; NaN if not visible.
struct PoseAt {
  geom::Vec2 at{std::numeric_limits<double>::quiet_NaN(),
                std::numeric_limits<double>::quiet_NaN()};
  double yaw = std::numeric_limits<double>::quiet_NaN();
};

/// Motion over a scene: one value per frame, NaN if unknown.
///
/// Units  Metres per second, metres per second squared; radians, unwrapped (without
///        jumps at half a turn); radians per second.
struct Motion {
  std::vector<double> speed, acceleration, yaw, yaw_rate;
};

/// Returns the ego vehicle's poses, one per frame; unknown ones without an ego vehicle.
std::vector<PoseAt> ego_poses(const SceneDataset& scene);

/// Returns a track's poses, one per frame.
///
/// @param tracks  index of the scene
std::vector<PoseAt> track_poses(const SceneDataset& scene, const TrackIndex& tracks,
                                std::uint64_t track_id);

/// Returns the change per second between the known neighbours of each value, which
/// halves the noise of a single step; NaN where the value or both neighbours are
/// unknown.
///
/// @param times_ns  timestamps of the frames, as many as values
std::vector<double> changes_per_second(std::span<const std::int64_t> times_ns,
                                       std::span<const double> values);

/// Computes motion from poses. As in FrameView, a speed is the distance from the
/// previous frame divided by time, or to the next frame if the previous one is unknown.
/// Acceleration and yaw rate are differences between the known neighbours.
///
/// @param times_ns  timestamps of the frames, as many as poses
Motion motion_of(std::span<const std::int64_t> times_ns, std::span<const PoseAt> poses);

}  // namespace bev::scene
