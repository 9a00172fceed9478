#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"

namespace bev::convert {

/// A cubic polynomial from `s` on.
struct Cubic {
  double s = 0;
  std::array<double, 4> factors{};  ///< a, b, c, d

  double at(double s_m) const noexcept {
    const double ds = s_m - s;
    return factors[0] + ds * (factors[1] + ds * (factors[2] + ds * factors[3]));
  }
};

/// Returns the value of the last polynomial that begins at or before `s`; 0 if none does.
///
/// @param cubics  by increasing s
double value_at(std::span<const Cubic> cubics, double s) noexcept;

/// The same of the last polynomial that begins before `s`: at the end of a range, where
/// another one may begin.
double value_before(std::span<const Cubic> cubics, double s) noexcept;

/// A part of a road's reference line, as OpenDRIVE has it (planView).
struct RoadGeometry {
  enum class Kind : std::uint8_t { line, arc, spiral, poly3, param_poly3 };

  Kind kind = Kind::line;
  double s = 0, x = 0, y = 0, heading_rad = 0, length = 0;
  /// Curvature at the start and at the end, of an arc and a spiral.
  double curvature_start = 0, curvature_end = 0;
  std::array<double, 4> u{}, v{};  ///< poly3 has v only
  bool is_normalized = false;      ///< the parameter of param_poly3 ends at 1
};

/// A place on a reference line.
struct RoadPlace {
  geom::Vec2 position, direction;  ///< a unit vector along the road
};

/// Returns the places at `stations`, in increasing order.
///
/// @param parts  by increasing s, at least one
/// Reference     ASAM OpenDRIVE 1.7, 9.3 to 9.7
std::vector<RoadPlace> places_along(std::span<const RoadGeometry> parts,
                                    std::span<const double> stations);

}  // namespace bev::convert
