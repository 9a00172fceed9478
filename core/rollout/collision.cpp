#include "core/rollout/collision.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/geom/trig.hpp"

namespace bev::rollout {
namespace {

using geom::Rectangle;
using geom::Vec2;

/// Returns a point of a rectangle in world.
Vec2 point_of(const Rectangle& box, double ahead, double left) {
  const auto [sin, cos] = box.heading;
  return {box.centre.x + ahead * cos - left * sin,
          box.centre.y + ahead * sin + left * cos};
}

/// Returns a world point in the axes of a rectangle.
Vec2 in_axes(const Rectangle& box, Vec2 at) {
  const auto [sin, cos] = box.heading;
  const double x = at.x - box.centre.x, y = at.y - box.centre.y;
  return {cos * x + sin * y, cos * y - sin * x};
}

/// Limits `begin` and `end`, shares of a line, to where from + share * step is within
/// [-half, half].
void clip(double from, double step, double half, double& begin, double& end) {
  if (step == 0) {
    if (std::fabs(from) > half) end = -1;
    return;
  }
  const double a = (-half - from) / step, b = (half - from) / step;
  begin = std::max(begin, std::min(a, b));
  end = std::min(end, std::max(a, b));
}

double diagonal(const Rectangle& box) {
  return 2 * geom::hypot(box.half_length, box.half_width);
}

Side longest_side(const Rectangle& ego, const Rectangle& agent) {
  const double l = ego.half_length, w = ego.half_width;
  const auto front_left = point_of(ego, l, w), front_right = point_of(ego, l, -w);
  const auto rear_left = point_of(ego, -l, w), rear_right = point_of(ego, -l, -w);
  const std::array<double, 4> lengths{length_inside(front_left, front_right, agent),
                                      length_inside(rear_right, rear_left, agent),
                                      length_inside(front_left, rear_left, agent),
                                      length_inside(front_right, rear_right, agent)};
  const auto best = std::max_element(lengths.begin(), lengths.end()) - lengths.begin();
  return best == 0 ? Side::front : (best == 1 ? Side::rear : Side::side);
}

}  // namespace

double length_inside(Vec2 a, Vec2 b, const Rectangle& box) noexcept {
  const auto from = in_axes(box, a), to = in_axes(box, b);
  double begin = 0, end = 1;
  clip(from.x, to.x - from.x, box.half_length, begin, end);
  clip(from.y, to.y - from.y, box.half_width, begin, end);
  return std::max(0.0, end - begin) * geom::hypot(to.x - from.x, to.y - from.y);
}

Collision first_collision(const Rectangle& ego,
                          std::span<const Rectangle> agents) noexcept {
  for (std::size_t i = 0; i < agents.size(); ++i) {
    const auto& agent = agents[i];
    const double apart =
        geom::hypot(agent.centre.x - ego.centre.x, agent.centre.y - ego.centre.y);
    if (!(apart < (diagonal(ego) + diagonal(agent)) / 2)) continue;
    if (geom::distance(ego, agent) == 0) return {longest_side(ego, agent), i};
  }
  return {};
}

}  // namespace bev::rollout
