#include "core/geom/rectangle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace bev::geom {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double dot(Vec2 a, Vec2 b) {
  return a.x * b.x + a.y * b.y;
}

Vec2 ahead(const Rectangle& a) {
  return {a.heading.cos, a.heading.sin};
}

Vec2 aside(const Rectangle& a) {
  return {-a.heading.sin, a.heading.cos};
}

/// Half of the length of a rectangle's projection onto a unit vector.
double reach(const Rectangle& a, Vec2 axis) {
  return a.half_length * std::fabs(dot(ahead(a), axis)) +
         a.half_width * std::fabs(dot(aside(a), axis));
}

std::array<Vec2, 4> corners(const Rectangle& a) {
  std::array<Vec2, 4> out;
  const auto u = ahead(a), v = aside(a);
  for (std::size_t i = 0; i < 4; ++i) {
    const double x = (i & 1U) != 0 ? a.half_length : -a.half_length;
    const double y = (i & 2U) != 0 ? a.half_width : -a.half_width;
    out[i] = {a.centre.x + x * u.x + y * v.x, a.centre.y + x * u.y + y * v.y};
  }
  return out;
}

double distance_to(const Rectangle& a, Vec2 point) {
  const Vec2 from{point.x - a.centre.x, point.y - a.centre.y};
  const double x = std::max(0.0, std::fabs(dot(from, ahead(a))) - a.half_length);
  const double y = std::max(0.0, std::fabs(dot(from, aside(a))) - a.half_width);
  return hypot(x, y);
}

bool is_finite(const Rectangle& a) {
  // A sum is finite only if all terms are.
  const double sum = a.centre.x + a.centre.y + a.heading.sin + a.heading.cos +
                     a.half_length + a.half_width;
  return std::isfinite(sum);
}

}  // namespace

double distance(const Rectangle& a, const Rectangle& b) noexcept {
  if (!is_finite(a) || !is_finite(b)) return kNan;
  const Vec2 between{b.centre.x - a.centre.x, b.centre.y - a.centre.y};
  bool apart = false;
  for (const auto axis : {ahead(a), aside(a), ahead(b), aside(b)}) {
    apart = apart || std::fabs(dot(between, axis)) > reach(a, axis) + reach(b, axis);
  }
  if (!apart) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& corner : corners(a)) least = std::min(least, distance_to(b, corner));
  for (const auto& corner : corners(b)) least = std::min(least, distance_to(a, corner));
  return least;
}

bool overlap(const Rectangle& a, const Rectangle& b) noexcept {
  for (const double half : {a.half_length, a.half_width, b.half_length, b.half_width}) {
    if (!(half > 0)) return false;
  }
  const Vec2 between{b.centre.x - a.centre.x, b.centre.y - a.centre.y};
  for (const auto axis : {ahead(a), aside(a), ahead(b), aside(b)}) {
    if (!(std::fabs(dot(between, axis)) < reach(a, axis) + reach(b, axis)))
      return false;
  }
  return true;
}

double time_to_collision(const Rectangle& a, const Rectangle& b,
                         Vec2 velocity) noexcept {
  if (!is_finite(a) || !is_finite(b) || !std::isfinite(velocity.x + velocity.y)) {
    return kNan;
  }
  const Vec2 between{b.centre.x - a.centre.x, b.centre.y - a.centre.y};
  double enter = 0, leave = kMaxTtcS;
  for (const auto axis : {ahead(a), aside(a), ahead(b), aside(b)}) {
    const double gap = dot(between, axis), speed = dot(velocity, axis);
    const double wide = reach(a, axis) + reach(b, axis);
    if (speed == 0) {
      if (std::fabs(gap) > wide) return kNan;
      continue;
    }
    double first = (-wide - gap) / speed, last = (wide - gap) / speed;
    if (first > last) std::swap(first, last);
    enter = std::max(enter, first);
    leave = std::min(leave, last);
  }
  return enter <= leave ? enter : kNan;
}

}  // namespace bev::geom
