#pragma once

#include <cstdint>
#include <string>

#include "core/geom/affine.hpp"
#include "native/town/path.hpp"

namespace bev::town {

/// A rectangle of the aerial image's ground, and its scale.
struct AerialFrame {
  Vec2 top_left;  ///< north-west corner of the first pixel, in world
  int rows = 0, columns = 0;
  double metres_per_pixel = 0.5;
};

/// Where on earth the town is: world is the local frame (east, north, up) of a place
/// near Palo Alto, which is where the published data is from.
geom::Affine3 ecef_from_world() noexcept;

/// A place as the map's messages have it, ten-millionths of a degree.
struct PlaceE7 {
  std::int32_t latitude = 0, longitude = 0;
};
PlaceE7 place_at(geom::Vec3 in_world) noexcept;

/// The map from world to the local frame of a place, as readers of the map undo it: at
/// height 0, without a bearing.
geom::Affine3 local_from_world(PlaceE7 place);

/// The aerial image's (row, column) of a position in world; the centre of the first
/// pixel is (0.5, 0.5). Its third row is zero.
geom::Affine3 aerial_from_world(const AerialFrame& frame) noexcept;

/// The text of meta.json.
std::string meta_json(const AerialFrame& frame);

}  // namespace bev::town
