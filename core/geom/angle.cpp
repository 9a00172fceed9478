#include "core/geom/angle.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "core/geom/trig.hpp"

namespace bev::geom {
namespace {

// Returns the remainder with the sign of the divisor, as % in Python and NumPy.
template <class T>
T floored_modulo(T value, T divisor) noexcept {
  const T rest = std::fmod(value, divisor);
  return rest < 0 ? rest + divisor : rest;
}

template <class T>
T distance(T a, T b) noexcept {
  constexpr T kPi = std::numbers::pi_v<T>;
  return floored_modulo(a - b + kPi, 2 * kPi) - kPi;
}

}  // namespace

double angular_distance(double a_rad, double b_rad) noexcept {
  return distance(a_rad, b_rad);
}

float angular_distance_f32(float a_rad, float b_rad) noexcept {
  return distance(a_rad, b_rad);
}

double rotation33_as_yaw(const Matrix3& rotation) noexcept {
  const double along = rotation[0][0], across = rotation[1][0];
  const double level = std::sqrt(along * along + across * across);
  if (level <= 4 * std::numeric_limits<double>::epsilon()) return 0;
  return atan2(across, along);
}

Matrix3 yaw_as_rotation33(double yaw_rad) noexcept {
  const auto [s, c] = sincos(yaw_rad);
  return {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

}  // namespace bev::geom
