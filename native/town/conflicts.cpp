#include <algorithm>
#include <cstddef>

#include "native/town/plan_parts.hpp"

namespace bev::town {
namespace {

// Minimum distance between the centre lines of two lanes used at the same time.
double clearance(const Lane& a, const Lane& b) {
  if (a.bicycle && b.bicycle) return 1.1;
  return a.bicycle || b.bicycle ? 1.9 : 2.6;
}

// Returns the distance along `b` of the last point too close to `a`; negative if none.
double last_touch(const Lane& a, const Lane& b) {
  const double near = clearance(a, b);
  const auto points_a = a.path.points(), points_b = b.path.points();
  const double step = b.path.length() / static_cast<double>(points_b.size() - 1);
  for (std::size_t j = points_b.size(); j-- > 0;) {
    for (const Vec2& point : points_a) {
      const Vec2 apart = point - points_b[j];
      if (dot(apart, apart) < near * near) return static_cast<double>(j) * step;
    }
  }
  return -1;
}

}  // namespace

void find_conflicts(Plan& plan) {
  std::vector<std::vector<int>> turns(plan.nodes.size());
  for (std::size_t i = 0; i < plan.lanes.size(); ++i) {
    const Lane& lane = plan.lanes[i];
    if (lane.kind != LaneKind::turn) continue;
    turns[static_cast<std::size_t>(lane.node)].push_back(static_cast<int>(i));
  }
  for (const auto& at_node : turns) {
    for (const int a : at_node) {
      Lane& lane = plan.lanes[static_cast<std::size_t>(a)];
      for (const int b : at_node) {
        const Lane& other = plan.lanes[static_cast<std::size_t>(b)];
        if (other.from == lane.from) continue;
        const double end = last_touch(lane, other);
        if (end >= 0) lane.conflicts.push_back({b, end + 1});
      }
    }
  }
}

}  // namespace bev::town
