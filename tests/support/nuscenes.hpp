#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/convert/nuscenes.hpp"

namespace bev::test {

/// A small version of nuScenes: two scenes of three key frames, with two instances. The
/// second scene is in another location.
struct NuscenesTables {
  std::map<std::string, nlohmann::json> tables;
  nlohmann::json prediction;

  NuscenesTables() {
    using nlohmann::json;
    const json turned = {0.7071067811865476, 0, 0, 0.7071067811865476};
    for (const auto* table : convert::nuscenes::Version::files()) {
      tables[table] = json::array();
    }
    tables["category"] = {{{"token", "c0"}, {"name", "vehicle.car"}},
                          {{"token", "c1"}, {"name", "vehicle.bicycle"}}};
    tables["attribute"] = {{{"token", "a0"}, {"name", "vehicle.moving"}},
                           {{"token", "a1"}, {"name", "cycle.with_rider"}}};
    tables["sensor"] = {{{"token", "lidar"}, {"channel", "LIDAR_TOP"}},
                        {{"token", "camera"}, {"channel", "CAM_FRONT"}}};
    tables["calibrated_sensor"] = {{{"token", "k0"}, {"sensor_token", "camera"}},
                                   {{"token", "k1"}, {"sensor_token", "lidar"}}};
    for (int s = 0; s < 2; ++s) {
      const auto n = std::to_string(s);
      tables["log"].push_back(
          {{"token", "l" + n},
           {"location", s == 0 ? "boston-seaport" : "singapore-onenorth"},
           {"vehicle", "n015"},
           {"date_captured", "2018-07-24"}});
      tables["scene"].push_back(
          {{"token", "s" + n}, {"name", "scene-000" + n}, {"log_token", "l" + n}});
      for (int k = 0; k < 2; ++k) {
        tables["instance"].push_back({{"token", "i" + n + std::to_string(k)},
                                      {"category_token", "c" + std::to_string(k)}});
      }
      for (int i = 0; i < 3; ++i) {
        const auto sample = "f" + n + std::to_string(i);
        tables["sample"].push_back({{"token", sample},
                                    {"timestamp", 1'532'000'000'000'000 + i * 500'000},
                                    {"scene_token", "s" + n}});
        for (const auto* sensor : {"k0", "k1"}) {
          tables["sample_data"].push_back({{"token", sample + sensor},
                                           {"sample_token", sample},
                                           {"ego_pose_token", sample + sensor},
                                           {"calibrated_sensor_token", sensor},
                                           {"is_key_frame", true}});
          tables["ego_pose"].push_back({{"token", sample + sensor},
                                        {"translation", {400.0 + i, 1100.5, 0}},
                                        {"rotation", turned}});
        }
        for (int k = 0; k < 2; ++k) {
          tables["sample_annotation"].push_back(
              {{"token", "b"},
               {"sample_token", sample},
               {"instance_token", "i" + n + std::to_string(k)},
               {"translation", {410.0 + i * (k + 1), 1090.25, 1.5}},
               {"size", {1.75, 4.25, 1.5}},
               {"rotation", turned},
               {"attribute_tokens", {"a" + std::to_string(k)}}});
        }
      }
    }
    prediction = {{"scene-0000", {"i00_f01", "i00_f02"}}, {"scene-9999", {"x_y"}}};
  }

  /// Passes all tables, and the list, in steps.
  void pass(convert::nuscenes::Version& out, std::size_t step = 7) const {
    for (const auto* table : convert::nuscenes::Version::files()) {
      pass(out, table, tables.at(table).dump(), step);
    }
    if (!prediction.is_null()) {
      pass(out, convert::nuscenes::Version::kPrediction, prediction.dump(1), step);
    }
  }

  static void pass(convert::nuscenes::Version& out, const char* file,
                   std::string_view text, std::size_t step) {
    out.begin(file);
    for (std::size_t at = 0; at < text.size(); at += step) {
      out.push(text.substr(at, step));
    }
    out.end();
  }
};

/// Returns a map: lane A leads by connector B to lane C; B turns left. A crossing and a
/// light.
inline nlohmann::json nuscenes_map() {
  using nlohmann::json;
  json out = {{"version", "1.3"}, {"canvas_edge", {3000, 2000}}};
  const auto polygon = [&](const std::string& name,
                           const std::vector<std::array<double, 2>>& points) {
    json nodes = json::array();
    for (std::size_t i = 0; i < points.size(); ++i) {
      nodes.push_back(name + std::to_string(i));
      out["node"].push_back(
          {{"token", nodes.back()}, {"x", points[i][0]}, {"y", points[i][1]}});
    }
    out["polygon"].push_back({{"token", "p" + name},
                              {"exterior_node_tokens", nodes},
                              {"holes", json::array()}});
  };
  const auto path = [&](const std::string& lane, std::array<double, 3> start,
                        const char* shape, std::array<double, 3> lengths) {
    out["arcline_path_3"][lane] = {{{"start_pose", start},
                                    {"end_pose", {0, 0, 0}},
                                    {"shape", shape},
                                    {"radius", 10.0},
                                    {"segment_length", lengths}}};
  };
  polygon(
      "A",
      {{400, 1098}, {410, 1098}, {420, 1098}, {420, 1102}, {410, 1102}, {400, 1102}});
  polygon("C", {{432, 1110}, {432, 1130}, {428, 1130}, {428, 1110}});
  polygon("X", {{421, 1098}, {424, 1098}, {424, 1102}, {421, 1102}});
  const json left = {{{"node_token", "A5"}, {"segment_type", "DOUBLE_DASHED_WHITE"}},
                     {{"node_token", "A4"}, {"segment_type", "SINGLE_SOLID_YELLOW"}},
                     {{"node_token", "A3"}, {"segment_type", "NIL"}}};
  out["lane"] = {{{"token", "A"},
                  {"polygon_token", "pA"},
                  {"lane_type", "CAR"},
                  {"left_lane_divider_segments", left},
                  {"right_lane_divider_segments", json::array()}},
                 {{"token", "C"}, {"polygon_token", "pC"}}};
  out["lane_connector"] = {{{"token", "B"}, {"polygon_token", ""}}};
  path("A", {400, 1100, 0}, "LSL", {0, 20, 0});
  path("B", {420, 1100, 0}, "LSL", {15.707963267948966, 0, 0});
  path("C", {430, 1110, 1.5707963267948966}, "RSR", {0, 20, 0});
  out["connectivity"] = {{"A", {{"incoming", json::array()}, {"outgoing", {"B"}}}},
                         {"B", {{"incoming", {"A"}}, {"outgoing", {"C"}}}}};
  out["ped_crossing"] = {{{"token", "X"}, {"polygon_token", "pX"}}};
  out["traffic_light"] = {
      {{"token", "T"},
       {"pose", {{"tx", 425.0}, {"ty", 1095.0}, {"tz", 3.0}}},
       {"items", {{{"color", "RED"}}, {{"color", "GREEN"}}, {{"color", "WHITE"}}}}}};
  return out;
}

}  // namespace bev::test
