#include "core/geom/box.hpp"

#include "core/geom/trig_f32.hpp"

namespace bev::geom {

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
