#include "core/raster/aerial_layer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"

namespace bev::raster {
namespace {

constexpr double kMaxSide = 32'767;

/// Returns the side, in pixels, of the square of the aerial image that the crop shows.
std::int32_t source_side(const CropRequest& request) {
  const double metres =
      std::max(request.size.width, request.size.height) * request.pixel_size;
  const double side = std::nearbyint(metres / request.image_pixel_size);
  if (!(side >= 1 && side * std::numbers::sqrt2 < kMaxSide)) {
    fail(Errc::invalid_argument, {"aerial image: invalid side of a crop (found ",
                                  python_repr(side), " pixels, expected 1 to 23169)"});
  }
  return static_cast<std::int32_t>(side);
}

/// Returns a square around a point; `lost` receives the truncated pixel fractions.
RgbWindow window_around(const RgbImage& image, const CropRequest& request,
                        std::int32_t side, geom::Vec2& lost) {
  const std::int32_t half = side / 2;
  const double row = request.centre.x - half;
  const double column = request.centre.y - half;
  // Positions far outside any image, and NaN, are clamped to a far position.
  const auto start = [](double at) {
    return std::abs(at) < 1e9 ? static_cast<std::int64_t>(at) : -1'000'000'000;
  };
  RgbWindow window{image.pixels, image.width, image.height, start(column),
                   start(row),   side,        side};
  lost = {column - static_cast<double>(window.x), row - static_cast<double>(window.y)};
  const std::int64_t last_row = window.y + side, last_column = window.x + side;
  if (request.pad || (window.x >= 0 && window.y >= 0 && last_row < image.height &&
                      last_column < image.width)) {
    return window;
  }
  fail(Errc::out_of_range,
       {"Satellite image crop (", window.y, "-", last_row, ", ", window.x, "-",
        last_column, ") is out of bounds for satellite image of shape (", image.height,
        ", ", image.width, ", 3)"});
}

/// Returns the offset that centres `part` pixels within `whole`.
std::int32_t middle(std::int32_t whole, std::int32_t part) noexcept {
  return static_cast<std::int32_t>(whole / 2.0 - part / 2.0);
}

/// Returns degrees as NumPy computes them: in float32 for a float32 yaw.
double rotation_of(const sample::RenderInput& input) noexcept {
  if (!input.track_id) return -input.yaw_rad * (180 / std::numbers::pi);
  constexpr float kDegrees = 180.0F / std::numbers::pi_v<float>;
  return static_cast<double>(-static_cast<float>(input.yaw_rad) * kDegrees);
}

}  // namespace

void AerialCropper::crop(const RgbImage& image, const CropRequest& request,
                         const RgbPlanes& out) {
  const std::int32_t side = source_side(request);
  const std::int32_t target = std::max(request.size.width, request.size.height);
  const Resizer::Part part{middle(target, request.size.width),
                           middle(target, request.size.height), request.size,
                           request.upside_down};
  geom::Vec2 lost;
  if (!request.rotation_deg) {
    const WindowRows rows(window_around(image, request, side, lost));
    return resizer_.resize(rows, {side, side}, {target, target}, part, out);
  }
  const auto bigger = static_cast<std::int32_t>(std::ceil(side * std::numbers::sqrt2));
  const RgbWindow window = window_around(image, request, bigger, lost);
  const std::int32_t first = middle(bigger, side);
  warped_.set(window,
              rotation_about({bigger / 2.0, bigger / 2.0}, *request.rotation_deg),
              request.keep_sub_pixel ? lost : geom::Vec2{}, {first, first, side});
  resizer_.resize(warped_, {side, side}, {target, target}, part, out);
}

AerialLayer::AerialLayer(std::shared_ptr<const map::AerialImage> image,
                         const sample::RasterFrame& frame, Options options)
    : image_(std::move(image)), frame_(frame), options_(options) {}

void AerialLayer::draw(const sample::RenderInput& input, const RgbPlanes& out) {
  const auto [width, height] = frame_.raster_size;
  const geom::Vec2 centre =
      geom::inverse(input.raster_from_world) * geom::Vec2{width * 0.5, height * 0.5};
  const CropRequest request{
      .size = {static_cast<std::int32_t>(width), static_cast<std::int32_t>(height)},
      .centre = image_->in_aerial({centre.x, centre.y, input.ego_z}),
      .rotation_deg = rotation_of(input),
      .pixel_size = frame_.pixel_size[0],
      .image_pixel_size = image_->metres_per_pixel(),
      .upside_down = !frame_.set_origin_to_bottom,
      .keep_sub_pixel = options_.keep_sub_pixel,
      .pad = options_.pad};
  cropper_.crop({image_->pixels(), image_->width(), image_->height()}, request, out);
}

}  // namespace bev::raster
