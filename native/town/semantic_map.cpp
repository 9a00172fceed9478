#include "native/town/semantic_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "native/town/georeference.hpp"
#include "native/town/map_messages.hpp"
#include "native/town/plan.hpp"
#include "native/town/scene_maker.hpp"

namespace bev::town {
namespace {

using message::Builder;

/// Writes a MapElement, which consists of an id and one element.
template <class Fill>
void add_element(Builder<message::Fragment>& map, const std::string& id, Fill fill) {
  Builder<message::MapElement> outer(map, message::Fragment::elements);
  Builder<message::GlobalId>(outer, message::MapElement::id)
      .add_bytes(message::GlobalId::id, id);
  Builder<message::Element> element(outer, message::MapElement::element);
  fill(element);
}

template <class Outer, class Tag>
void add_id(Outer& outer, Tag tag, const std::string& id) {
  Builder<message::GlobalId>(outer, tag).add_bytes(message::GlobalId::id, id);
}

template <class Outer, class Tag>
void add_place(Outer& outer, Tag tag, PlaceE7 place) {
  Builder<message::GeoLocation> location(outer, tag);
  location.add_sfixed32(message::GeoLocation::lat_e7, place.latitude);
  location.add_sfixed32(message::GeoLocation::lng_e7, place.longitude);
}

template <class Outer, class Tag>
void add_frame(Outer& outer, Tag tag, PlaceE7 origin) {
  Builder<message::GeoFrame> frame(outer, tag);
  add_place(frame, message::GeoFrame::origin, origin);
}

/// A line as centimetre steps from the origin of a local frame.
struct Steps {
  std::vector<std::int32_t> x, y, z;
};

/// Returns a position on the ground, in world.
geom::Vec3 on_ground(Vec2 at) noexcept {
  return {at.x, at.y, ground(at)};
}

/// Returns the steps along `line`, which lies on the ground.
Steps steps(const std::vector<Vec2>& line, const geom::Affine3& local_from_world) {
  Steps out;
  const auto whole = [](double metres) {
    return static_cast<std::int32_t>(std::floor(metres * 100 + 0.5));
  };
  std::int32_t x = 0, y = 0, z = 0;
  for (const Vec2& at : line) {
    const geom::Vec3 here = local_from_world * on_ground(at);
    out.x.push_back(whole(here.x) - x);
    out.y.push_back(whole(here.y) - y);
    out.z.push_back(whole(here.z) - z);
    x += out.x.back();
    y += out.y.back();
    z += out.z.back();
  }
  return out;
}

template <class Message>
void add_steps(Builder<Message>& out, Message x, Message y, Message z,
               const Steps& line) {
  out.add_packed_sint32(x, line.x.begin(), line.x.end());
  out.add_packed_sint32(y, line.y.begin(), line.y.end());
  out.add_packed_sint32(z, line.z.begin(), line.z.end());
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

void add_crosswalk(Builder<message::Fragment>& map, const Plan& plan,
                   const Crosswalk& crosswalk) {
  const Arm& arm = plan.nodes[static_cast<std::size_t>(crosswalk.node)]
                       .arms[static_cast<std::size_t>(crosswalk.arm)];
  add_element(map, crosswalk.id, [&](Builder<message::Element>& element) {
    Builder<message::Control> out(element, message::Element::traffic_control_element);
    const PlaceE7 origin = place_at(on_ground(crosswalk.outline[0]));
    add_frame(out, message::Control::geo_frame, origin);
    const std::vector<Vec2> line(crosswalk.outline.begin(), crosswalk.outline.end());
    add_steps(
        out, message::Control::points_x_deltas_cm, message::Control::points_y_deltas_cm,
        message::Control::points_z_deltas_cm, steps(line, local_from_world(origin)));
    {
      Builder<message::Crosswalk> kind(out, message::Control::pedestrian_crosswalk);
      add_id(kind, message::Crosswalk::traffic_lights,
             plan.lights[static_cast<std::size_t>(arm.light)].id);
    }
    out.add_enum(message::Control::geometry_type, message::kPolygon);
  });
}

void add_light(Builder<message::Fragment>& map, const Plan& plan, const Light& light) {
  const Arm& arm = plan.nodes[static_cast<std::size_t>(light.node)]
                       .arms[static_cast<std::size_t>(light.arm)];
  const Road& road = plan.roads[static_cast<std::size_t>(arm.road)];
  const PlaceE7 origin = place_at(on_ground(
      plan.on_arm(light.node, light.arm, arm.setback, road.half_width + 1).at));
  add_element(map, light.id, [&](Builder<message::Element>& element) {
    Builder<message::Control> out(element, message::Element::traffic_control_element);
    add_frame(out, message::Control::geo_frame, origin);
    Builder<message::Light> kind(out, message::Control::traffic_light);
    for (const auto& face : light.faces) {
      add_id(kind, message::Light::face_states, face);
    }
  });
  constexpr message::Control kFaces[] = {message::Control::signal_red_face,
                                         message::Control::signal_green_face,
                                         message::Control::signal_yellow_face};
  for (std::size_t i = 0; i < light.faces.size(); ++i) {
    add_element(map, light.faces[i], [&](Builder<message::Element>& element) {
      Builder<message::Control> out(element, message::Element::traffic_control_element);
      add_frame(out, message::Control::geo_frame, origin);
      out.add_message(kFaces[i], std::string());
      out.add_enum(message::Control::geometry_type, message::kPoint);
    });
  }
}

void add_segment(Builder<message::Fragment>& map, const Plan& plan, std::size_t index) {
  const Road& road = plan.roads[index];
  add_element(map, road.id, [&](Builder<message::Element>& element) {
    Builder<message::Segment> out(element, message::Element::segment);
    constexpr int kPieces = 8;
    for (int i = 0; i <= kPieces; ++i) {
      const Vec2 at = road.centre.at(road.centre.length() * i / kPieces).at;
      add_place(out, message::Segment::vertices, place_at(on_ground(at)));
    }
    add_id(out, message::Segment::start_node,
           plan.nodes[static_cast<std::size_t>(road.from)].id);
    add_id(out, message::Segment::end_node,
           plan.nodes[static_cast<std::size_t>(road.to)].id);
    double speed = 0;
    for (const Lane& lane : plan.lanes) {
      if (lane.road == static_cast<int>(index)) speed = std::max(speed, lane.speed);
    }
    out.add_float(message::Segment::speed_limit_meters_per_second,
                  static_cast<float>(speed));
    for (const Lane& lane : plan.lanes) {
      if (lane.road != static_cast<int>(index)) continue;
      add_id(out, message::Segment::lanes, lane.id);
    }
  });
}

void add_junction(Builder<message::Fragment>& map, const Plan& plan,
                  std::size_t index) {
  const Node& node = plan.nodes[index];
  add_element(map, node.junction_id, [&](Builder<message::Element>& element) {
    Builder<message::Junction> out(element, message::Element::junction);
    add_id(out, message::Junction::road_network_nodes, node.id);
    for (const Light& light : plan.lights) {
      if (light.node != static_cast<int>(index)) continue;
      add_id(out, message::Junction::traffic_control_elements, light.id);
    }
    for (const Crosswalk& crosswalk : plan.crosswalks) {
      if (crosswalk.node != static_cast<int>(index)) continue;
      add_id(out, message::Junction::traffic_control_elements, crosswalk.id);
    }
    for (const Lane& lane : plan.lanes) {
      if (lane.kind != LaneKind::turn || lane.node != static_cast<int>(index)) continue;
      add_id(out, message::Junction::lanes, lane.id);
    }
    out.add_bool(message::Junction::is_non_trivial_intersection, node.lit());
  });
}

void add_node(Builder<message::Fragment>& map, const Plan& plan, const Node& node) {
  add_element(map, node.id, [&](Builder<message::Element>& element) {
    Builder<message::NetworkNode> out(element, message::Element::node);
    add_place(out, message::NetworkNode::location, place_at(on_ground(node.at)));
    for (const Arm& arm : node.arms) {
      add_id(out, message::NetworkNode::road_segments,
             plan.roads[static_cast<std::size_t>(arm.road)].id);
    }
    add_id(out, message::NetworkNode::junction, node.junction_id);
  });
}

}  // namespace

std::string semantic_map(const Plan& plan) {
  std::string bytes;
  Builder<message::Fragment> map(bytes);
  map.add_string(message::Fragment::name, "town");
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
  return bytes;
}

}  // namespace bev::town
