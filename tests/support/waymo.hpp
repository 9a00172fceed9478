#pragma once

#include <cmath>
#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <string>

#include "core/base/bytes.hpp"
#include "core/convert/waymo_message.hpp"
#include "core/zarr/crc32c.hpp"

// Made-up Waymo scenarios: the schema of the data set, with content of our own.

namespace bev::test {

namespace waymo_wire {

using protozero::pbf_writer;

inline void add_point(pbf_writer& out, protozero::pbf_tag_type tag,
                      const geom::Vec3& p) {
  pbf_writer point(out, tag);
  point.add_double(1, p.x);
  point.add_double(2, p.y);
  point.add_double(3, p.z);
}

inline void add_section(pbf_writer& out, protozero::pbf_tag_type tag,
                        const convert::waymo::BoundarySection& section) {
  pbf_writer inner(out, tag);
  inner.add_int32(1, static_cast<std::int32_t>(section.begin));
  inner.add_int32(2, static_cast<std::int32_t>(section.end));
  inner.add_int64(3, section.feature);
  inner.add_enum(4, static_cast<std::int32_t>(section.type));
}

inline void add_neighbour(pbf_writer& out, protozero::pbf_tag_type tag,
                          const convert::waymo::Neighbour& neighbour) {
  pbf_writer inner(out, tag);
  inner.add_int64(1, neighbour.lane);
  inner.add_int32(2, static_cast<std::int32_t>(neighbour.begin));
  inner.add_int32(3, static_cast<std::int32_t>(neighbour.end));
  for (const auto type : neighbour.boundary_types)
    add_section(inner, 6, {0, 0, 0, type});
}

inline void add_track(pbf_writer& out, const convert::waymo::Track& track) {
  pbf_writer inner(out, 2);
  inner.add_int32(1, static_cast<std::int32_t>(track.id));
  inner.add_enum(2, static_cast<std::int32_t>(track.type));
  for (const auto& state : track.states) {
    pbf_writer s(inner, 3);
    s.add_double(2, state.centre.x);
    s.add_double(3, state.centre.y);
    s.add_double(4, state.centre.z);
    s.add_float(5, state.length);
    s.add_float(6, state.width);
    s.add_float(7, state.height);
    s.add_float(8, static_cast<float>(state.heading));
    s.add_float(9, state.velocity_x);
    s.add_float(10, state.velocity_y);
    s.add_bool(11, state.is_valid);
  }
}

inline void add_lane(pbf_writer& out, const convert::waymo::Feature& feature) {
  pbf_writer lane(out, 3);
  if (feature.has_speed_limit) lane.add_double(1, 25);
  lane.add_enum(2, static_cast<std::int32_t>(feature.type));
  if (feature.is_interpolating) lane.add_bool(3, true);
  for (const auto& p : feature.points) add_point(lane, 8, p);
  lane.add_packed_int64(10, feature.exits.begin(), feature.exits.end());
  for (const auto& one : feature.left_neighbours) add_neighbour(lane, 11, one);
  for (const auto& one : feature.right_neighbours) add_neighbour(lane, 12, one);
  for (const auto& one : feature.left_boundaries) add_section(lane, 13, one);
  for (const auto& one : feature.right_boundaries) add_section(lane, 14, one);
}

inline void add_feature(pbf_writer& out, const convert::waymo::Feature& feature) {
  using convert::waymo::FeatureKind;
  pbf_writer outer(out, 8);
  outer.add_int64(1, feature.id);
  if (feature.kind == FeatureKind::none) return;
  if (feature.kind == FeatureKind::lane) {
    add_lane(outer, feature);
    return;
  }
  pbf_writer inner(outer, static_cast<protozero::pbf_tag_type>(feature.kind));
  const bool is_line =
      feature.kind == FeatureKind::road_line || feature.kind == FeatureKind::road_edge;
  const bool is_sign = feature.kind == FeatureKind::stop_sign;
  if (is_line) inner.add_enum(1, static_cast<std::int32_t>(feature.type));
  for (const auto& p : feature.points) add_point(inner, is_line || is_sign ? 2 : 1, p);
}

}  // namespace waymo_wire

/// Encodes a scenario, a record of a file.
inline std::string encoded(const convert::waymo::Message& scenario) {
  namespace wire = waymo_wire;
  std::string bytes;
  protozero::pbf_writer out(bytes);
  for (const double time : scenario.times_s) out.add_double(1, time);
  for (const auto& track : scenario.tracks) wire::add_track(out, track);
  for (const auto id : scenario.objects_of_interest) {
    out.add_int32(4, static_cast<std::int32_t>(id));
  }
  out.add_string(5, scenario.id);
  out.add_int32(6, static_cast<std::int32_t>(scenario.ego_index));
  for (const auto& states : scenario.lane_states) {
    if (states.empty()) out.add_bytes(7, "");  // a writer omits empty messages
    protozero::pbf_writer step(out, 7);
    for (const auto& state : states) {
      protozero::pbf_writer inner(step, 1);
      inner.add_int64(1, state.lane);
      inner.add_enum(2, static_cast<std::int32_t>(state.state));
      if (state.stop_point) wire::add_point(inner, 3, *state.stop_point);
    }
  }
  for (const auto& feature : scenario.features) wire::add_feature(out, feature);
  out.add_int32(10, static_cast<std::int32_t>(scenario.current_time_index));
  for (const auto& one : scenario.predictions) {
    protozero::pbf_writer inner(out, 11);
    inner.add_int32(1, static_cast<std::int32_t>(one.track_index));
    inner.add_enum(2, static_cast<std::int32_t>(one.difficulty));
  }
  for (std::uint64_t i = 0; i < scenario.lidar_frames; ++i) out.add_bytes(12, "");
  for (std::uint64_t i = 0; i < scenario.camera_frames; ++i) out.add_bytes(13, "");
  return bytes;
}

/// Returns a record of a TFRecord file: length and content with their checksums.
inline std::string tfrecord(const std::string& content) {
  const auto append = [](std::string& out, auto value) {
    std::byte bytes[sizeof value];
    store_le(bytes, value);
    out.append(reinterpret_cast<const char*>(bytes), sizeof value);
  };
  const auto masked = [](std::string_view bytes) {
    const auto crc =
        zarr::crc32c(std::as_bytes(std::span<const char>(bytes.data(), bytes.size())));
    return static_cast<std::uint32_t>(((crc >> 15U) | (crc << 17U)) + 0xa282ead8U);
  };
  std::string out;
  append(out, static_cast<std::uint64_t>(content.size()));
  append(out, masked(out));
  out += content;
  append(out, masked(content));
  return out;
}

/// Returns a line of points {x, y, 0}, a metre apart along x.
inline std::vector<geom::Vec3> straight(double x, double y, int count) {
  std::vector<geom::Vec3> out;
  for (int i = 0; i < count; ++i) out.push_back({x + i, y, 0.5});
  return out;
}

/// Returns the states of a track along x from (x, y), valid in steps [begin, end).
inline std::vector<convert::waymo::State> states_along(double x, double y, int begin,
                                                       int end) {
  std::vector<convert::waymo::State> out(4);
  for (int i = begin; i < end; ++i) {
    out[static_cast<std::size_t>(i)] = {{x + i, y, 1}, 4.5F, 2.25F, 1.5F,
                                        0.25F,         10,   0.5F,  true};
  }
  return out;
}

/// Returns 4 steps with the vehicle 7 (scored and of interest), the pedestrian 8
/// (scored, in steps 1 to 3), the cyclist 9 and the ego vehicle 20; a lane 1 with a
/// line on its left, an edge on its right and a light; its successor 2 with neither;
/// and one feature of each other kind.
inline convert::waymo::Message small_waymo() {
  using convert::waymo::Feature;
  using convert::waymo::FeatureKind;
  convert::waymo::Message out;
  out.id = "made-up";
  out.times_s = {0, 0.1, 0.20001, 0.3};
  out.current_time_index = 1;
  out.ego_index = 2;
  out.tracks = {{7, 1, states_along(100, 5, 0, 4)},
                {8, 2, states_along(120, -5, 1, 4)},
                {20, 1, states_along(80, 0, 0, 4)},
                {9, 3, states_along(90, 3, 0, 2)}};
  out.objects_of_interest = {7};
  out.predictions = {{0, 1}, {1, 2}};
  for (std::uint64_t state : {4U, 5U, 6U, 0U}) {
    out.lane_states.push_back({{1, state, geom::Vec3{90, 0, 0.5}}});
  }
  const auto add = [&](std::int64_t id, FeatureKind kind,
                       std::vector<geom::Vec3> points) -> Feature& {
    Feature feature;
    feature.id = id;
    feature.kind = kind;
    feature.points = std::move(points);
    out.features.push_back(std::move(feature));
    return out.features.back();
  };
  auto& first = add(1, FeatureKind::lane, straight(80, 0, 11));
  first.type = 2;
  first.exits = {2};
  first.has_speed_limit = true;
  first.left_boundaries = {{0, 10, 3, 1}};
  first.right_boundaries = {{0, 10, 4, 0}};
  add(2, FeatureKind::lane, straight(90, 0, 5)).type = 3;
  add(3, FeatureKind::road_line, straight(78, 2, 20)).type = 1;
  add(4, FeatureKind::road_edge, straight(78, -1.5, 20)).type = 1;
  add(5, FeatureKind::stop_sign, {{90, 3, 0}});
  add(6, FeatureKind::crosswalk, {{95, -3, 0}, {98, -3, 0}, {98, 3, 0}, {95, 3, 0}});
  add(7, FeatureKind::speed_bump, {{85, -3, 0}, {86, -3, 0}, {86, 3, 0}});
  add(8, FeatureKind::driveway, {{70, -3, 0}, {71, -3, 0}, {71, 3, 0}});
  return out;
}

}  // namespace bev::test
