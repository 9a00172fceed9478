#include "core/sample/render_context.hpp"

#include "core/base/error.hpp"
#include "core/geom/trig_f32.hpp"

namespace bev::sample {

geom::Affine2 raster_from_local(const RasterFrame& frame) {
  const auto [width, height] = frame.raster_size;
  const auto [x_size, y_size] = frame.pixel_size;
  if (x_size == 0 || y_size == 0) {
    fail(Errc::invalid_argument, {"raster: pixel_size must not be 0"});
  }
  geom::Affine2 map;
  map.xx = 1 / x_size;
  map.tx = frame.ego_center[0] * width;
  map.yy = 1 / y_size;
  map.ty = frame.ego_center[1] * height;
  if (frame.set_origin_to_bottom) {
    map.yy = -map.yy;
    map.ty = height - map.ty;
  }
  return map;
}

geom::Affine2 raster_from_world(const geom::Affine2& raster_from_local,
                                geom::Vec2 position_in_world, double yaw_rad) {
  return raster_from_local * geom::inverse(geom::pose(position_in_world, yaw_rad));
}

geom::Affine2 raster_from_world_f32(const geom::Affine2& raster_from_local,
                                    geom::Vec2 position_in_world, float yaw_rad) {
  const auto [sin, cos] = geom::sincos_f32(yaw_rad);
  const geom::Affine2 world_from_agent{.xx = cos,
                                       .xy = -sin,
                                       .tx = position_in_world.x,
                                       .yx = sin,
                                       .yy = cos,
                                       .ty = position_in_world.y};
  return raster_from_local * geom::inverse(world_from_agent);
}

}  // namespace bev::sample
