#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/convert/nuscenes_map.hpp"
#include "core/convert/nuscenes_version.hpp"
#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"

namespace bev::convert {

/// Distance from the ego vehicle's path within which elements of the map are converted.
inline constexpr double kNuscenesReachM = 200;

struct NuscenesOptions {
  const NuscenesMap* map = nullptr;  ///< of the scene's location; null: without map
  /// Number of the location among several that have one map: moves all positions east by
  /// whole kilometres, so that locations do not overlap. Absent: not moved.
  std::optional<std::uint64_t> place;
};

/// Converts a scene of a version that is complete. Frames are its key frames, 0.5 s apart.
/// World is the location's map, in metres.
///
/// The ego vehicle's position is the middle of the rear axle, as stored with the lidar; a
/// key frame without a pose repeats the nearest one (counted). Tracks have the order of
/// their first boxes, and numbers from 1 on. Velocities are the devkit's: between the boxes before and after, at
/// most 3 s apart; of the first and last one to the next, at most 1.5 s; otherwise 0
/// (counted). A track's type is its category, or CATEGORY/ATTRIBUTE if the tables have
/// that of its most frequent attribute. Tracks that the prediction challenge asks for are
/// scored, in its frames.
///
/// Throws     not_found for a location that `tables` lacks, if there is a map;
///            out_of_range for another scene; invalid_metadata, naming instance and scene,
///            for two boxes of an instance in a key frame, unknown categories, and a
///            scene without key frames or poses; limit_exceeded for positions beyond a
///            place.
/// Reference  nuscenes-devkit, nuscenes.py: box_velocity()
Scenario import_nuscenes(const nuscenes::Version& version, std::size_t scene,
                         const Tables& tables, const NuscenesOptions& options = {});

}  // namespace bev::convert
