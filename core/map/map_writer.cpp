#include "core/map/map_writer.hpp"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/map/map_messages.hpp"

namespace bev::map {
namespace {

using message::Builder;

// A third of the range of 32-bit steps; more than half way around the Earth.
constexpr double kFarthestM = 2.1e7;

template <class Outer, class Tag>
void add_id(Outer& outer, Tag tag, const std::string& id) {
  Builder<message::GlobalId>(outer, tag).add_bytes(message::GlobalId::id, id);
}

template <class Outer, class Tag>
void add_ids(Outer& outer, Tag tag, const std::vector<std::string>& ids) {
  for (const auto& id : ids) add_id(outer, tag, id);
}

template <class Outer, class Tag>
void add_place(Outer& outer, Tag tag, const RawFrame& place) {
  Builder<message::GeoLocation> location(outer, tag);
  location.add_sfixed32(message::GeoLocation::lat_e7, place.lat_e7);
  location.add_sfixed32(message::GeoLocation::lng_e7, place.lng_e7);
}

template <class Outer, class Tag>
void add_frame(Outer& outer, Tag tag, const RawFrame& frame) {
  Builder<message::GeoFrame> inner(outer, tag);
  add_place(inner, message::GeoFrame::origin, frame);
}

void add_boundary(Builder<message::Lane>& lane, message::Lane tag,
                  const RawBoundary& boundary) {
  using message::Boundary;
  Builder<Boundary> out(lane, tag);
  const auto& line = boundary.line;
  out.add_packed_sint32(Boundary::vertex_deltas_x_cm, line.dx_cm.begin(),
                        line.dx_cm.end());
  out.add_packed_sint32(Boundary::vertex_deltas_y_cm, line.dy_cm.begin(),
                        line.dy_cm.end());
  out.add_packed_sint32(Boundary::vertex_deltas_z_cm, line.dz_cm.begin(),
                        line.dz_cm.end());
  const std::vector<std::int32_t> dividers(boundary.dividers.begin(),
                                           boundary.dividers.end());
  out.add_packed_enum(Boundary::divider_type, dividers.begin(), dividers.end());
  out.add_packed_int32(Boundary::type_change_point_cm,
                       boundary.type_change_point_cm.begin(),
                       boundary.type_change_point_cm.end());
}

void add_points(Builder<message::Control>& control, const RawLine& line) {
  using message::Control;
  control.add_packed_sint32(Control::points_x_deltas_cm, line.dx_cm.begin(),
                            line.dx_cm.end());
  control.add_packed_sint32(Control::points_y_deltas_cm, line.dy_cm.begin(),
                            line.dy_cm.end());
  control.add_packed_sint32(Control::points_z_deltas_cm, line.dz_cm.begin(),
                            line.dz_cm.end());
}

std::size_t numbers_of(const RawBoundary& boundary) {
  return 3 * boundary.line.dx_cm.size() + boundary.dividers.size() +
         boundary.type_change_point_cm.size();
}

nlohmann::json matrix(const geom::Affine3& map) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& row : map.rows) out.push_back(row);
  out.push_back({0.0, 0.0, 0.0, 1.0});
  return out;
}

void append_step(std::vector<std::int32_t>& steps, double metres, std::int32_t& at) {
  if (!(std::abs(metres) <= kFarthestM)) {
    fail(Errc::invalid_argument, {"map: point ", steps.size(),
                                  " of a line is not within 21000 km of its frame"});
  }
  const auto cm = static_cast<std::int64_t>(std::floor(metres * 100 + 0.5));
  // Both are within 2.1e9, but their difference need not be.
  const auto step = cm - at;
  if (step != static_cast<std::int32_t>(step)) {
    fail(Errc::invalid_argument,
         {"map: step ", steps.size(), " of a line is too long"});
  }
  steps.push_back(static_cast<std::int32_t>(step));
  at = static_cast<std::int32_t>(cm);
}

}  // namespace

RawLine steps_along(std::span<const geom::Vec3> line,
                    const geom::Affine3& local_from_world) {
  RawLine out;
  std::int32_t x = 0, y = 0, z = 0;
  for (const auto& point : line) {
    const geom::Vec3 local = local_from_world * point;
    append_step(out.dx_cm, local.x, x);
    append_step(out.dy_cm, local.y, y);
    append_step(out.dz_cm, local.z, z);
  }
  return out;
}

MapWriter::MapWriter(std::string_view name, const Limits& limits) : limits_(limits) {
  Builder<message::Fragment> map(bytes_);
  map.add_string(message::Fragment::name, name.data(), name.size());
}

std::string MapWriter::take() {
  taken_ += bytes_.size();
  return std::exchange(bytes_, {});
}

/// Writes a MapElement, which consists of an id and one element.
template <class Fill>
void MapWriter::add_element(const std::string& id, Fill fill) {
  if (++elements_ > limits_.elements) {
    fail(Errc::limit_exceeded,
         {"map: too many elements (expected at most ", limits_.elements, ")"});
  }
  {
    Builder<message::Fragment> map(bytes_);
    Builder<message::MapElement> outer(map, message::Fragment::elements);
    add_id(outer, message::MapElement::id, id);
    Builder<message::Element> element(outer, message::MapElement::element);
    fill(element);
  }
  if (bytes_.size() > limits_.bytes - taken_) {
    fail(Errc::limit_exceeded,
         {"map: too large (expected at most ", limits_.bytes, " bytes)"});
  }
}

void MapWriter::count_contents(std::size_t numbers, std::size_t references) {
  numbers_ += numbers;
  references_ += references;
  if (numbers_ > limits_.numbers) {
    fail(Errc::limit_exceeded,
         {"map: too many coordinates (expected at most ", limits_.numbers, ")"});
  }
  if (references_ > limits_.references) {
    fail(Errc::limit_exceeded,
         {"map: too many references (expected at most ", limits_.references, ")"});
  }
}

void MapWriter::add(const std::string& id, const RawLane& lane) {
  using message::Lane;
  count_contents(
      numbers_of(lane.left) + numbers_of(lane.right) + numbers_of(lane.centre),
      lane.lanes_ahead.size() + lane.traffic_controls.size() +
          lane.yield_to_lanes.size());
  add_element(id, [&](Builder<message::Element>& element) {
    Builder<Lane> out(element, message::Element::lane);
    if (!lane.parent.empty()) {
      add_id(out, Lane::parent_segment_or_junction, lane.parent);
    }
    add_frame(out, Lane::geo_frame, lane.frame);
    add_boundary(out, Lane::left_boundary, lane.left);
    add_boundary(out, Lane::right_boundary, lane.right);
    add_ids(out, Lane::lanes_ahead, lane.lanes_ahead);
    if (!lane.adjacent_left.empty()) {
      add_id(out, Lane::adjacent_lane_change_left, lane.adjacent_left);
    }
    if (!lane.adjacent_right.empty()) {
      add_id(out, Lane::adjacent_lane_change_right, lane.adjacent_right);
    }
    add_ids(out, Lane::traffic_controls, lane.traffic_controls);
    add_ids(out, Lane::yield_to_lanes, lane.yield_to_lanes);
    out.add_bool(Lane::can_have_parked_cars, lane.can_have_parked_cars);
    {
      Builder<message::Access> access(out, Lane::access_restriction);
      access.add_enum(message::Access::type, static_cast<std::int32_t>(lane.access));
    }
    if (lane.orientation != 0) {
      out.add_enum(Lane::orientation_in_parent_segment,
                   static_cast<std::int32_t>(lane.orientation));
    }
    if (lane.turn != 0) {
      out.add_enum(Lane::turn_type_in_parent_junction,
                   static_cast<std::int32_t>(lane.turn));
    }
    if (!lane.centre.line.dx_cm.empty()) {
      add_boundary(out, Lane::centre_line, lane.centre);
    }
  });
}

void MapWriter::add(const std::string& id, const CrosswalkRecord& crosswalk) {
  using message::Control;
  count_contents(3 * crosswalk.outline.dx_cm.size(), crosswalk.lights.size());
  add_element(id, [&](Builder<message::Element>& element) {
    Builder<Control> out(element, message::Element::traffic_control_element);
    add_frame(out, Control::geo_frame, crosswalk.frame);
    add_points(out, crosswalk.outline);
    std::string kind;
    {
      Builder<message::Crosswalk> inner(kind);
      add_ids(inner, message::Crosswalk::traffic_lights, crosswalk.lights);
    }
    out.add_message(Control::pedestrian_crosswalk, kind);  // also if it is empty
    out.add_enum(Control::geometry_type, message::kPolygon);
  });
}

void MapWriter::add(const std::string& id, const LightRecord& light) {
  using message::Control;
  count_contents(3 * light.position.dx_cm.size(), light.faces.size());
  add_element(id, [&](Builder<message::Element>& element) {
    Builder<Control> out(element, message::Element::traffic_control_element);
    add_frame(out, Control::geo_frame, light.frame);
    add_points(out, light.position);
    std::string kind;
    {
      Builder<message::Light> inner(kind);
      add_ids(inner, message::Light::face_states, light.faces);
    }
    out.add_message(Control::traffic_light, kind);
  });
}

void MapWriter::add(const std::string& id, const FaceRecord& face) {
  using message::Control;
  const auto tag = [&] {
    switch (face.colour) {
      case Colour::red: return Control::signal_red_face;
      case Colour::green: return Control::signal_green_face;
      case Colour::yellow: break;
    }
    return Control::signal_yellow_face;
  }();
  add_element(id, [&](Builder<message::Element>& element) {
    Builder<Control> out(element, message::Element::traffic_control_element);
    add_frame(out, Control::geo_frame, face.frame);
    out.add_message(tag, std::string());
    out.add_enum(Control::geometry_type, message::kPoint);
  });
}

void MapWriter::add(const std::string& id, const SegmentRecord& segment) {
  using message::Segment;
  count_contents(0, segment.lanes.size());
  add_element(id, [&](Builder<message::Element>& element) {
    std::string bytes;
    {
      Builder<Segment> out(bytes);
      for (const auto& place : segment.vertices) {
        add_place(out, Segment::vertices, place);
      }
      if (!segment.start_node.empty()) {
        add_id(out, Segment::start_node, segment.start_node);
      }
      if (!segment.end_node.empty()) add_id(out, Segment::end_node, segment.end_node);
      if (segment.speed_limit_mps != 0) {
        out.add_float(Segment::speed_limit_meters_per_second, segment.speed_limit_mps);
      }
      add_ids(out, Segment::lanes, segment.lanes);
    }
    element.add_message(message::Element::segment, bytes);
  });
}

void MapWriter::add(const std::string& id, const JunctionRecord& junction) {
  using message::Junction;
  count_contents(0, junction.lanes.size() + junction.controls.size());
  add_element(id, [&](Builder<message::Element>& element) {
    Builder<Junction> out(element, message::Element::junction);
    add_ids(out, Junction::road_network_nodes, junction.nodes);
    add_ids(out, Junction::traffic_control_elements, junction.controls);
    add_ids(out, Junction::lanes, junction.lanes);
    out.add_bool(Junction::is_non_trivial_intersection,
                 junction.is_non_trivial_intersection);
  });
}

void MapWriter::add(const std::string& id, const NodeRecord& node) {
  using message::NetworkNode;
  add_element(id, [&](Builder<message::Element>& element) {
    Builder<NetworkNode> out(element, message::Element::node);
    add_place(out, NetworkNode::location, node.location);
    add_ids(out, NetworkNode::road_segments, node.segments);
    if (!node.junction.empty()) add_id(out, NetworkNode::junction, node.junction);
  });
}

std::string meta_json(const geom::Affine3& ecef_from_world,
                      const std::optional<geom::Affine3>& aerial_from_ecef,
                      std::span<const MapPart> parts) {
  nlohmann::json meta = {{"world_to_ecef", matrix(ecef_from_world)}};
  if (aerial_from_ecef) meta["ecef_to_aerial"] = matrix(*aerial_from_ecef);
  for (const auto& [begin, end, area] : parts) {
    auto& out = meta["map_parts"];
    out["ends"].push_back(end);
    out["areas"].push_back({area.min_x, area.min_y, area.max_x, area.max_y});
  }
  return meta.dump(1) + "\n";
}

}  // namespace bev::map
