#include "core/raster/rotate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
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

/// Returns the inverse, in OpenCV's order of operations.
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
  right_ = clamped(window.image_width - window.x, window.width);
  bottom_ = clamped(window.image_height - window.y, window.height);
}

void WarpedRows::read(std::int32_t y, std::span<Lanes> row) const {
  if (columns_.empty()) return;
  const geom::Affine2& m = source_from_target_;
  const double at = y + first_row_;
  const std::int32_t x0 = rounded((m.xy * at + m.tx) * kOneQ10) + kHalfStep;
  const std::int32_t y0 = rounded((m.yy * at + m.ty) * kOneQ10) + kHalfStep;
  const auto inside = [&](const Shift& shift) {
    return is_inside((x0 + shift.x) >> 5, (y0 + shift.y) >> 5);
  };
  Lanes* out = row.data();
  // A row is a straight line in the source: if both ends are inside, all points are.
  if (inside(columns_.front()) && inside(columns_.back())) {
    const std::int64_t line = window_.image_width * 3;
    const std::uint8_t* const first =
        window_.pixels.data() + window_.y * line + window_.x * 3;
    for (const Shift& shift : columns_) {
      const std::int32_t from_x = (x0 + shift.x) >> 5, from_y = (y0 + shift.y) >> 5;
      const std::uint8_t* const upper =
          first + (from_y >> 5) * line + std::ptrdiff_t{from_x >> 5} * 3;
      *out++ = bilinear(two_pixels(upper), two_pixels(upper + line), from_x & 31,
                        from_y & 31);
    }
    return;
  }
  for (const Shift& shift : columns_) {
    *out++ = sample_at_edge((x0 + shift.x) >> 5, (y0 + shift.y) >> 5);
  }
}

/// Whether the four pixels around a position, and the padding after them, exist.
bool WarpedRows::is_inside(std::int32_t x_q5, std::int32_t y_q5) const noexcept {
  const std::int32_t x = x_q5 >> 5, y = y_q5 >> 5;
  return x >= left_ && x + 2 < right_ && y >= top_ && y + 1 < bottom_;
}

Lanes WarpedRows::sample_at_edge(std::int32_t x_q5, std::int32_t y_q5) const noexcept {
  const std::int32_t x = x_q5 >> 5, y = y_q5 >> 5;
  const auto two_at = [&](std::int32_t py) {
    TwoPixels out{};
    if (py < top_ || py >= bottom_) return out;
    const std::uint8_t* const line =
        window_.pixels.data() + (window_.y + py) * window_.image_width * 3;
    for (std::int32_t i = 0; i < 2; ++i) {
      if (x + i < left_ || x + i >= right_) continue;
      std::memcpy(out.data() + std::ptrdiff_t{i} * 3, line + (window_.x + x + i) * 3,
                  3);
    }
    return out;
  };
  return bilinear(two_at(y), two_at(y + 1), x_q5 & 31, y_q5 & 31);
}

}  // namespace bev::raster
