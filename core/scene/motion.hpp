#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/scene/scene_dataset.hpp"
#include "core/scene/track_index.hpp"

namespace bev::scene {

/// Where something is in a frame; NaN where it is not seen.
struct PoseAt {
  geom::Vec2 at{std::numeric_limits<double>::quiet_NaN(),
                std::numeric_limits<double>::quiet_NaN()};
  double yaw = std::numeric_limits<double>::quiet_NaN();
};

/// How something moves over a scene: a value a frame, NaN where it cannot be known.
///
/// Units  Metres per second, metres per second squared; radians, which go on beyond
///        half a turn instead of jumping; radians per second.
struct Motion {
  std::vector<double> speed, acceleration, yaw, yaw_rate;
};

/// The ego vehicle, a pose a frame.
std::vector<PoseAt> ego_poses(const SceneDataset& scene);

/// A track, likewise.
///
/// @param tracks  of the scene
std::vector<PoseAt> track_poses(const SceneDataset& scene, const TrackIndex& tracks,
                                std::uint64_t track_id);

/// Speeds are of the way from the frame before or, where there is none, to the one
/// after, as in FrameView; other changes are over both neighbours that are known.
///
/// @param times_ns  of the frames, as many as poses
Motion motion_of(std::span<const std::int64_t> times_ns, std::span<const PoseAt> poses);

}  // namespace bev::scene
