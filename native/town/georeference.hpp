#pragma once

#include <string>

#include "core/geom/affine.hpp"
#include "core/map/fragment.hpp"
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

/// Returns a position as the origin of a local frame of the map.
map::RawFrame place_at(geom::Vec3 in_world) noexcept;

/// Returns the map from world to a local frame, the inverse of what map
/// readers apply: at height 0, without bearing.
geom::Affine3 local_from_world(const map::RawFrame& frame);

/// Returns the map from world to (row, column) of the aerial image; the centre of the
/// first pixel is (0.5, 0.5). Its third row is zero.
geom::Affine3 aerial_from_world(const AerialFrame& frame) noexcept;

/// Returns the text of meta.json.
std::string meta_json(const AerialFrame& frame);

}  // namespace bev::town
