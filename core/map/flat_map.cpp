#include "core/map/flat_map.hpp"

#include <limits>

#include "core/map/light_approach.hpp"
#include "core/map/stop_lines.hpp"

namespace bev::map {
namespace {

// The map's limits keep these sizes below 2^32.
template <class List>
std::uint32_t size32(const List& list) {
  return static_cast<std::uint32_t>(list.size());
}

std::uint8_t first_divider(const Boundary& boundary) {
  return boundary.dividers.empty()
             ? std::uint8_t{0}
             : static_cast<std::uint8_t>(boundary.dividers.front());
}

MaybeRow or_none(std::optional<std::uint32_t> row) {
  return row ? static_cast<MaybeRow>(*row) : kNoRow;
}

float or_nan(std::optional<float> number) {
  return number.value_or(std::numeric_limits<float>::quiet_NaN());
}

std::uint8_t flag(bool value) {
  return value ? 1 : 0;
}

void add_lane_relations(FlatMap& out, const Lane& lane, const SemanticMap& map) {
  // No neighbour is stored as the id "", which a lane may also have.
  const auto adjacent = [&](const std::string& id) {
    return id.empty() ? kNoRow : or_none(map.lane_row(id));
  };
  out.adjacent_left.push_back(adjacent(lane.adjacent_left));
  out.adjacent_right.push_back(adjacent(lane.adjacent_right));
  out.junction.push_back(or_none(map.junction_row(lane.parent)));
  out.segment.push_back(or_none(map.segment_row(lane.parent)));
  out.speed_limit.push_back(or_nan(map.speed_limit_mps(lane)));
  out.orientation.push_back(static_cast<std::uint8_t>(lane.orientation));
  out.can_have_parked_cars.push_back(flag(lane.can_have_parked_cars));
  out.left_dividers.add(lane.left);
  out.right_dividers.add(lane.right);
}

void add_roads(FlatMap& out, const SemanticMap& map) {
  for (const Junction& junction : map.junctions()) {
    out.junction_id.add(junction.id);
    out.junction_is_intersection.push_back(flag(junction.is_non_trivial_intersection));
    for (const auto& id : junction.lanes) {
      if (const auto row = map.lane_row(id)) out.junction_lanes.rows.push_back(*row);
    }
    out.junction_lanes.first.push_back(size32(out.junction_lanes.rows));
  }
  for (const Segment& segment : map.segments()) {
    out.segment_id.add(segment.id);
    out.segment_speed_limit.push_back(or_nan(segment.speed_limit_mps));
    out.segment_speed_limit_backward.push_back(
        or_nan(segment.speed_limit_backward_mps));
  }
}

void add_lane(FlatMap& out, const Lane& lane, const SemanticMap& map) {
  out.lane_id.add(lane.id);
  out.left.add(lane.left.points);
  out.right.add(lane.right.points);
  out.centre.add(lane.centre);
  out.left_divider.push_back(first_divider(lane.left));
  out.right_divider.push_back(first_divider(lane.right));
  for (const auto& control : lane.traffic_controls) out.controls.add(control);
  out.controls_first.push_back(size32(out.controls.offsets) - 1);
  for (const auto& id : lane.lanes_ahead) {
    if (const auto row = map.lane_row(id)) out.ahead.rows.push_back(*row);
  }
  out.ahead.first.push_back(size32(out.ahead.rows));
  add_lane_relations(out, lane, map);
  out.in_junction.push_back(flag(lane.in_junction));
  out.turn.push_back(static_cast<std::uint8_t>(lane.turn));
  out.access.push_back(static_cast<std::uint8_t>(lane.access));
}

void add_stop_lines(FlatMap& out, const SemanticMap& map) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const auto& line : stop_lines(map)) {
    out.stop_line.push_back({line ? line->at(line->from) : geom::Vec2{kNone, kNone},
                             line ? line->at(line->to) : geom::Vec2{kNone, kNone}});
  }
}

}  // namespace

void FlatText::add(std::string_view text) {
  utf8 += text;
  offsets.push_back(size32(utf8));
}

void FlatLines::add(const std::vector<geom::Vec3>& line) {
  for (const auto& point : line) {
    points.push_back({point.x, point.y});
    heights.push_back(point.z);
  }
  offsets.push_back(size32(points));
}

void FlatDividers::add(const Boundary& boundary) {
  for (const Divider kind : boundary.dividers) {
    kinds.push_back(static_cast<std::uint8_t>(kind));
  }
  kinds_first.push_back(size32(kinds));
  changes_cm.insert(changes_cm.end(), boundary.type_change_point_cm.begin(),
                    boundary.type_change_point_cm.end());
  changes_first.push_back(size32(changes_cm));
}

FlatMap flatten(const SemanticMap& map) {
  FlatMap out;
  out.controls_first.push_back(0);
  for (const Lane& lane : map.lanes()) add_lane(out, lane, map);
  add_stop_lines(out, map);
  for (const Crosswalk& crosswalk : map.crosswalks()) {
    out.crosswalk_id.add(crosswalk.id);
    out.crosswalks.add(crosswalk.outline);
  }
  for (const TrafficLight& light : map.lights()) {
    out.light_id.add(light.id);
    out.light_position.push_back({light.position.x, light.position.y});
  }
  for (const LightApproach& approach : light_approaches(map)) {
    out.light_from_deg.push_back(approach.from_deg);
    out.light_movements.push_back(approach.movements);
  }
  for (const Face& face : map.faces()) {
    out.face_id.add(face.id);
    out.face_colour.push_back(static_cast<std::uint8_t>(face.colour));
  }
  add_roads(out, map);
  const Box& bounds = map.bounds();
  out.bounds = {bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y};
  return out;
}

}  // namespace bev::map
