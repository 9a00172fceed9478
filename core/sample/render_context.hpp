#pragma once

#include <array>
#include <cstdint>

#include "core/geom/affine.hpp"

namespace bev::sample {

/// How a raster lies on the ground.
struct RasterFrame {
  std::array<std::uint32_t, 2> raster_size;  ///< width, height in pixels
  std::array<double, 2> pixel_size;          ///< metres per pixel
  std::array<double, 2> ego_center;          ///< where the agent is, 0 to 1 of the size
  bool set_origin_to_bottom;                 ///< whether y counts from the bottom
};

/// Pixels from metres around the agent: x along its heading, y to its left.
///
/// @throws Error  invalid_argument for a pixel size of 0
/// Source  L5Kit, rasterization/render_context.py.
geom::Affine2 raster_from_local(const RasterFrame& frame);

/// Pixels from world, for an agent at a position in world with a heading.
geom::Affine2 raster_from_world(const geom::Affine2& raster_from_local,
                                geom::Vec2 position_in_world, double yaw_rad);

/// The same for an agent's float32 heading: sine and cosine are NumPy's of float32.
geom::Affine2 raster_from_world_f32(const geom::Affine2& raster_from_local,
                                    geom::Vec2 position_in_world, float yaw_rad);

}  // namespace bev::sample
