#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/geom/arrays.hpp"

namespace bev::map {

/// Whether a point is in a polygon, by the even-odd rule: each edge is added once.
class EvenOdd {
 public:
  explicit EvenOdd(geom::Vec2 at) noexcept : at_(at) {}

  /// Adds the edge from a to b: points with x and y.
  template <class Point>
  void add(const Point& a, const Point& b) noexcept {
    if ((a.y > at_.y) == (b.y > at_.y)) return;
    if (at_.x < (b.x - a.x) * (at_.y - a.y) / (b.y - a.y) + a.x) inside_ = !inside_;
  }

  bool inside() const noexcept { return inside_; }

 private:
  geom::Vec2 at_;
  bool inside_ = false;
};

/// Returns whether a point is on a lane: in the polygon of its left side and its
/// reversed right side. False if a side has no points.
template <class Points>
bool is_on_lane(const Points& left, const Points& right, geom::Vec2 at) {
  if (left.empty() || right.empty()) return false;
  EvenOdd test(at);
  for (std::size_t i = 1; i < left.size(); ++i) test.add(left[i - 1], left[i]);
  test.add(left.back(), right.back());
  for (auto i = right.size() - 1; i > 0; --i) test.add(right[i], right[i - 1]);
  test.add(right.front(), left.front());
  return test.inside();
}

/// Returns whether a point is in an open outline, such as that of a crosswalk.
template <class Points>
bool is_in_outline(const Points& outline, geom::Vec2 at) {
  EvenOdd test(at);
  for (std::size_t i = 0; i < outline.size(); ++i)
    test.add(outline[i], outline[(i + 1) % outline.size()]);
  return test.inside();
}

/// Returns the rows of the points (n, 2) that are on a lane, whose sides are (m, 2).
///
/// Throws  invalid_argument for an array of odd length
geom::Numbers points_on_lane(geom::NumberSpan left, geom::NumberSpan right,
                             geom::NumberSpan points);

/// Returns the rows of the points (n, 2) in an outline (m, 2). Throws likewise.
geom::Numbers points_in_outline(geom::NumberSpan outline, geom::NumberSpan points);

/// Returns the lanes whose lanes ahead include a lane, ascending.
///
/// @param ahead  rows of the lanes ahead of all lanes; lane i's start at first[i]
/// @param first  n + 1
/// Throws  invalid_argument unless `first` ascends within `ahead`
std::vector<std::uint32_t> lanes_behind(std::span<const std::uint32_t> ahead,
                                        std::span<const std::uint32_t> first,
                                        std::uint32_t lane);

}  // namespace bev::map
