#pragma once

#include <span>

#include "core/raster/canvas.hpp"
#include "core/raster/clip_line.hpp"

namespace bev::raster {

/// An anti-aliased line of thickness 1.
///
/// Shapes  Whatever the coordinates, no more steps than the image has rows or columns.
/// Units   Pixels with 16 fractional bits, up to 2^40 either way.
/// Errors  None: what is outside of the image is not drawn.
/// Source  OpenCV 4.6, LineAA, to the bit.
template <class Pixel>
void draw_line_aa(Canvas<Pixel> canvas, Point64 from, Point64 to, Pixel colour);

/// Lines from point to point, and from the last to the first where `closed`.
///
/// Source  OpenCV 4.6, polylines with LINE_AA, shift 9 and thickness 1. A closed line
///         begins with its last side.
template <class Pixel>
void draw_polyline_aa(Canvas<Pixel> canvas, std::span<const PointQ9> points,
                      bool closed, Pixel colour);

}  // namespace bev::raster
