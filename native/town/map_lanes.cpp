#include <cmath>
#include <cstdint>
#include <iterator>

#include "native/town/map_writing.hpp"

namespace bev::town {
namespace {

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
  message::Divider left, right;
};

Dividers dividers(const Plan& plan, const Lane& lane) {
  if (lane.kind == LaneKind::turn) return {message::none, message::none};
  if (lane.kind == LaneKind::parking)
    return {message::single_white_solid, message::curb};
  const bool avenue = plan.roads[static_cast<std::size_t>(lane.road)].avenue;
  if (lane.bicycle) {
    return {message::single_white_solid,
            avenue ? message::curb : message::single_white_solid};
  }
  const bool inner = lane.left < 0;
  const bool outer = plan.lanes[static_cast<std::size_t>(lane.right)].bicycle;
  return {inner ? message::double_yellow_solid : message::single_white_dashed,
          outer ? message::single_white_solid : message::single_white_dashed};
}

void add_boundary(Builder<message::Lane>& out, message::Lane tag, const Lane& lane,
                  double left, message::Divider divider, const geom::Affine3& local) {
  Builder<message::Boundary> boundary(out, tag);
  add_steps(boundary, message::Boundary::vertex_deltas_x_cm,
            message::Boundary::vertex_deltas_y_cm,
            message::Boundary::vertex_deltas_z_cm, steps(edge(lane, left), local));
  const std::int32_t kinds[] = {divider};
  boundary.add_packed_enum(message::Boundary::divider_type, std::begin(kinds),
                           std::end(kinds));
}

// Returns the light that controls a lane, or null.
const Light* light_of(const Plan& plan, const Lane& lane) {
  if (lane.kind != LaneKind::turn && lane.kind != LaneKind::approach) return nullptr;
  const Arm& arm = plan.nodes[static_cast<std::size_t>(lane.node)]
                       .arms[static_cast<std::size_t>(lane.arm)];
  return arm.light < 0 ? nullptr : &plan.lights[static_cast<std::size_t>(arm.light)];
}

int turn_type(Turn turn) {
  switch (turn) {
    case Turn::through: return 1;
    case Turn::left: return 2;
    case Turn::right: return 4;
  }
  return 0;
}

void add_links(Builder<message::Lane>& out, const Plan& plan, const Lane& lane) {
  const auto id_of = [&](int i) { return plan.lanes[static_cast<std::size_t>(i)].id; };
  const auto car_lane = [&](int i) {
    return i >= 0 && !lane.bicycle && !plan.lanes[static_cast<std::size_t>(i)].bicycle;
  };
  for (const int next : lane.next) add_id(out, message::Lane::lanes_ahead, id_of(next));
  if (car_lane(lane.left)) {
    add_id(out, message::Lane::adjacent_lane_change_left, id_of(lane.left));
  }
  if (car_lane(lane.right)) {
    add_id(out, message::Lane::adjacent_lane_change_right, id_of(lane.right));
  }
  if (const Light* light = light_of(plan, lane)) {
    add_id(out, message::Lane::traffic_controls, light->id);
    for (const auto& face : light->faces) {
      add_id(out, message::Lane::traffic_controls, face);
    }
  }
  if (lane.turn != Turn::left) return;
  for (const Conflict& conflict : lane.conflicts) {
    const Lane& other = plan.lanes[static_cast<std::size_t>(conflict.other)];
    if (other.turn == Turn::through && !other.bicycle) {
      add_id(out, message::Lane::yield_to_lanes, other.id);
    }
  }
}

void add_lane(Builder<message::Fragment>& map, const Plan& plan, const Lane& lane) {
  const bool turn = lane.kind == LaneKind::turn;
  const std::string& parent =
      turn ? plan.nodes[static_cast<std::size_t>(lane.node)].junction_id
           : plan.roads[static_cast<std::size_t>(lane.road)].id;
  add_element(map, lane.id, [&](Builder<message::Element>& element) {
    Builder<message::Lane> out(element, message::Element::lane);
    add_id(out, message::Lane::parent_segment_or_junction, parent);
    const PlaceE7 origin = place_at(on_ground(lane.path.at(0).at));
    const geom::Affine3 local = local_from_world(origin);
    add_frame(out, message::Lane::geo_frame, origin);
    const Dividers kinds = dividers(plan, lane);
    add_boundary(out, message::Lane::left_boundary, lane, lane.width / 2, kinds.left,
                 local);
    add_boundary(out, message::Lane::right_boundary, lane, -lane.width / 2, kinds.right,
                 local);
    add_links(out, plan, lane);
    out.add_bool(message::Lane::can_have_parked_cars, lane.kind == LaneKind::parking);
    {
      Builder<message::Access> access(out, message::Lane::access_restriction);
      access.add_enum(message::Access::type,
                      lane.bicycle ? message::kOnlyBike : message::kNoRestriction);
    }
    if (turn) {
      out.add_enum(message::Lane::turn_type_in_parent_junction, turn_type(lane.turn));
    } else {
      out.add_enum(message::Lane::orientation_in_parent_segment,
                   lane.forward ? message::kOneWayForward : message::kOneWayBackward);
    }
  });
}

}  // namespace

void add_lanes(Builder<message::Fragment>& map, const Plan& plan) {
  for (const Lane& lane : plan.lanes) add_lane(map, plan, lane);
}

}  // namespace bev::town
