#include "core/raster/aerial_layer.hpp"

#include <numbers>
#include <utility>

namespace bev::raster {
namespace {

/// Returns degrees as NumPy computes them: in float32 for a float32 yaw.
double rotation_of(const sample::Scenery& scenery) noexcept {
  if (!scenery.track_id) return -scenery.yaw_rad * (180 / std::numbers::pi);
  constexpr float kDegrees = 180.0F / std::numbers::pi_v<float>;
  return static_cast<double>(-static_cast<float>(scenery.yaw_rad) * kDegrees);
}

}  // namespace

AerialLayer::AerialLayer(std::shared_ptr<const map::AerialImage> image,
                         const sample::RasterFrame& frame, Options options)
    : image_(std::move(image)), frame_(frame), options_(options) {}

void AerialLayer::draw(const sample::Scenery& scenery, const RgbPlanes& out) {
  const auto [width, height] = frame_.raster_size;
  const geom::Vec2 centre =
      geom::inverse(scenery.raster_from_world) * geom::Vec2{width * 0.5, height * 0.5};
  const CropRequest request{
      .size = {static_cast<std::int32_t>(width), static_cast<std::int32_t>(height)},
      .centre = image_->in_aerial({centre.x, centre.y, scenery.ego_z}),
      .rotation_deg = rotation_of(scenery),
      .pixel_size = frame_.pixel_size[0],
      .picture_pixel_size = image_->metres_per_pixel(),
      .upside_down = !frame_.set_origin_to_bottom,
      .keep_sub_pixel = options_.keep_sub_pixel,
      .pad = options_.pad};
  cropper_.crop({image_->pixels(), image_->width(), image_->height()}, request, out);
}

}  // namespace bev::raster
