#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/map/semantic_map.hpp"

namespace bev::map {

/// Movements through a junction; a set is their sum.
inline constexpr std::uint8_t kThroughBit = 1;
inline constexpr std::uint8_t kLeftBit = 2;
inline constexpr std::uint8_t kRightBit = 4;
inline constexpr std::uint8_t kUTurnBit = 8;

/// The traffic that a light controls.
struct LightApproach {
  /// Direction from which it comes, in degrees clockwise from north, 0 to 360: 90 for
  /// vehicles from the east. NaN if the light controls no lane with both sides, or lanes
  /// of several directions.
  float from_deg = std::numeric_limits<float>::quiet_NaN();
  /// Its movements through the junction; 0 if they are not in the map.
  std::uint8_t movements = 0;
};

/// Returns the approach of each traffic light, in the map's order.
///
/// A light controls the lanes that name it or one of its faces; a face is that of the
/// last light that lists it. Outside of junctions, the direction is that of a lane's end
/// and the movements are those of the lanes ahead; in junctions, that of its begin and
/// its own. A lane without a turn in the map turns as its ends do. North is that of the
/// map's geodetic position.
///
/// Of a light, at most 64 lanes count, and 64 lanes ahead of each.
std::vector<LightApproach> light_approaches(const SemanticMap& map);

}  // namespace bev::map
