#pragma once

#include <array>

namespace bev::geom {

/// A 3D rotation matrix, row by row.
using Matrix3 = std::array<std::array<double, 3>, 3>;

/// Returns a - b wrapped to [-pi, pi): half a turn is -pi.
///
/// Example  angular_distance(3, -3) is 6 - 2 pi = -0.283...
double angular_distance(double a_rad, double b_rad) noexcept;

/// Does the same in float32 throughout, as the data layer does for recorded yaws.
float angular_distance_f32(float a_rad, float b_rad) noexcept;

/// Returns the heading (yaw) of a rotation: the last of its static x-y-z Euler angles;
/// 0 if the pitch is a right angle and the heading undefined.
double rotation33_as_yaw(const Matrix3& rotation) noexcept;

/// Returns the rotation about z.
Matrix3 yaw_as_rotation33(double yaw_rad) noexcept;

}  // namespace bev::geom
