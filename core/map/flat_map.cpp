#include "core/map/flat_map.hpp"

namespace bev::map {
namespace {

// The limits of a map keep all of these below 2^32.
template <class List>
std::uint32_t size32(const List& list) {
  return static_cast<std::uint32_t>(list.size());
}

std::uint8_t first_divider(const Boundary& boundary) {
  return boundary.dividers.empty()
             ? std::uint8_t{0}
             : static_cast<std::uint8_t>(boundary.dividers.front());
}

void add_lane(FlatMap& out, const Lane& lane, const SemanticMap& map) {
  out.lane_id.add(lane.id);
  out.left.add(lane.left.points);
  out.right.add(lane.right.points);
  out.left_divider.push_back(first_divider(lane.left));
  out.right_divider.push_back(first_divider(lane.right));
  for (const auto& control : lane.traffic_controls) out.controls.add(control);
  out.controls_first.push_back(size32(out.controls.offsets) - 1);
  for (const auto& id : lane.lanes_ahead) {
    if (const auto row = map.lane_row(id)) out.ahead.rows.push_back(*row);
  }
  out.ahead.first.push_back(size32(out.ahead.rows));
  out.in_junction.push_back(lane.in_junction ? 1 : 0);
  out.turn.push_back(static_cast<std::uint8_t>(lane.turn));
  out.access.push_back(static_cast<std::uint8_t>(lane.access));
}

}  // namespace

void FlatText::add(std::string_view text) {
  utf8 += text;
  offsets.push_back(size32(utf8));
}

void FlatLines::add(const std::vector<geom::Vec3>& line) {
  for (const auto& point : line) points.push_back({point.x, point.y});
  offsets.push_back(size32(points));
}

FlatMap flatten(const SemanticMap& map) {
  FlatMap out;
  out.controls_first.push_back(0);
  for (const Lane& lane : map.lanes()) add_lane(out, lane, map);
  for (const Crosswalk& crosswalk : map.crosswalks()) {
    out.crosswalk_id.add(crosswalk.id);
    out.crosswalks.add(crosswalk.outline);
  }
  for (const TrafficLight& light : map.lights()) {
    out.light_id.add(light.id);
    out.light_position.push_back({light.position.x, light.position.y});
  }
  for (const Face& face : map.faces()) {
    out.face_id.add(face.id);
    out.face_colour.push_back(static_cast<std::uint8_t>(face.colour));
  }
  const Box& bounds = map.bounds();
  out.bounds = {bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y};
  return out;
}

}  // namespace bev::map
