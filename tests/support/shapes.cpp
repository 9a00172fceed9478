#include "tests/support/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/geom/trig.hpp"
#include "core/raster/line_aa.hpp"

namespace bev::test {
namespace {

using raster::clip_line;
using raster::Point64;

constexpr double kHalfTurn = std::numbers::pi;

/// Converts truncated or rounded `pixels`, clamping values that do not fit.
std::int32_t whole(double pixels) noexcept {
  if (!(pixels > -2147483648.0)) return INT32_MIN;
  return pixels >= 2147483647.0 ? INT32_MAX : static_cast<std::int32_t>(pixels);
}

PixelAt truncated(geom::Vec2 p) noexcept {
  return {whole(p.x), whole(p.y)};
}

PixelAt rounded(geom::Vec2 p) noexcept {
  return {whole(std::nearbyint(p.x)), whole(std::nearbyint(p.y))};
}

void fill_span(Canvas<Rgba> canvas, std::int64_t y, std::int64_t first,
               std::int64_t last, Rgba colour) {
  if (y < 0 || y >= canvas.height) return;
  first = std::max<std::int64_t>(first, 0);
  last = std::min<std::int64_t>(last, canvas.width - 1);
  Rgba* const row = canvas.row(static_cast<std::int32_t>(y));
  if (first <= last) std::fill(row + first, row + last + 1, colour);
}

}  // namespace

void draw_line(Canvas<Rgba> canvas, PixelAt from, PixelAt to, Rgba colour) {
  Point64 a{from.x, from.y}, b{to.x, to.y};
  if (canvas.width <= 0 || canvas.height <= 0 ||
      !clip_line(canvas.width - 1, canvas.height - 1, a, b)) {
    return;
  }
  if (b.x < a.x) std::swap(a, b);
  std::int64_t along = b.x - a.x, across = std::abs(b.y - a.y);
  std::ptrdiff_t step = 1, side = b.y < a.y ? -canvas.width : canvas.width;
  if (across > along) {
    std::swap(along, across);
    std::swap(step, side);
  }
  Rgba* pixel = canvas.row(static_cast<std::int32_t>(a.y)) + a.x;
  std::int64_t error = along - 2 * across;
  *pixel = colour;
  for (std::int64_t i = 0; i < along; ++i) {
    const bool aside = error < 0;
    error += (aside ? 2 * along : 0) - 2 * across;
    pixel += step + (aside ? side : 0);
    *pixel = colour;
  }
}

void fill_circle(Canvas<Rgba> canvas, PixelAt centre, std::int32_t radius,
                 Rgba colour) {
  if (radius < 0 || radius > kMaxRadius) {
    fail(Errc::invalid_argument,
         {"circle: radius ", radius, ", expected 0 to ", kMaxRadius});
  }
  const std::int64_t x = centre.x, y = centre.y;
  std::int64_t wide = radius, narrow = 0, error = 0, minus = 2 * wide - 1;
  while (wide >= narrow) {
    fill_span(canvas, y - narrow, x - wide, x + wide, colour);
    fill_span(canvas, y + narrow, x - wide, x + wide, colour);
    fill_span(canvas, y - wide, x - narrow, x + narrow, colour);
    fill_span(canvas, y + wide, x - narrow, x + narrow, colour);
    error += 2 * narrow + 1;
    ++narrow;
    if (error <= 0) continue;
    error -= minus;
    minus -= 2;
    --wide;
  }
}

void draw_arrow(Canvas<Rgba> canvas, PixelAt from, PixelAt to, double tip,
                Rgba colour) {
  draw_line(canvas, from, to, colour);
  const double back_x = static_cast<double>(from.x) - to.x;
  const double back_y = static_cast<double>(from.y) - to.y;
  const double size = std::sqrt(back_x * back_x + back_y * back_y) * tip;
  const double angle = geom::atan2(back_y, back_x);
  for (const double turn : {kHalfTurn / 4, -kHalfTurn / 4}) {
    const auto [s, c] = geom::sincos(angle + turn);
    draw_line(canvas, rounded({to.x + size * c, to.y + size * s}), to, colour);
  }
}

void draw_trajectory(Canvas<Rgba> canvas, std::span<const geom::Vec2> in_raster,
                     std::span<const double> yaws_rad, Rgba colour,
                     std::int32_t radius) {
  constexpr double kLength = 2, kTip = 1.8;  // pixels; multiple of kLength
  if (!yaws_rad.empty() && yaws_rad.size() != in_raster.size()) {
    fail(Errc::invalid_argument,
         {"trajectory: ", yaws_rad.size(), " yaws, expected ", in_raster.size()});
  }
  for (std::size_t i = 0; i < in_raster.size(); ++i) {
    const geom::Vec2& at = in_raster[i];
    if (yaws_rad.empty()) {
      fill_circle(canvas, truncated(at), radius, colour);
      continue;
    }
    const auto [s, c] = geom::sincos(yaws_rad[i]);
    const geom::Vec2 end{at.x + kLength * c, at.y + kLength * s};
    draw_arrow(canvas, truncated(at), truncated(end), kTip, colour);
  }
}

}  // namespace bev::test
