#pragma once

#include <cstdint>
#include <span>

#include "core/raster/canvas.hpp"

namespace bev::raster {

struct Point64 {
  std::int64_t x;
  std::int64_t y;
  bool operator==(const Point64&) const = default;
};

/// Clips a line to the rectangle from (0, 0) to (right, bottom), inclusive. Returns
/// false if no part remains.
///
/// Units      Any; coordinates up to 2^41 in magnitude.
/// Reference  OpenCV 4.6's clipLine: the order of the sides and the truncation of
///            doubles determine the last bits.
bool clip_line(std::int64_t right, std::int64_t bottom, Point64& a,
               Point64& b) noexcept;

/// Draws an anti-aliased line of thickness 1.
///
/// Shapes     Takes at most as many steps as the image has rows or columns, for any
///            coordinates.
/// Units      Pixels with 16 fractional bits, up to 2^40 in magnitude.
/// Throws     Nothing: pixels outside the image are skipped.
/// Reference  OpenCV 4.6, LineAA, bit-exact.
template <class Pixel>
void draw_line_aa(Canvas<Pixel> canvas, Point64 from, Point64 to, Pixel colour);

/// Draws lines between consecutive points, and from the last to the first if `closed`.
///
/// Reference  OpenCV 4.6, polylines with LINE_AA, shift 9 and thickness 1. A closed
///            line begins with its last side.
template <class Pixel>
void draw_polyline_aa(Canvas<Pixel> canvas, std::span<const PointQ9> points,
                      bool closed, Pixel colour);

}  // namespace bev::raster
