#include "core/geom/affine.hpp"

#include <cmath>
#include <cstddef>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/geom/trig_f32.hpp"

namespace bev::geom {
namespace {

double inverse_of_determinant(double determinant) {
  if (determinant == 0 || !std::isfinite(determinant)) {
    fail(Errc::invalid_argument,
         {"affine map: no inverse (found determinant ", python_repr(determinant), ")"});
  }
  return 1 / determinant;
}

}  // namespace

Affine2 operator*(const Affine2& a, const Affine2& b) noexcept {
  return {.xx = a.xx * b.xx + a.xy * b.yx,
          .xy = a.xx * b.xy + a.xy * b.yy,
          .tx = a.xx * b.tx + a.xy * b.ty + a.tx,
          .yx = a.yx * b.xx + a.yy * b.yx,
          .yy = a.yx * b.xy + a.yy * b.yy,
          .ty = a.yx * b.tx + a.yy * b.ty + a.ty};
}

Affine2 pose(Vec2 position, double yaw_rad) noexcept {
  const auto [s, c] = sincos(yaw_rad);
  return {.xx = c, .xy = -s, .tx = position.x, .yx = s, .yy = c, .ty = position.y};
}

Affine2 inverse(const Affine2& m) {
  const double scale = inverse_of_determinant(m.xx * m.yy - m.xy * m.yx);
  return {.xx = m.yy * scale,
          .xy = -m.xy * scale,
          .tx = (m.xy * m.ty - m.yy * m.tx) * scale,
          .yx = -m.yx * scale,
          .yy = m.xx * scale,
          .ty = (m.yx * m.tx - m.xx * m.ty) * scale};
}

Affine3 operator*(const Affine3& a, const Affine3& b) noexcept {
  Affine3 out;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& row = a.rows[i];
    for (std::size_t j = 0; j < 4; ++j) {
      out.rows[i][j] = row[0] * b.rows[0][j] + row[1] * b.rows[1][j] +
                       row[2] * b.rows[2][j] + (j == 3 ? row[3] : 0);
    }
  }
  return out;
}

Affine3 inverse(const Affine3& map) {
  const auto& m = map.rows;
  Affine3 out;
  for (std::size_t i = 0; i < 3; ++i) {  // cofactors with cyclic indices
    const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      out.rows[j][i] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
    }
  }
  const double scale = inverse_of_determinant(
      m[0][0] * out.rows[0][0] + m[0][1] * out.rows[1][0] + m[0][2] * out.rows[2][0]);
  for (auto& row : out.rows) {
    for (std::size_t j = 0; j < 3; ++j) row[j] *= scale;
    row[3] = -(row[0] * m[0][3] + row[1] * m[1][3] + row[2] * m[2][3]);
  }
  return out;
}

std::vector<Vec2> transformed(std::span<const Vec2> points, const Affine2& map) {
  std::vector<Vec2> out;
  out.reserve(points.size());
  for (const Vec2& point : points) out.push_back(map * point);
  return out;
}

std::vector<Vec3> transformed(std::span<const Vec3> points, const Affine3& map) {
  std::vector<Vec3> out;
  out.reserve(points.size());
  for (const Vec3& point : points) out.push_back(map * point);
  return out;
}

std::array<Vec2, 4> rectangle_corners(Vec2 centre_in_world, SinCos heading,
                                      double length, double width) noexcept {
  const double s = heading.sin, c = heading.cos;
  const auto corner = [&](double along, double across) -> Vec2 {
    return {along * c - across * s + centre_in_world.x,
            along * s + across * c + centre_in_world.y};
  };
  const double front = length / 2, left = width / 2;
  return {corner(front, left), corner(-front, left), corner(-front, -left),
          corner(front, -left)};
}

std::array<Vec2, 4> agent_corners(Vec2 centre_in_world, float yaw_rad, float length,
                                  float width) noexcept {
  const SinCosF32 heading = sincos_f32(yaw_rad);
  return rectangle_corners(
      centre_in_world,
      {static_cast<double>(heading.sin), static_cast<double>(heading.cos)},
      static_cast<double>(length), static_cast<double>(width));
}

}  // namespace bev::geom
