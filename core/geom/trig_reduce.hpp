#pragma once

#include "core/geom/double_double.hpp"

namespace bev::geom {

/// An angle reduced to about [-pi/4, pi/4]: x = quadrant * pi/2 + rest (modulo 2 pi).
struct ReducedAngle {
  unsigned quadrant;  ///< 0 to 3
  DoubleDouble rest;  ///< radians, relative error below 2^-95
};

/// Reduces any finite angle, however large.
///
/// Reference  W. J. Cody and W. Waite, "Software Manual for the Elementary Functions",
///            1980 (below 2^20); M. Payne and R. Hanek, "Radian reduction for
///            trigonometric functions", 1983 (above).
ReducedAngle reduce_angle(double x_rad) noexcept;

}  // namespace bev::geom
