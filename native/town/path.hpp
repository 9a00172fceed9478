#pragma once

#include <span>
#include <vector>

#include "core/geom/affine.hpp"

namespace bev::town {

using geom::Vec2;

inline Vec2 operator+(Vec2 a, Vec2 b) noexcept {
  return {a.x + b.x, a.y + b.y};
}
inline Vec2 operator-(Vec2 a, Vec2 b) noexcept {
  return {a.x - b.x, a.y - b.y};
}
inline Vec2 operator*(double k, Vec2 a) noexcept {
  return {k * a.x, k * a.y};
}
inline double dot(Vec2 a, Vec2 b) noexcept {
  return a.x * b.x + a.y * b.y;
}
inline double cross(Vec2 a, Vec2 b) noexcept {
  return a.x * b.y - a.y * b.x;
}
inline Vec2 left_of(Vec2 direction) noexcept {
  return {-direction.y, direction.x};
}
double length(Vec2 v) noexcept;
/// v at length 1; (1, 0) for the zero vector.
Vec2 unit(Vec2 v) noexcept;

/// Where a path is after some way, and where it leads.
struct Placed {
  Vec2 at;
  Vec2 direction;  ///< unit vector
};

/// A smooth line to go along, in world metres: points about a metre apart, equally.
class Path {
 public:
  Path() = default;

  /// Through `points`, at least two of them and not all the same.
  explicit Path(std::span<const Vec2> points);

  /// A cubic curve from one place to another, leaving and arriving in the directions
  /// given; `stretch` is the length of its handles as a part of the distance.
  static Path between(const Placed& from, const Placed& to, double stretch);

  double length() const noexcept { return length_; }
  std::span<const Vec2> points() const noexcept { return points_; }

  /// At `s` metres from the beginning; before and beyond the ends straight on.
  Placed at(double s) const noexcept;
  /// `left` metres to the left of it there.
  Vec2 beside(double s, double left) const noexcept;

  /// The line `left` metres to the left all along.
  Path offset(double left) const;
  Path part(double begin, double end) const;
  Path reversed() const;

  /// The radius of its narrowest bend, metres; large for a straight line.
  double narrowest() const noexcept;

 private:
  std::vector<Vec2> points_;
  std::vector<Vec2> directions_;
  double length_ = 0;
  double step_ = 1;
};

}  // namespace bev::town
