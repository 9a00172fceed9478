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
/// Returns v scaled to length 1; (1, 0) for the zero vector.
Vec2 unit(Vec2 v) noexcept;

/// A position and direction on a path.
struct Pose {
  Vec2 at;
  Vec2 direction;  ///< unit vector
};

/// A smooth line in world metres: equidistant points, about a metre apart.
class Path {
 public:
  Path() = default;

  /// Creates a path through `points`: at least two, not all equal.
  explicit Path(std::span<const Vec2> points);

  /// Returns a cubic curve between two positions with the given directions; `stretch`
  /// is the length of its handles relative to the distance.
  static Path between(const Pose& from, const Pose& to, double stretch);

  double length() const noexcept { return length_; }
  std::span<const Vec2> points() const noexcept { return points_; }

  /// Returns the position `s` metres from the start; extrapolates straight beyond the
  /// ends.
  Pose at(double s) const noexcept;
  /// Returns the point `left` metres to the left of at(s).
  Vec2 beside(double s, double left) const noexcept;

  /// Returns the parallel line `left` metres to the left.
  Path offset(double left) const;
  Path part(double begin, double end) const;
  Path reversed() const;

  /// Returns the minimum bend radius in metres; large for a straight line.
  double narrowest() const noexcept;

 private:
  std::vector<Vec2> points_;
  std::vector<Vec2> directions_;
  double length_ = 0;
  double step_ = 1;
};

}  // namespace bev::town
