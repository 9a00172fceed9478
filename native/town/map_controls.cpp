#include <cstddef>

#include "native/town/map_writing.hpp"

namespace bev::town {
namespace {

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

}  // namespace

void add_crosswalks(Builder<message::Fragment>& map, const Plan& plan) {
  for (const Crosswalk& crosswalk : plan.crosswalks)
    add_crosswalk(map, plan, crosswalk);
}

void add_lights(Builder<message::Fragment>& map, const Plan& plan) {
  for (const Light& light : plan.lights) add_light(map, plan, light);
}

}  // namespace bev::town
