#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "native/town/plan_parts.hpp"

namespace bev::town {
namespace {

constexpr double kApproach = 26;  // metres of a lane that take the colour of its light
constexpr double kStreetSpeed = 11.5, kAvenueSpeed = 14.0, kBicycleSpeed = 6.5;

int add_lanes(Plan& plan, Lane lane) {
  plan.lanes.push_back(std::move(lane));
  return static_cast<int>(plan.lanes.size()) - 1;
}

Lane& lane_of(Plan& plan, int i) {
  return plan.lanes[static_cast<std::size_t>(i)];
}

struct Arrival {
  int node, arm;
};

Arrival arrival(const Plan& plan, int road, bool forward) {
  const Road& r = plan.roads[static_cast<std::size_t>(road)];
  const int node = forward ? r.to : r.from;
  const auto& arms = plan.nodes[static_cast<std::size_t>(node)].arms;
  const auto found = std::find_if(arms.begin(), arms.end(),
                                  [&](const Arm& arm) { return arm.road == road; });
  return {node, static_cast<int>(found - arms.begin())};
}

Arm& arm_at(Plan& plan, Arrival a) {
  return plan.nodes[static_cast<std::size_t>(a.node)]
      .arms[static_cast<std::size_t>(a.arm)];
}

void lay_parking(Plan& plan, Lane beside, const Path& centre, const Widths& w) {
  if (w.parking == 0) return;
  beside.kind = LaneKind::parking;
  beside.width = w.parking;
  beside.bicycle = false;
  beside.path = centre.offset(-(w.total() - w.parking / 2));
  beside.left = -1;
  beside.speed = 0;
  add_lanes(plan, beside);
}

// Adds the lanes of one side of a road, from the centre outwards, each in two parts.
void lay_side(Plan& plan, int road_index, bool forward) {
  const Road road = plan.roads[static_cast<std::size_t>(road_index)];
  const Widths w = widths(road.avenue);
  const Path whole = road.centre.part(road.begin, road.end);
  const Path centre = forward ? whole : whole.reversed();
  const Arrival to = arrival(plan, road_index, forward);
  const Arrival back = arrival(plan, road_index, !forward);
  int inner_street = -1, inner_approach = -1;
  for (int i = 0; i <= w.lanes; ++i) {
    const bool bicycle = i == w.lanes;
    const double width = bicycle ? w.bicycle : w.lane;
    const Path line = centre.offset(-(w.lane * i + width / 2));
    const double split = std::max(line.length() / 2, line.length() - kApproach);
    Lane lane;
    lane.width = width;
    lane.bicycle = bicycle;
    lane.speed = bicycle ? kBicycleSpeed : (road.avenue ? kAvenueSpeed : kStreetSpeed);
    lane.road = road_index;
    lane.forward = forward;
    lane.node = to.node;
    lane.arm = to.arm;
    lane.path = line.part(0, split);
    lane.left = inner_street;
    const int street = add_lanes(plan, lane);
    lane.path = line.part(split, line.length());
    lane.kind = LaneKind::approach;
    lane.left = inner_approach;
    const int approach = add_lanes(plan, lane);
    lane_of(plan, street).next = {approach};
    if (inner_street >= 0) lane_of(plan, inner_street).right = street;
    if (inner_approach >= 0) lane_of(plan, inner_approach).right = approach;
    inner_street = street;
    inner_approach = approach;
    arm_at(plan, to).in.push_back(approach);
    arm_at(plan, back).out.push_back(street);
    if (bicycle) lay_parking(plan, lane, centre, w);
  }
}

Turn turn_between(const Path& in, const Path& out) {
  const Vec2 before = in.at(in.length()).direction, after = out.at(0).direction;
  const double bend = geom::atan2(cross(before, after), dot(before, after));
  if (std::fabs(bend) < 0.7) return Turn::through;
  return bend > 0 ? Turn::left : Turn::right;
}

void add_turn(Plan& plan, int from, int to, Turn turn, int exit_arm) {
  Lane lane;
  {
    const Lane& in = lane_of(plan, from);
    const Lane& out = lane_of(plan, to);
    const double stretch =
        turn == Turn::through ? 1.0 / 3 : 0.39;  // 0.39: nearly a circle
    lane.path = Path::between(in.path.at(in.path.length()), out.path.at(0), stretch);
    lane.width = std::min(in.width, out.width);
    lane.kind = LaneKind::turn;
    lane.bicycle = in.bicycle;
    lane.node = in.node;
    lane.arm = in.arm;
    lane.speed = std::min(in.speed, bend_speed(lane.path.narrowest()));
  }
  lane.exit_arm = exit_arm;
  lane.turn = turn;
  lane.from = from;
  lane.next = {to};
  const int index = add_lanes(plan, std::move(lane));
  lane_of(plan, from).next.push_back(index);
}

// Connects the lanes of two arms: through lanes to the same lanes, left turns from the
// inner lane, right turns from the outer one; bicycle lanes to bicycle lanes.
void join_arms(Plan& plan, const Node& node, int in_arm, int out_arm) {
  const Arm& in = node.arms[static_cast<std::size_t>(in_arm)];
  const Arm& out = node.arms[static_cast<std::size_t>(out_arm)];
  const std::size_t in_cars = in.in.size() - 1, out_cars = out.out.size() - 1;
  const Turn turn =
      turn_between(lane_of(plan, in.in[0]).path, lane_of(plan, out.out[0]).path);
  if (turn == Turn::through || !node.lit()) {
    for (std::size_t i = 0; i < std::min(in_cars, out_cars); ++i) {
      add_turn(plan, in.in[i], out.out[i], turn, out_arm);
    }
  } else if (turn == Turn::left) {
    add_turn(plan, in.in.front(), out.out.front(), turn, out_arm);
  } else {
    add_turn(plan, in.in[in_cars - 1], out.out[out_cars - 1], turn, out_arm);
  }
  if (turn != Turn::left || !node.lit()) {
    add_turn(plan, in.in.back(), out.out.back(), turn, out_arm);
  }
}

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

void lay_lanes(Plan& plan) {
  for (std::size_t i = 0; i < plan.roads.size(); ++i) {
    lay_side(plan, static_cast<int>(i), true);
    lay_side(plan, static_cast<int>(i), false);
  }
}

void lay_turns(Plan& plan) {
  for (const Node& node : plan.nodes) {
    const auto arms = static_cast<int>(node.arms.size());
    for (int in = 0; in < arms; ++in) {
      for (int out = 0; out < arms; ++out) {
        if (in != out) join_arms(plan, node, in, out);
      }
    }
  }
}

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
