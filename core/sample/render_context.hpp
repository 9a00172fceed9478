#pragma once

#include <array>
#include <cstdint>

#include "core/geom/affine.hpp"

namespace bev::sample {

/// Size, resolution and origin of a raster.
struct RasterFrame {
  std::array<std::uint32_t, 2> raster_size;  ///< width, height in pixels
  std::array<double, 2> pixel_size;          ///< metres per pixel
  std::array<double, 2> ego_center;          ///< the agent's position as a fraction of
                                             ///< the size
  bool set_origin_to_bottom;                 ///< whether y counts from the bottom
};

/// Maps metres in the agent's frame (x along its heading, y to its left) to pixels.
///
/// @throws Error  invalid_argument for a pixel size of 0
/// Reference  L5Kit, rasterization/render_context.py.
geom::Affine2 raster_from_local(const RasterFrame& frame);

/// Maps world to pixels, for an agent at this position and heading in world.
geom::Affine2 raster_from_world(const geom::Affine2& raster_from_local,
                                geom::Vec2 position_in_world, double yaw_rad);

/// Does the same for an agent's float32 heading, with NumPy's float32 sine and cosine.
geom::Affine2 raster_from_world_f32(const geom::Affine2& raster_from_local,
                                    geom::Vec2 position_in_world, float yaw_rad);

}  // namespace bev::sample
