#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/geom/rectangle.hpp"

namespace bev::rollout {

/// The side of the ego vehicle that an agent touches. The numbers are part of the
/// interface.
enum class Side : std::uint8_t { none = 0, front = 1, rear = 2, side = 3 };

/// A collision of the ego vehicle.
struct Collision {
  Side side = Side::none;
  std::size_t agent = 0;  ///< its position in the list
};

/// Returns the first agent whose rectangle the ego vehicle's touches, and the side of
/// the ego vehicle that has the longest part in the agent; the front if no side has.
///
/// Reference  L5Kit, detect_collision, up to rounding; also its limit that agents count
///            whose centre is nearer than half of the sum of both diagonals.
Collision first_collision(const geom::Rectangle& ego,
                          std::span<const geom::Rectangle> agents) noexcept;

/// Returns the length of the part of the line a to b that is in a rectangle.
double length_inside(geom::Vec2 a, geom::Vec2 b, const geom::Rectangle& box) noexcept;

}  // namespace bev::rollout
