#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/geom/trig.hpp"

namespace bev::geom {

/// A position. The variable's name states its frame and so its unit (`in_world`:
/// metres, `in_raster`: pixels).
struct Vec2 {
  double x = 0;
  double y = 0;
  bool operator==(const Vec2&) const = default;
};

struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;
  bool operator==(const Vec3&) const = default;
};

/// A planar affine map, named after both its frames: `raster_from_world * in_world`.
struct Affine2 {
  double xx = 1, xy = 0, tx = 0;  ///< x' = xx*x + xy*y + tx
  double yx = 0, yy = 1, ty = 0;  ///< y' = yx*x + yy*y + ty

  Vec2 operator*(Vec2 p) const noexcept {
    return {xx * p.x + xy * p.y + tx, yx * p.x + yy * p.y + ty};
  }
  bool operator==(const Affine2&) const = default;
};

/// Composes two maps: `c_from_b * b_from_a` is c_from_a.
Affine2 operator*(const Affine2& c_from_b, const Affine2& b_from_a) noexcept;

/// Returns world_from_local for a local frame at this position and heading.
Affine2 pose(Vec2 position, double yaw_rad) noexcept;

/// Returns the inverse map.
///
/// @throws Error  invalid_argument for a singular map
Affine2 inverse(const Affine2& map);

/// A 3D affine map, row by row; the last column is the translation.
struct Affine3 {
  using Row = std::array<double, 4>;
  std::array<Row, 3> rows = {Row{1, 0, 0, 0}, Row{0, 1, 0, 0}, Row{0, 0, 1, 0}};

  Vec3 operator*(Vec3 p) const noexcept {
    const auto along = [&](const Row& r) {
      return r[0] * p.x + r[1] * p.y + r[2] * p.z + r[3];
    };
    return {along(rows[0]), along(rows[1]), along(rows[2])};
  }
  bool operator==(const Affine3&) const = default;
};

Affine3 operator*(const Affine3& c_from_b, const Affine3& b_from_a) noexcept;

/// Returns the inverse map.
///
/// @throws Error  invalid_argument for a singular map
Affine3 inverse(const Affine3& map);

/// Returns the rows of the map's 3x3 matrix, C order.
constexpr std::array<double, 9> matrix(const Affine2& map) noexcept {
  return {map.xx, map.xy, map.tx, map.yx, map.yy, map.ty, 0, 0, 1};
}

/// Maps every point; the result has the length and order of `points`.
std::vector<Vec2> transformed(std::span<const Vec2> points, const Affine2& map);
std::vector<Vec3> transformed(std::span<const Vec3> points, const Affine3& map);

/// Returns the corners of an oriented rectangle.
///
/// @param centre_in_world  metres
/// @param heading          sine and cosine of the yaw, counter-clockwise from +x
/// @param length, width    metres, along and across that heading
/// @returns corners in world, counter-clockwise from front left
std::array<Vec2, 4> rectangle_corners(Vec2 centre_in_world, SinCos heading,
                                      double length, double width) noexcept;

/// Returns the corners of a recorded agent. Sine and cosine of its float32 yaw are
/// computed in float32, as in the data layer.
std::array<Vec2, 4> agent_corners(Vec2 centre_in_world, float yaw_rad, float length,
                                  float width) noexcept;

}  // namespace bev::geom
