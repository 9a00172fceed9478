#pragma once

#include <protozero/pbf_builder.hpp>

namespace bev::map::message {

/// Field numbers of the map's schema that the writer uses.
///
/// Reference  L5Kit's map schema (proto3, package l5kit.maps).
enum class Fragment : protozero::pbf_tag_type { name = 1, elements = 2 };
enum class MapElement : protozero::pbf_tag_type { id = 1, element = 2 };
enum class Element : protozero::pbf_tag_type {
  segment = 1,
  node = 2,
  lane = 3,
  traffic_control_element = 4,
  junction = 5,
};
enum class GlobalId : protozero::pbf_tag_type { id = 1 };
enum class GeoLocation : protozero::pbf_tag_type { lat_e7 = 1, lng_e7 = 2 };
enum class GeoFrame : protozero::pbf_tag_type { origin = 1 };
enum class Lane : protozero::pbf_tag_type {
  parent_segment_or_junction = 1,
  geo_frame = 2,
  left_boundary = 3,
  right_boundary = 4,
  lanes_ahead = 5,
  adjacent_lane_change_left = 6,
  adjacent_lane_change_right = 7,
  traffic_controls = 8,
  yield_to_lanes = 9,
  can_have_parked_cars = 10,
  access_restriction = 11,
  orientation_in_parent_segment = 12,
  turn_type_in_parent_junction = 13,
  centre_line = 100,  ///< not in L5Kit's schema, whose readers skip it
};
enum class Access : protozero::pbf_tag_type { type = 1 };
enum class Boundary : protozero::pbf_tag_type {
  vertex_deltas_x_cm = 1,
  vertex_deltas_y_cm = 2,
  vertex_deltas_z_cm = 3,
  divider_type = 4,
  type_change_point_cm = 5,
};
enum class Control : protozero::pbf_tag_type {
  geo_frame = 2,
  points_x_deltas_cm = 3,
  points_y_deltas_cm = 4,
  points_z_deltas_cm = 5,
  signal_red_face = 11,
  signal_yellow_face = 12,
  signal_green_face = 13,
  pedestrian_crosswalk = 16,
  traffic_light = 29,
  geometry_type = 48,
};
enum class Crosswalk : protozero::pbf_tag_type { traffic_lights = 1 };
enum class Light : protozero::pbf_tag_type { face_states = 3 };
enum class Junction : protozero::pbf_tag_type {
  road_network_nodes = 1,
  traffic_control_elements = 2,
  lanes = 3,
  is_non_trivial_intersection = 4,
};
enum class Segment : protozero::pbf_tag_type {
  vertices = 1,
  start_node = 2,
  end_node = 3,
  speed_limit_meters_per_second = 9,
  lanes = 12,
};
enum class NetworkNode : protozero::pbf_tag_type {
  location = 1,
  road_segments = 2,
  junction = 4
};

/// Values of geometry_type.
inline constexpr int kPoint = 1, kPolygon = 4;

template <class T>
using Builder = protozero::pbf_builder<T>;

}  // namespace bev::map::message
