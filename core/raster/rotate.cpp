#include "core/raster/rotate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/geom/trig.hpp"

namespace bev::raster {
namespace {

constexpr double kOneQ10 = 1024;
constexpr std::int32_t kHalfStep = 16;  // half of 1/32 pixel, 10 fractional bits

std::int32_t rounded(double value) noexcept {
  return static_cast<std::int32_t>(std::nearbyint(value));
}

std::int32_t clamped(std::int64_t value, std::int64_t most) noexcept {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, 0, most));
}

/// The inverse with OpenCV's order of operations.
geom::Affine2 inverse_of(const geom::Affine2& m) noexcept {
  const double determinant = m.xx * m.yy - m.xy * m.yx;
  const double scale = determinant != 0 ? 1 / determinant : 0;
  geom::Affine2 out;
  out.xx = m.yy * scale;
  out.yy = m.xx * scale;
  out.xy = m.xy * -scale;
  out.yx = m.yx * -scale;
  out.tx = -out.xx * m.tx - out.xy * m.ty;
  out.ty = -out.yx * m.tx - out.yy * m.ty;
  return out;
}

}  // namespace

geom::Affine2 rotation_about(geom::Vec2 centre, double degrees) noexcept {
  const auto [s, c] = geom::sincos(degrees * (std::numbers::pi / 180));
  geom::Affine2 map;
  map.xx = c;
  map.xy = s;
  map.tx = (1 - c) * centre.x - s * centre.y;
  map.yx = -s;
  map.yy = c;
  map.ty = s * centre.x + (1 - c) * centre.y;
  return map;
}

void WarpedRows::set(const RgbWindow& window, const geom::Affine2& target_from_source,
                     geom::Vec2 offset, const Part& part) {
  window_ = window;
  source_from_target_ = inverse_of(target_from_source);
  first_row_ = part.first_row;
  columns_.resize(static_cast<std::size_t>(part.columns));
  for (std::int32_t i = 0; i < part.columns; ++i) {
    const double x = part.first_column + i;
    columns_[static_cast<std::size_t>(i)] = {
        rounded(source_from_target_.xx * x * kOneQ10),
        rounded(source_from_target_.yx * x * kOneQ10)};
  }
  source_from_target_.tx += offset.x;
  source_from_target_.ty += offset.y;
  left_ = clamped(-window.x, window.width);
  top_ = clamped(-window.y, window.height);
  right_ = clamped(window.picture_width - window.x, window.width);
  bottom_ = clamped(window.picture_height - window.y, window.height);
}

void WarpedRows::read(std::int32_t y, std::span<std::uint8_t> rgb) const {
  const geom::Affine2& m = source_from_target_;
  const double row = y + first_row_;
  const std::int32_t x0 = rounded((m.xy * row + m.tx) * kOneQ10) + kHalfStep;
  const std::int32_t y0 = rounded((m.yy * row + m.ty) * kOneQ10) + kHalfStep;
  std::uint8_t* out = rgb.data();
  for (const Shift& shift : columns_) {
    sample((x0 + shift.x) >> 5, (y0 + shift.y) >> 5, out);
    out += 3;
  }
}

void WarpedRows::sample(std::int32_t x_q5, std::int32_t y_q5, std::uint8_t* rgb) const {
  const std::int32_t x = x_q5 >> 5, y = y_q5 >> 5;
  if (x < left_ || x + 1 >= right_ || y < top_ || y + 1 >= bottom_) {
    return sample_at_edge(x_q5, y_q5, rgb);
  }
  const int fx = x_q5 & 31, fy = y_q5 & 31;
  const std::int64_t line = window_.picture_width * 3;
  const std::uint8_t* const upper =
      window_.pixels.data() + (window_.y + y) * line + (window_.x + x) * 3;
  const std::uint8_t* const lower = upper + line;
  for (int c = 0; c < 3; ++c) {
    const int above = upper[c] * (32 - fx) + upper[c + 3] * fx;
    const int below = lower[c] * (32 - fx) + lower[c + 3] * fx;
    rgb[c] = static_cast<std::uint8_t>((above * (32 - fy) + below * fy + 512) >> 10);
  }
}

void WarpedRows::sample_at_edge(std::int32_t x_q5, std::int32_t y_q5,
                                std::uint8_t* rgb) const {
  const std::int32_t x = x_q5 >> 5, y = y_q5 >> 5;
  const int fx = x_q5 & 31, fy = y_q5 & 31;
  const auto pixel = [&](std::int32_t px, std::int32_t py, int channel) -> int {
    if (px < left_ || px >= right_ || py < top_ || py >= bottom_) return 0;
    const std::int64_t at =
        ((window_.y + py) * window_.picture_width + window_.x + px) * 3 + channel;
    return window_.pixels[static_cast<std::size_t>(at)];
  };
  for (int c = 0; c < 3; ++c) {
    const int above = pixel(x, y, c) * (32 - fx) + pixel(x + 1, y, c) * fx;
    const int below = pixel(x, y + 1, c) * (32 - fx) + pixel(x + 1, y + 1, c) * fx;
    rgb[c] = static_cast<std::uint8_t>((above * (32 - fy) + below * fy + 512) >> 10);
  }
}

}  // namespace bev::raster
