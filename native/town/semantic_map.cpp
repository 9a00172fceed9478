#include "native/town/semantic_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/map/map_writer.hpp"
#include "native/town/georeference.hpp"
#include "native/town/plan.hpp"
#include "native/town/scene_maker.hpp"

namespace bev::town {
namespace {

/// Returns a position on the ground, in world.
geom::Vec3 on_ground(Vec2 at) noexcept {
  return {at.x, at.y, ground(at)};
}

/// Returns the steps along `line`, which lies on the ground.
map::RawLine steps(const std::vector<Vec2>& line,
                   const geom::Affine3& local_from_world) {
  std::vector<geom::Vec3> points;
  points.reserve(line.size());
  for (const Vec2& at : line) points.push_back(on_ground(at));
  return map::steps_along(points, local_from_world);
}

// Returns an edge of a lane: points a few metres apart along streets, closer through
// nodes.
std::vector<Vec2> edge(const Lane& lane, double left) {
  const double spacing = lane.kind == LaneKind::turn ? 1.2 : 5;
  const auto pieces = static_cast<int>(std::ceil(lane.path.length() / spacing));
  std::vector<Vec2> out;
  for (int i = 0; i <= pieces; ++i) {
    out.push_back(lane.path.beside(lane.path.length() * i / pieces, left));
  }
  return out;
}

struct Dividers {
  map::Divider left, right;
};

Dividers dividers(const Plan& plan, const Lane& lane) {
  using enum map::Divider;
  if (lane.kind == LaneKind::turn) return {none, none};
  if (lane.kind == LaneKind::parking) return {single_white_solid, curb};
  const bool avenue = plan.roads[static_cast<std::size_t>(lane.road)].avenue;
  if (lane.bicycle) return {single_white_solid, avenue ? curb : single_white_solid};
  const bool inner = lane.left < 0;
  const bool outer = plan.lanes[static_cast<std::size_t>(lane.right)].bicycle;
  return {inner ? double_yellow_solid : single_white_dashed,
          outer ? single_white_solid : single_white_dashed};
}

map::RawBoundary boundary(const Lane& lane, double left, map::Divider divider,
                          const geom::Affine3& local) {
  return {steps(edge(lane, left), local), {static_cast<std::uint64_t>(divider)}, {}};
}

// Returns the light that controls a lane, or null.
const Light* light_of(const Plan& plan, const Lane& lane) {
  if (lane.kind != LaneKind::turn && lane.kind != LaneKind::approach) return nullptr;
  const Arm& arm = plan.nodes[static_cast<std::size_t>(lane.node)]
                       .arms[static_cast<std::size_t>(lane.arm)];
  return arm.light < 0 ? nullptr : &plan.lights[static_cast<std::size_t>(arm.light)];
}

map::Turn turn_type(Turn turn) {
  switch (turn) {
    case Turn::through: return map::Turn::through;
    case Turn::left: return map::Turn::left;
    case Turn::right: return map::Turn::right;
  }
  return map::Turn::unknown;
}

void add_links(map::RawLane& out, const Plan& plan, const Lane& lane) {
  const auto id_of = [&](int i) { return plan.lanes[static_cast<std::size_t>(i)].id; };
  const auto car_lane = [&](int i) {
    return i >= 0 && !lane.bicycle && !plan.lanes[static_cast<std::size_t>(i)].bicycle;
  };
  for (const int next : lane.next) out.lanes_ahead.push_back(id_of(next));
  if (car_lane(lane.left)) out.adjacent_left = id_of(lane.left);
  if (car_lane(lane.right)) out.adjacent_right = id_of(lane.right);
  if (const Light* light = light_of(plan, lane)) {
    out.traffic_controls.push_back(light->id);
    for (const auto& face : light->faces) out.traffic_controls.push_back(face);
  }
  if (lane.turn != Turn::left) return;
  for (const Conflict& conflict : lane.conflicts) {
    const Lane& other = plan.lanes[static_cast<std::size_t>(conflict.other)];
    if (other.turn == Turn::through && !other.bicycle) {
      out.yield_to_lanes.push_back(other.id);
    }
  }
}

void add_lane(map::MapWriter& map, const Plan& plan, const Lane& lane) {
  const bool turn = lane.kind == LaneKind::turn;
  map::RawLane out;
  out.parent = turn ? plan.nodes[static_cast<std::size_t>(lane.node)].junction_id
                    : plan.roads[static_cast<std::size_t>(lane.road)].id;
  out.frame = place_at(on_ground(lane.path.at(0).at));
  const geom::Affine3 local = local_from_world(out.frame);
  const Dividers kinds = dividers(plan, lane);
  out.left = boundary(lane, lane.width / 2, kinds.left, local);
  out.right = boundary(lane, -lane.width / 2, kinds.right, local);
  add_links(out, plan, lane);
  out.can_have_parked_cars = lane.kind == LaneKind::parking;
  out.access = static_cast<std::uint64_t>(lane.bicycle ? map::Access::only_bike
                                                       : map::Access::no_restriction);
  if (turn) {
    out.turn = static_cast<std::uint64_t>(turn_type(lane.turn));
  } else {
    out.orientation =
        static_cast<std::uint64_t>(lane.forward ? map::Orientation::one_way_forward
                                                : map::Orientation::one_way_backward);
  }
  map.add(lane.id, out);
}

void add_crosswalk(map::MapWriter& map, const Plan& plan, const Crosswalk& crosswalk) {
  const Arm& arm = plan.nodes[static_cast<std::size_t>(crosswalk.node)]
                       .arms[static_cast<std::size_t>(crosswalk.arm)];
  const std::vector<Vec2> line(crosswalk.outline.begin(), crosswalk.outline.end());
  map::CrosswalkRecord out;
  out.frame = place_at(on_ground(crosswalk.outline[0]));
  out.outline = steps(line, local_from_world(out.frame));
  out.lights = {plan.lights[static_cast<std::size_t>(arm.light)].id};
  map.add(crosswalk.id, out);
}

void add_light(map::MapWriter& map, const Plan& plan, const Light& light) {
  const Arm& arm = plan.nodes[static_cast<std::size_t>(light.node)]
                       .arms[static_cast<std::size_t>(light.arm)];
  const Road& road = plan.roads[static_cast<std::size_t>(arm.road)];
  const map::RawFrame origin = place_at(on_ground(
      plan.on_arm(light.node, light.arm, arm.setback, road.half_width + 1).at));
  map.add(light.id, map::LightRecord{origin, {light.faces.begin(), light.faces.end()}});
  for (std::size_t i = 0; i < light.faces.size(); ++i) {
    map.add(light.faces[i], map::FaceRecord{origin, static_cast<map::Colour>(i)});
  }
}

void add_segment(map::MapWriter& map, const Plan& plan, std::size_t index) {
  const Road& road = plan.roads[index];
  map::SegmentRecord out;
  constexpr int kPieces = 8;
  for (int i = 0; i <= kPieces; ++i) {
    const Vec2 at = road.centre.at(road.centre.length() * i / kPieces).at;
    out.vertices.push_back(place_at(on_ground(at)));
  }
  out.start_node = plan.nodes[static_cast<std::size_t>(road.from)].id;
  out.end_node = plan.nodes[static_cast<std::size_t>(road.to)].id;
  double speed = 0;
  for (const Lane& lane : plan.lanes) {
    if (lane.road != static_cast<int>(index)) continue;
    speed = std::max(speed, lane.speed);
    out.lanes.push_back(lane.id);
  }
  out.speed_limit_mps = static_cast<float>(speed);
  map.add(road.id, out);
}

void add_junction(map::MapWriter& map, const Plan& plan, std::size_t index) {
  const Node& node = plan.nodes[index];
  map::JunctionRecord out;
  out.nodes = {node.id};
  for (const Light& light : plan.lights) {
    if (light.node == static_cast<int>(index)) out.controls.push_back(light.id);
  }
  for (const Crosswalk& crosswalk : plan.crosswalks) {
    if (crosswalk.node == static_cast<int>(index)) {
      out.controls.push_back(crosswalk.id);
    }
  }
  for (const Lane& lane : plan.lanes) {
    if (lane.kind == LaneKind::turn && lane.node == static_cast<int>(index)) {
      out.lanes.push_back(lane.id);
    }
  }
  out.is_non_trivial_intersection = node.lit();
  map.add(node.junction_id, out);
}

void add_node(map::MapWriter& map, const Plan& plan, const Node& node) {
  map::NodeRecord out;
  out.location = place_at(on_ground(node.at));
  for (const Arm& arm : node.arms) {
    out.segments.push_back(plan.roads[static_cast<std::size_t>(arm.road)].id);
  }
  out.junction = node.junction_id;
  map.add(node.id, out);
}

}  // namespace

std::string semantic_map(const Plan& plan) {
  map::MapWriter map("town");
  for (const Lane& lane : plan.lanes) add_lane(map, plan, lane);
  for (const Crosswalk& crosswalk : plan.crosswalks) {
    add_crosswalk(map, plan, crosswalk);
  }
  for (const Light& light : plan.lights) add_light(map, plan, light);
  for (std::size_t i = 0; i < plan.roads.size(); ++i) add_segment(map, plan, i);
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    add_node(map, plan, plan.nodes[i]);
    add_junction(map, plan, i);
  }
  return map.bytes();
}

}  // namespace bev::town
