#pragma once

#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/pickle/write.hpp"

// Made-up scenarios of ScenarioNet: the keys of its files, with content of our own.

namespace bev::test {

using Tree = nlohmann::ordered_json;

/// An array of NumPy: {"array": code, "shape": [..], "values": [..]}.
inline Tree array_of(const std::string& code, std::vector<std::size_t> shape,
                     std::vector<double> values) {
  return {{"array", code}, {"shape", std::move(shape)}, {"values", std::move(values)}};
}

inline void write_array(pickle::Writer& out, const Tree& tree) {
  const auto code = tree["array"].get<std::string>();
  std::string bytes;
  for (const auto& value : tree["values"]) {
    const auto append = [&](const auto number) {
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    if (code == "f8") append(value.get<double>());
    if (code == "f4") append(value.get<float>());
    if (code == "b1") append(static_cast<std::uint8_t>(value != 0));
    if (code == "i8") append(value.get<std::int64_t>());
  }
  out.array(code, tree["shape"].get<std::vector<std::size_t>>(),
            std::as_bytes(std::span(bytes)));
}

inline void write_tree(pickle::Writer& out, const Tree& tree) {
  if (tree.is_object() && tree.contains("array")) return write_array(out, tree);
  if (tree.is_object()) {
    out.begin_dict();
    for (const auto& [key, value] : tree.items()) {
      out.text(key);
      write_tree(out, value);
    }
    return out.end_dict();
  }
  if (tree.is_array()) {
    out.begin_list();
    for (const auto& item : tree) write_tree(out, item);
    return out.end_list();
  }
  if (tree.is_string()) return out.text(tree.get_ref<const std::string&>());
  if (tree.is_boolean()) return out.boolean(tree.get<bool>());
  if (tree.is_number_float()) return out.real(tree.get<double>());
  if (tree.is_number()) return out.integer(tree.get<std::int64_t>());
  out.none();
}

/// Returns a tree as a pickle.
inline std::string pickled(const Tree& tree) {
  pickle::Writer out;
  write_tree(out, tree);
  return out.finish();
}

/// Returns a track along x from (x, y), valid in steps [begin, end) of 4. As nuScenes'
/// converter does, it has the velocity to the next state, and none at the last.
inline Tree nuscenes_track(const char* type, const char* category, double x, double y,
                           int begin, int end) {
  std::vector<double> valid(4), position(12), heading(4), velocity(8), length(4),
      width(4), height(4);
  for (int step = begin; step < end; ++step) {
    const auto i = static_cast<std::size_t>(step);
    valid[i] = 1;
    position[3 * i] = x + step;
    position[3 * i + 1] = y;
    position[3 * i + 2] = 1;
    heading[i] = 0.25;
    if (step + 1 < end) velocity[2 * i] = 10;
    length[i] = 4.5;
    width[i] = 2.25;
    height[i] = 1.5;
  }
  return {{"type", type},
          {"state",
           {{"position", array_of("f8", {4, 3}, position)},
            {"heading", array_of("f8", {4}, heading)},
            {"velocity", array_of("f8", {4, 2}, velocity)},
            {"valid", array_of("f8", {4}, valid)},
            {"length", array_of("f8", {4, 1}, length)},
            {"width", array_of("f8", {4, 1}, width)},
            {"height", array_of("f8", {4, 1}, height)}}},
          {"metadata", {{"track_length", 4}, {"type", category}}}};
}

/// Returns 4 steps of nuScenes with a bus, an adult in steps 1 to 3, a cone, and the ego
/// vehicle, whose length and width are exchanged; a lane with an outline, which leads to
/// a connector without one.
inline Tree small_nuscenes() {
  auto ego = nuscenes_track("VEHICLE", "vehicle.car", 80, 0, 0, 4);
  std::swap(ego["state"]["length"], ego["state"]["width"]);
  Tree lane = {{"type", "LANE_SURFACE_STREET"}, {"polyline", Tree::array()}};
  for (int i = 0; i < 11; ++i) lane["polyline"].push_back({80.0 + i, 0.0, 0.0});
  lane["polyline"].insert(lane["polyline"].begin() + 5, lane["polyline"][5]);
  lane["polygon"] = {{80.0, -1.5}, {90.0, -1.5}, {90.0, 2.0},
                     {85.0, 2.0},  {80.0, 2.0},  {80.0, -1.5}};
  Tree connector = {
      {"type", "LANE_SURFACE_STREET"},
      {"polyline", {{90.05, 0.0, 0.0}, {92.0, 0.0, 0.1}, {94.0, 0.2, 0.1}}},
      {"speed_limit_kmh", 100}};
  return {
      {"id", "scene-0001"},
      {"version", "nuscenesv1.0-mini"},
      {"length", 4},
      {"metadata",
       {{"dataset", "nuscenes"},
        {"map", "singapore-onenorth"},
        {"ts", array_of("f8", {4}, {0, 0.1, 0.2, 0.3})},
        {"sdc_id", "ego"}}},
      {"tracks",
       {{"b0b0", nuscenes_track("VEHICLE", "vehicle.bus.rigid", 100, 5, 0, 4)},
        {"a0a0", nuscenes_track("PEDESTRIAN", "human.pedestrian.adult", 120, -5, 1, 4)},
        {"c0c0",
         nuscenes_track("TRAFFIC_CONE", "movable_object.trafficcone", 95, 5, 0, 1)},
        {"ego", ego}}},
      {"dynamic_map_states", Tree::object()},
      {"map_features",
       {{"one", lane},
        {"two", connector},
        {"boundary_0",
         {{"type", "ROAD_LINE_SOLID_SINGLE_WHITE"},
          {"polyline", array_of("f8", {2, 2}, {70, 9, 99, 9})}}},
        {"walk", {{"type", "ROAD_EDGE_SIDEWALK"}, {"polygon", Tree::array()}}}}}};
}

/// The same scenario as Waymo's converter writes it.
inline Tree small_waymo_scenario() {
  auto out = small_nuscenes();
  out["metadata"]["dataset"] = "waymo";
  out["metadata"].erase("map");
  out["metadata"]["sdc_id"] = "51";
  out["metadata"]["current_time_index"] = 1;
  out["metadata"]["objects_of_interest"] = {"7", "99"};
  out["metadata"]["tracks_to_predict"] = {
      {"7", {{"track_index", 3}, {"track_id", "7"}, {"difficulty", 2}}}};
  auto tracks = out["tracks"];
  out["tracks"] = {{"7", tracks["b0b0"]}, {"8", tracks["a0a0"]}, {"51", tracks["ego"]}};
  out["dynamic_map_states"] = {
      {"1",
       {{"type", "TRAFFIC_LIGHT"},
        {"lane", 1},
        {"stop_point", array_of("f4", {3}, {90, 0, 0.5})},
        {"state",
         {{"object_state",
           {"LANE_STATE_STOP", nullptr, "LANE_STATE_GO", "TRAFFIC_LIGHT_YELLOW"}}}}}}};
  const auto line = [](double y) {
    return array_of("f4", {2, 3}, {70, y, 1, 99, y, 1});
  };
  const auto side = [](const char* type, const char* feature) {
    return Tree::array({{{"lane_start_index", "0"},
                         {"lane_end_index", "2"},
                         {"boundary_type", type},
                         {"boundary_feature_id", feature}}});
  };
  out["map_features"] = {
      {"1",
       {{"type", "LANE_FREEWAY"},
        {"polyline", array_of("f4", {3, 3}, {80, 0, 1, 85, 0, 1, 90, 0, 1})},
        {"interpolating", true},
        {"exit_lanes", {2, 9}},
        {"speed_limit_mph", 65.0},
        {"left_boundaries", side("ROAD_LINE_BROKEN_SINGLE_WHITE", "3")},
        {"right_boundaries", side("UNKNOWN", "4")},
        {"left_neighbor",
         {{{"feature_id", "2"},
           {"self_start_index", "0"},
           {"self_end_index", "2"},
           {"boundaries", side("ROAD_LINE_BROKEN_SINGLE_WHITE", "3")}}}}}},
      {"2",
       {{"type", "LANE_BIKE_LANE"},
        {"polyline", array_of("f4", {2, 3}, {90, 0, 1, 95, 0, 1})}}},
      {"3", {{"type", "ROAD_LINE_BROKEN_SINGLE_WHITE"}, {"polyline", line(2)}}},
      {"4", {{"type", "ROAD_EDGE_BOUNDARY"}, {"polyline", line(-1.5)}}},
      {"5",
       {{"type", "CROSSWALK"},
        {"polygon", array_of("f4", {3, 3}, {1, 1, 0, 2, 1, 0, 2, 2, 0})}}},
      {"6", {{"type", "STOP_SIGN"}, {"lane", {1}}}}};
  return out;
}

}  // namespace bev::test
