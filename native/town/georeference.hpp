#pragma once

#include <cstdint>
#include <string>

#include "core/geom/affine.hpp"
#include "native/town/path.hpp"

namespace bev::town {

/// The area of the aerial image, and its scale.
struct AerialFrame {
  Vec2 top_left;  ///< north-west corner of the first pixel, in world
  int rows = 0, columns = 0;
  double metres_per_pixel = 0.5;
};

/// Returns the town's georeference: world is the local frame (east, north, up) of a
/// place near Palo Alto, where the published data was recorded.
geom::Affine3 ecef_from_world() noexcept;

/// A position in the map's messages, in ten-millionths of a degree.
struct PlaceE7 {
  std::int32_t latitude = 0, longitude = 0;
};
PlaceE7 place_at(geom::Vec3 in_world) noexcept;

/// Returns the map from world to the local frame at a position, the inverse of what map
/// readers apply: at height 0, without bearing.
geom::Affine3 local_from_world(PlaceE7 place);

/// Returns the map from world to (row, column) of the aerial image; the centre of the
/// first pixel is (0.5, 0.5). Its third row is zero.
geom::Affine3 aerial_from_world(const AerialFrame& frame) noexcept;

/// Returns the text of meta.json.
std::string meta_json(const AerialFrame& frame);

}  // namespace bev::town
