#pragma once

#include "core/geom/affine.hpp"

namespace bev::geom {

/// A road user's rectangle in world.
struct Rectangle {
  Vec2 centre;
  SinCos heading{0, 1};
  double half_length = 0;
  double half_width = 0;
};

/// Maximum time to a collision that counts.
inline constexpr double kMaxTtcS = 10;

/// Returns the least distance of two rectangles in metres; 0 if they overlap, NaN if a
/// number is.
double distance(const Rectangle& a, const Rectangle& b) noexcept;

/// Whether the interiors of two rectangles intersect: touching is no overlap, and a
/// rectangle without area overlaps none. False if a number is NaN.
bool overlap(const Rectangle& a, const Rectangle& b) noexcept;

/// Returns the time in seconds after which two rectangles first touch if both keep
/// their velocity and heading: 0 if they overlap, NaN if they do not touch within
/// kMaxTtcS or a number is NaN.
///
/// @param velocity  of b relative to a, in metres per second
double time_to_collision(const Rectangle& a, const Rectangle& b,
                         Vec2 velocity) noexcept;

}  // namespace bev::geom
