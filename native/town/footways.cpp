#include <array>
#include <cstddef>
#include <vector>

#include "native/town/plan_parts.hpp"

namespace bev::town {
namespace {

constexpr double kCrosswalkNear = 5.2, kCrosswalkFar = 1.6;  // before the stop line
constexpr double kWalk = 1.5;  // from the curb to the pedestrians' path

const Road& road_of(const Plan& plan, const Arm& arm) {
  return plan.roads[static_cast<std::size_t>(arm.road)];
}

double crossing(const Arm& arm) {
  return arm.setback - (kCrosswalkNear + kCrosswalkFar) / 2;
}

void paint_crosswalk(Plan& plan, int node_index, int arm_index) {
  Arm& arm = plan.nodes[static_cast<std::size_t>(node_index)]
                 .arms[static_cast<std::size_t>(arm_index)];
  const double half = road_of(plan, arm).half_width - 0.2;
  Crosswalk crosswalk;
  crosswalk.node = node_index;
  crosswalk.arm = arm_index;
  const double near = arm.setback - kCrosswalkNear, far = arm.setback - kCrosswalkFar;
  const auto place = [&](double along, double left) {
    return plan.on_arm(node_index, arm_index, along, left).at;
  };
  crosswalk.outline = {place(near, half), place(near, -half), place(far, -half),
                       place(far, half)};
  arm.crosswalk = static_cast<int>(plan.crosswalks.size());
  plan.crosswalks.push_back(crosswalk);
  Light light;
  light.node = node_index;
  light.arm = arm_index;
  arm.light = static_cast<int>(plan.lights.size());
  plan.lights.push_back(light);
}

// Numbers of the corners, two per arm. The first is left of the outward direction.
class Corners {
 public:
  explicit Corners(const Plan& plan) {
    int count = 0;
    for (const Node& node : plan.nodes) {
      first_.push_back(count);
      count += 2 * static_cast<int>(node.arms.size());
    }
    count_ = static_cast<std::size_t>(count);
  }
  int of(int node, int arm, bool left) const {
    return first_[static_cast<std::size_t>(node)] + 2 * arm + (left ? 0 : 1);
  }
  std::size_t count() const { return count_; }

 private:
  std::vector<int> first_;
  std::size_t count_ = 0;
};

int add(Plan& plan, Footway way) {
  plan.footways.push_back(std::move(way));
  return static_cast<int>(plan.footways.size()) - 1;
}

FootCorner& corner(Plan& plan, int i) {
  return plan.corners[static_cast<std::size_t>(i)];
}

void add_crossing(Plan& plan, const Corners& corners, int node, int arm) {
  const Arm& a =
      plan.nodes[static_cast<std::size_t>(node)].arms[static_cast<std::size_t>(arm)];
  if (a.crosswalk < 0) return;
  const double side = road_of(plan, a).half_width + kWalk;
  Footway way;
  const std::array<Vec2, 2> ends = {plan.on_arm(node, arm, crossing(a), side).at,
                                    plan.on_arm(node, arm, crossing(a), -side).at};
  way.path = Path(ends);
  way.kind = FootKind::crosswalk;
  way.crosswalk = a.crosswalk;
  way.ends = {corners.of(node, arm, true), corners.of(node, arm, false)};
  const int index = add(plan, way);
  corner(plan, way.ends[0]).crosswalk = index;
  corner(plan, way.ends[1]).crosswalk = index;
}

// Adds the footway around a corner, from the left side of one arm to the right side of the next.
void add_corner(Plan& plan, const Corners& corners, int node, int arm) {
  const Node& n = plan.nodes[static_cast<std::size_t>(node)];
  const int next = (arm + 1) % static_cast<int>(n.arms.size());
  const Arm& a = n.arms[static_cast<std::size_t>(arm)];
  const Arm& b = n.arms[static_cast<std::size_t>(next)];
  Pose from = plan.on_arm(node, arm, crossing(a), road_of(plan, a).half_width + kWalk);
  Pose to =
      plan.on_arm(node, next, crossing(b), -(road_of(plan, b).half_width + kWalk));
  from.direction = -1 * from.direction;
  Footway way;
  way.kind = FootKind::corner;
  way.path = Path::between(from, to, 0.42);
  way.ends = {corners.of(node, arm, true), corners.of(node, next, false)};
  const int index = add(plan, way);
  corner(plan, way.ends[0]).around = index;
  corner(plan, way.ends[1]).around = index;
}

void add_sidewalk(Plan& plan, const Corners& corners, std::size_t road_index,
                  bool left) {
  const Road& road = plan.roads[road_index];
  const auto arm_at = [&](int node) {
    const auto& arms = plan.nodes[static_cast<std::size_t>(node)].arms;
    int i = 0;
    while (arms[static_cast<std::size_t>(i)].road != static_cast<int>(road_index)) ++i;
    return i;
  };
  const int from_arm = arm_at(road.from), to_arm = arm_at(road.to);
  const auto distance = [&](int node, int arm) {
    return crossing(
        plan.nodes[static_cast<std::size_t>(node)].arms[static_cast<std::size_t>(arm)]);
  };
  const double side = (left ? 1 : -1) * (road.half_width + kWalk);
  Footway way;
  way.path = road.centre
                 .part(distance(road.from, from_arm),
                       road.centre.length() - distance(road.to, to_arm))
                 .offset(side);
  way.ends = {corners.of(road.from, from_arm, left),
              corners.of(road.to, to_arm, !left)};
  const int index = add(plan, way);
  corner(plan, way.ends[0]).sidewalk = index;
  corner(plan, way.ends[1]).sidewalk = index;
}

}  // namespace

void lay_footways(Plan& plan) {
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    if (!plan.nodes[i].lit()) continue;
    for (std::size_t arm = 0; arm < plan.nodes[i].arms.size(); ++arm) {
      paint_crosswalk(plan, static_cast<int>(i), static_cast<int>(arm));
    }
  }
  const Corners corners(plan);
  plan.corners.resize(corners.count());
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    for (std::size_t arm = 0; arm < plan.nodes[i].arms.size(); ++arm) {
      add_crossing(plan, corners, static_cast<int>(i), static_cast<int>(arm));
      add_corner(plan, corners, static_cast<int>(i), static_cast<int>(arm));
    }
  }
  for (std::size_t i = 0; i < plan.roads.size(); ++i) {
    add_sidewalk(plan, corners, i, true);
    add_sidewalk(plan, corners, i, false);
  }
}

}  // namespace bev::town
