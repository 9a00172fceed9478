#include "core/map/semantic_map.hpp"

#include <utility>

#include "core/map/local_frame.hpp"

namespace bev::map {
namespace {

constexpr std::uint32_t kPedestrianCrosswalk = 16;

/// Returns the enumerator, or `unknown` for a number that the schema does not define.
template <class Enum>
Enum known(std::uint64_t number, Enum last) {
  return number <= static_cast<std::uint64_t>(last) ? static_cast<Enum>(number)
                                                    : Enum::unknown;
}

Boundary boundary_of(const RawBoundary& raw, const LocalFrame& frame,
                     const char* name) {
  Boundary out;
  out.points = frame.line(raw.line, name);
  out.dividers.reserve(raw.dividers.size());
  for (const auto number : raw.dividers) {
    out.dividers.push_back(known(number, Divider::curb));
  }
  out.type_change_point_cm = raw.type_change_point_cm;
  return out;
}

template <class Element>
std::uint32_t last_row(const std::vector<Element>& list) {
  return static_cast<std::uint32_t>(list.size() - 1);
}

template <class Element>
std::vector<Box> boxes_of(const std::vector<Element>& list) {
  std::vector<Box> boxes;
  boxes.reserve(list.size());
  for (const auto& element : list) boxes.push_back(element.bounds);
  return boxes;
}

/// proto3 does not store zeros: an absent limit and a limit of zero are the same.
std::optional<float> speed_limit(float mps) {
  return mps > 0 ? std::optional(mps) : std::nullopt;
}

}  // namespace

SemanticMap SemanticMap::parse(std::span<const std::byte> fragment, const Meta& meta,
                               const Limits& limits) {
  const std::string_view bytes(reinterpret_cast<const char*>(fragment.data()),
                               fragment.size());
  SemanticMap map;
  map.ecef_from_world_ = meta.ecef_from_world;
  read_fragment(bytes, limits, [&](const RawElement& element, std::size_t index) {
    map.places_.insert_or_assign(element.id, map.add(element, meta.world_from_ecef));
    map.element_count_ = index + 1;
  });
  map.finish();
  return map;
}

SemanticMap::Place SemanticMap::add(const RawElement& element,
                                    const geom::Affine3& world_from_ecef) {
  switch (element.kind) {
    case ElementKind::lane: return add_lane(element, world_from_ecef);
    case ElementKind::control: return add_control(element, world_from_ecef);
    case ElementKind::junction: {
      const RawJunction& raw = element.junction;
      junctions_.push_back(
          {element.id, raw.lanes, raw.controls, raw.is_non_trivial_intersection});
      return {List::junctions, last_row(junctions_)};
    }
    case ElementKind::segment: {
      const RawSegment& raw = element.segment;
      segments_.push_back({element.id, raw.lanes, speed_limit(raw.speed_limit_mps),
                           speed_limit(raw.speed_limit_backward_mps)});
      return {List::segments, last_row(segments_)};
    }
    default: return {List::none, 0};
  }
}

SemanticMap::Place SemanticMap::add_lane(const RawElement& element,
                                         const geom::Affine3& world_from_ecef) {
  const RawLane& raw = element.lane;
  const LocalFrame frame(raw.frame, world_from_ecef);
  Lane lane;
  lane.id = element.id;
  lane.parent = raw.parent;
  lane.left = boundary_of(raw.left, frame, "left_boundary");
  lane.right = boundary_of(raw.right, frame, "right_boundary");
  lane.centre = frame.line(raw.centre.line, "centre_line");
  for (const auto& point : lane.left.points) lane.bounds.add(point);
  for (const auto& point : lane.right.points) lane.bounds.add(point);
  lane.lanes_ahead = raw.lanes_ahead;
  lane.traffic_controls = raw.traffic_controls;
  lane.yield_to_lanes = raw.yield_to_lanes;
  lane.adjacent_left = raw.adjacent_left;
  lane.adjacent_right = raw.adjacent_right;
  lane.access = known(raw.access, Access::only_turn);
  lane.orientation = known(raw.orientation, Orientation::reversible);
  lane.turn = known(raw.turn, Turn::u_turn);
  lane.can_have_parked_cars = raw.can_have_parked_cars;
  bounds_.add(lane.bounds);
  lanes_.push_back(std::move(lane));
  return {List::lanes, last_row(lanes_)};
}

SemanticMap::Place SemanticMap::add_control(const RawElement& element,
                                            const geom::Affine3& world_from_ecef) {
  const RawControl& raw = element.control;
  if (raw.type == kPedestrianCrosswalk) return add_crosswalk(element, world_from_ecef);
  if (raw.type == kTrafficLight) {
    const LocalFrame frame(raw.frame, world_from_ecef);
    const auto points = frame.line(raw.line, "points");
    lights_.push_back(
        {element.id, raw.faces, points.empty() ? frame.origin() : points.front()});
    return {List::lights, last_row(lights_)};
  }
  if (const auto colour = face_colour(raw.type)) {
    faces_.push_back({element.id, *colour});
    return {List::faces, last_row(faces_)};
  }
  return {List::none, 0};
}

SemanticMap::Place SemanticMap::add_crosswalk(const RawElement& element,
                                              const geom::Affine3& world_from_ecef) {
  const RawControl& raw = element.control;
  if (raw.line.dx_cm.empty()) return {List::none, 0};  // as in L5Kit
  const LocalFrame frame(raw.frame, world_from_ecef);
  Crosswalk crosswalk{element.id, frame.line(raw.line, "points"), {}};
  for (const auto& point : crosswalk.outline) crosswalk.bounds.add(point);
  bounds_.add(crosswalk.bounds);
  crosswalks_.push_back(std::move(crosswalk));
  return {List::crosswalks, last_row(crosswalks_)};
}

void SemanticMap::finish() {
  for (Lane& lane : lanes_) lane.in_junction = junction_row(lane.parent).has_value();
  lane_index_ = BoxIndex(boxes_of(lanes_));
  crosswalk_index_ = BoxIndex(boxes_of(crosswalks_));
}

std::optional<std::uint32_t> SemanticMap::row_in(List list, std::string_view id) const {
  const auto place = places_.find(id);
  if (place == places_.end() || place->second.list != list) return std::nullopt;
  return place->second.row;
}

std::optional<std::uint32_t> SemanticMap::lane_row(std::string_view id) const {
  return row_in(List::lanes, id);
}

std::optional<std::uint32_t> SemanticMap::crosswalk_row(std::string_view id) const {
  return row_in(List::crosswalks, id);
}

std::optional<std::uint32_t> SemanticMap::light_row(std::string_view id) const {
  return row_in(List::lights, id);
}

std::optional<std::uint32_t> SemanticMap::face_row(std::string_view id) const {
  return row_in(List::faces, id);
}

std::optional<std::uint32_t> SemanticMap::junction_row(std::string_view id) const {
  return row_in(List::junctions, id);
}

std::optional<std::uint32_t> SemanticMap::segment_row(std::string_view id) const {
  return row_in(List::segments, id);
}

std::optional<float> SemanticMap::speed_limit_mps(const Lane& lane) const {
  const auto row = segment_row(lane.parent);
  if (!row) return std::nullopt;
  const Segment& segment = segments_[*row];
  const bool is_backward = lane.orientation == Orientation::one_way_backward;
  return is_backward && segment.speed_limit_backward_mps
             ? segment.speed_limit_backward_mps
             : segment.speed_limit_mps;
}

geom::Geodetic SemanticMap::geodetic(const geom::Vec3& in_world) const {
  return geom::ecef_to_geodetic(ecef_from_world_ * in_world);
}

std::optional<Colour> face_colour(std::uint32_t control_type) {
  switch (control_type) {
    case 11:  // plain
    case 30:  // left
    case 32:  // right
    case 38:  // upper left
    case 41:  // upper right
      return Colour::red;
    case 12:
    case 36:
    case 37:
    case 39:
    case 42: return Colour::yellow;
    case 13:
    case 31:
    case 33:
    case 40:
    case 43: return Colour::green;
    default: return std::nullopt;
  }
}

}  // namespace bev::map
