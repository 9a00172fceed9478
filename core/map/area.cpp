#include "core/map/area.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"

namespace bev::map {
namespace {

std::vector<geom::Vec2> points_of(geom::NumberSpan flat, std::string_view what) {
  std::vector<geom::Vec2> out;
  for (const auto& [x, y] : geom::rows_of<2>(flat, what)) out.push_back({x, y});
  return out;
}

template <class Test>
geom::Numbers rows_that(const std::vector<geom::Vec2>& points, Test test) {
  geom::Numbers rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (test(points[i])) rows.push_back(static_cast<double>(i));
  }
  return rows;
}

}  // namespace

geom::Numbers points_on_lane(geom::NumberSpan left, geom::NumberSpan right,
                             geom::NumberSpan points) {
  const auto a = points_of(left, "left"), b = points_of(right, "right");
  return rows_that(points_of(points, "points"),
                   [&](geom::Vec2 at) { return is_on_lane(a, b, at); });
}

geom::Numbers points_in_outline(geom::NumberSpan outline, geom::NumberSpan points) {
  const auto ring = points_of(outline, "outline");
  return rows_that(points_of(points, "points"),
                   [&](geom::Vec2 at) { return is_in_outline(ring, at); });
}

std::vector<std::uint32_t> lanes_behind(std::span<const std::uint32_t> ahead,
                                        std::span<const std::uint32_t> first,
                                        std::uint32_t lane) {
  if (!std::is_sorted(first.begin(), first.end()) ||
      (!first.empty() && first.back() > ahead.size())) {
    fail(Errc::invalid_argument,
         {"lanes ahead: invalid first rows (expected ascending ones of at most ",
          ahead.size(), ")"});
  }
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    const auto rows = ahead.subspan(first[i], first[i + 1] - first[i]);
    if (std::find(rows.begin(), rows.end(), lane) != rows.end())
      out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

}  // namespace bev::map
