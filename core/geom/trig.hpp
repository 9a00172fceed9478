#pragma once

namespace bev::geom {

/// Sine, cosine, angle and length: the same bits natively and in WebAssembly, under
/// every compiler. Results are the double nearest to the true value: each is computed
/// to about 66 bits first and, where that does not settle the rounding (once in some
/// thousands), to about 100.
///
/// Units   Radians.
/// Errors  None: what is undefined (sin of an infinity) is NaN, as C's <math.h> has it,
///         and so are the results for zeros, infinities and NaN.
/// Source  A. Ziv, "Fast evaluation of elementary mathematical functions with correctly
///         rounded last bit", 1991, for computing twice.
double sin(double x_rad) noexcept;
double cos(double x_rad) noexcept;

struct SinCos {
  double sin;
  double cos;
};

/// Both at the price of little more than one.
SinCos sincos(double x_rad) noexcept;

/// The angle of the point (x, y), counter-clockwise from +x, in [-pi, pi].
double atan2(double y, double x) noexcept;

/// The distance of the point (x, y) from the origin, without overflow on the way.
double hypot(double x, double y) noexcept;

}  // namespace bev::geom
