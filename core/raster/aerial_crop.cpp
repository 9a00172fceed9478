#include "core/raster/aerial_crop.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"

namespace bev::raster {
namespace {

constexpr double kMaxSide = 32'767;

/// Returns the side, in pixels, of the square of the aerial image that the crop shows.
std::int32_t source_side(const CropRequest& request) {
  const double metres =
      std::max(request.size.width, request.size.height) * request.pixel_size;
  const double side = std::nearbyint(metres / request.picture_pixel_size);
  if (!(side >= 1 && side * std::numbers::sqrt2 < kMaxSide)) {
    fail(Errc::invalid_argument, {"aerial image: a crop of ", python_repr(side),
                                  " pixels, expected 1 to 23169"});
  }
  return static_cast<std::int32_t>(side);
}

/// Returns a square around a point; `lost` receives the truncated pixel fractions.
RgbWindow window_around(const RgbPicture& picture, const CropRequest& request,
                        std::int32_t side, geom::Vec2& lost) {
  const std::int32_t half = side / 2;
  const double row = request.centre.x - half;
  const double column = request.centre.y - half;
  // Positions far outside any image, and NaN, are clamped to a far position.
  const auto start = [](double at) {
    return std::abs(at) < 1e9 ? static_cast<std::int64_t>(at) : -1'000'000'000;
  };
  RgbWindow window{
      picture.pixels, picture.width, picture.height, start(column), start(row),
      side,           side};
  lost = {column - static_cast<double>(window.x), row - static_cast<double>(window.y)};
  const std::int64_t last_row = window.y + side, last_column = window.x + side;
  if (request.pad || (window.x >= 0 && window.y >= 0 && last_row < picture.height &&
                      last_column < picture.width)) {
    return window;
  }
  fail(Errc::out_of_range,
       {"Satellite image crop (", window.y, "-", last_row, ", ", window.x, "-",
        last_column, ") is out of bounds for satellite image of shape (",
        picture.height, ", ", picture.width, ", 3)"});
}

/// Returns the offset that centres `part` pixels within `whole`.
std::int32_t middle(std::int32_t whole, std::int32_t part) noexcept {
  return static_cast<std::int32_t>(whole / 2.0 - part / 2.0);
}

}  // namespace

void AerialCropper::crop(const RgbPicture& picture, const CropRequest& request,
                         const RgbPlanes& out) {
  const std::int32_t side = source_side(request);
  const std::int32_t target = std::max(request.size.width, request.size.height);
  const Resizer::Part part{middle(target, request.size.width),
                           middle(target, request.size.height), request.size,
                           request.upside_down};
  geom::Vec2 lost;
  if (!request.rotation_deg) {
    const WindowRows rows(window_around(picture, request, side, lost));
    return resizer_.resize(rows, {side, side}, {target, target}, part, out);
  }
  const auto bigger = static_cast<std::int32_t>(std::ceil(side * std::numbers::sqrt2));
  const RgbWindow window = window_around(picture, request, bigger, lost);
  const std::int32_t first = middle(bigger, side);
  warped_.set(window,
              rotation_about({bigger / 2.0, bigger / 2.0}, *request.rotation_deg),
              request.keep_sub_pixel ? lost : geom::Vec2{}, {first, first, side});
  resizer_.resize(warped_, {side, side}, {target, target}, part, out);
}

}  // namespace bev::raster
