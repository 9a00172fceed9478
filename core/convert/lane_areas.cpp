#include "core/convert/lane_areas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace bev::convert {
namespace {

struct Extent {
  std::int64_t min_x = std::numeric_limits<std::int64_t>::max(), min_y = min_x;
  std::int64_t max_x = std::numeric_limits<std::int64_t>::min(), max_y = max_x;

  void add(const PointCm& p) noexcept {
    min_x = std::min(min_x, p.x);
    min_y = std::min(min_y, p.y);
    max_x = std::max(max_x, p.x);
    max_y = std::max(max_y, p.y);
  }
  bool touches(const Extent& other) const noexcept {
    return min_x <= other.max_x && other.min_x <= max_x && min_y <= other.max_y &&
           other.min_y <= max_y;
  }
};

Extent extent_of(const Area& area) {
  Extent out;
  for (const auto& point : area) out.add(point);
  return out;
}

/// Returns the sign of the turn from a over b to c: 1 is left, 0 straight.
int turn(const PointCm& a, const PointCm& b, const PointCm& c) noexcept {
  const auto product = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  return product > 0 ? 1 : (product < 0 ? -1 : 0);
}

/// Whether c, which is on the line through a and b, is between them.
bool is_between(const PointCm& a, const PointCm& b, const PointCm& c) noexcept {
  return std::min(a.x, b.x) <= c.x && c.x <= std::max(a.x, b.x) &&
         std::min(a.y, b.y) <= c.y && c.y <= std::max(a.y, b.y);
}

bool edges_touch(const PointCm& a, const PointCm& b, const PointCm& c,
                 const PointCm& d) noexcept {
  const int abc = turn(a, b, c), abd = turn(a, b, d);
  const int cda = turn(c, d, a), cdb = turn(c, d, b);
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc == 0 && is_between(a, b, c)) || (abd == 0 && is_between(a, b, d)) ||
         (cda == 0 && is_between(c, d, a)) || (cdb == 0 && is_between(c, d, b));
}

/// Whether a point that is not on an edge is inside, by the even-odd rule.
bool is_inside(const Area& area, const PointCm& p) noexcept {
  bool inside = false;
  for (std::size_t i = 0, j = area.size() - 1; i < area.size(); j = i++) {
    const auto& a = area[i];
    const auto& b = area[j];
    if ((a.y > p.y) == (b.y > p.y)) continue;
    const int side = turn(a, b, p);
    if (side == (b.y > a.y ? 1 : -1)) inside = !inside;
  }
  return inside;
}

std::size_t root_of(std::vector<std::size_t>& group, std::size_t i) noexcept {
  while (group[i] != i) i = group[i] = group[group[i]];
  return i;
}

}  // namespace

Area area_between(std::span<const geom::Vec3> left, std::span<const geom::Vec3> right) {
  const auto cm = [](double metres) {
    return static_cast<std::int64_t>(std::floor(metres * 100 + 0.5));
  };
  Area out;
  for (const auto& p : left) out.push_back({cm(p.x), cm(p.y)});
  for (auto p = right.rbegin(); p != right.rend(); ++p) {
    out.push_back({cm(p->x), cm(p->y)});
  }
  return out;
}

bool areas_touch(const Area& a, const Area& b) {
  if (a.empty() || b.empty()) return false;
  for (std::size_t i = 0, last = a.size() - 1; i < a.size(); last = i++) {
    Extent edge;
    edge.add(a[last]);
    edge.add(a[i]);
    for (std::size_t k = 0, before = b.size() - 1; k < b.size(); before = k++) {
      Extent other;
      other.add(b[before]);
      other.add(b[k]);
      if (edge.touches(other) && edges_touch(a[last], a[i], b[before], b[k]))
        return true;
    }
  }
  return is_inside(a, b[0]) || is_inside(b, a[0]);
}

std::vector<std::size_t> groups_of(std::span<const Area> areas) {
  std::vector<std::size_t> group(areas.size()), order(areas.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Extent> extents;
  for (const auto& area : areas) extents.push_back(extent_of(area));
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return extents[a].min_x < extents[b].min_x; });
  // Sweeps along x: only areas that begin before this one ends can touch it.
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto a = order[i];
    for (std::size_t k = i + 1; k < order.size(); ++k) {
      const auto b = order[k];
      if (extents[b].min_x > extents[a].max_x) break;
      const auto x = root_of(group, a), y = root_of(group, b);
      if (x == y || !extents[a].touches(extents[b])) continue;
      if (areas_touch(areas[a], areas[b])) group[std::max(x, y)] = std::min(x, y);
    }
  }
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = root_of(group, i);
  return group;
}

}  // namespace bev::convert
