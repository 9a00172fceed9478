#pragma once

#include <array>

#include "core/geom/affine.hpp"
#include "core/geom/trig.hpp"

namespace bev::geom {

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
