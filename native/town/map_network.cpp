#include <algorithm>
#include <cstddef>

#include "native/town/map_writing.hpp"

namespace bev::town {
namespace {

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

void add_segments(Builder<message::Fragment>& map, const Plan& plan) {
  for (std::size_t i = 0; i < plan.roads.size(); ++i) add_segment(map, plan, i);
}

void add_nodes(Builder<message::Fragment>& map, const Plan& plan) {
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    add_node(map, plan, plan.nodes[i]);
    add_junction(map, plan, i);
  }
}

}  // namespace bev::town
