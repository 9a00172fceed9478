#pragma once

namespace bev::geom {

/// Sine, cosine, angle and length: the same bits natively and in WebAssembly, with
/// every compiler. Results are correctly rounded: each is computed to about 66 bits
/// first and, if that does not determine the rounding (one call in some thousands), to
/// about 100.
///
/// C libraries differ in the last bit; openlibm is not correctly rounded, and CORE-MATH
/// needs fused multiply-add, which WebAssembly lacks.
///
/// Units      Radians.
/// Throws     Nothing: undefined results (sin of infinity) are NaN. Zeros, infinities
///            and NaN give the results of C's <math.h>.
/// Reference  A. Ziv, "Fast evaluation of elementary mathematical functions with
///            correctly rounded last bit", 1991, for computing twice.
double sin(double x_rad) noexcept;
double cos(double x_rad) noexcept;

struct SinCos {
  double sin;
  double cos;
};

/// Returns both for little more than the cost of one.
SinCos sincos(double x_rad) noexcept;

/// Returns the angle of the point (x, y), counter-clockwise from +x, in [-pi, pi].
double atan2(double y, double x) noexcept;

/// Returns the distance of (x, y) from the origin, without intermediate overflow.
double hypot(double x, double y) noexcept;

}  // namespace bev::geom
