#pragma once

#include <cstdint>
#include <span>

#include "core/geom/affine.hpp"
#include "core/raster/canvas.hpp"

namespace bev::test {

using raster::Canvas;
using raster::rgb;
using raster::Rgba;

/// A whole-pixel position.
struct PixelAt {
  std::int32_t x;
  std::int32_t y;
};

inline constexpr std::int32_t kMaxRadius = 32'767;

// Shapes of whole pixels without blending. Pixels outside the image are skipped. Work
// is bounded by the image's pixels or kMaxRadius.
// Reference  OpenCV 4.6, LINE_8, shift 0, thickness 1.

void draw_line(Canvas<Rgba> canvas, PixelAt from, PixelAt to, Rgba colour);

/// Fills a circle.
///
/// Throws  invalid_argument for a radius outside 0 to kMaxRadius
void fill_circle(Canvas<Rgba> canvas, PixelAt centre, std::int32_t radius, Rgba colour);

/// Draws a line with two strokes at `to`, each `tip` times the line's length.
void draw_arrow(Canvas<Rgba> canvas, PixelAt from, PixelAt to, double tip, Rgba colour);

inline constexpr Rgba kPredictedColour = rgb(0, 255, 255);
inline constexpr Rgba kTargetColour = rgb(255, 0, 255);
inline constexpr Rgba kReferenceColour = rgb(255, 255, 0);

/// Draws positions as circles, or as arrows of 2 pixels if yaws are given.
///
/// Units      Pixels, truncated toward zero; yaws in radians, one per position.
/// Throws     invalid_argument if the number of yaws differs; as fill_circle
/// Reference  L5Kit, visualization/utils.py, draw_trajectory.
void draw_trajectory(Canvas<Rgba> canvas, std::span<const geom::Vec2> in_raster,
                     std::span<const double> yaws_rad, Rgba colour,
                     std::int32_t radius = 1);

}  // namespace bev::test
