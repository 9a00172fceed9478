#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/convert/columns.hpp"

// Made-up Argoverse 2 scenarios: the schema of the data set, with content of our own.

namespace bev::test {

/// A text column under construction.
struct Texts {
  std::vector<std::int64_t> offsets{0};
  std::string bytes;

  void add(std::string_view text) {
    bytes += text;
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  convert::TextColumn view() const { return {offsets, bytes}; }
};

/// The columns of a scenario, which a case may change before it reads table().
struct Argoverse2Rows {
  std::map<std::string, Texts> texts;
  std::map<std::string, std::vector<std::int64_t>> integers;
  std::map<std::string, std::vector<double>> numbers;
  int steps = 4;
  std::string city = "austin", id = "made-up";

  struct Row {
    std::string track = "AV";
    int step = 0;
    std::string type = "vehicle";
    std::int64_t category = 1;
    double x = 0, y = 0, heading = 0;
  };

  void add(const Row& row) {
    texts["track_id"].add(row.track);
    texts["object_type"].add(row.type);
    texts["scenario_id"].add(id);
    texts["focal_track_id"].add("7");
    texts["city"].add(city);
    integers["object_category"].push_back(row.category);
    integers["timestep"].push_back(row.step);
    integers["num_timestamps"].push_back(steps);
    numbers["position_x"].push_back(row.x);
    numbers["position_y"].push_back(row.y);
    numbers["heading"].push_back(row.heading);
    numbers["velocity_x"].push_back(row.x / 2);
    numbers["velocity_y"].push_back(row.y / 2);
    numbers["start_timestamp"].push_back(1000);
    numbers["end_timestamp"].push_back(1000 + 1e8 * (steps - 1));
  }

  /// Adds a track with a row per step of [begin, end), at (x + step, 2 * step).
  void add_track(Row row, int begin, int end) {
    const double x = row.x;
    for (int step = begin; step < end; ++step) {
      row.step = step;
      row.x = x + step;
      row.y = 2 * step;
      add(row);
    }
  }

  convert::Table table() const {
    std::vector<convert::Column> columns;
    for (const auto& [name, text] : texts) columns.push_back({name, text.view()});
    for (const auto& [name, values] : integers) {
      columns.push_back({name, std::span<const std::int64_t>(values)});
    }
    for (const auto& [name, values] : numbers) {
      columns.push_back({name, std::span<const double>(values)});
    }
    return convert::Table(std::move(columns));
  }
};

/// Returns an ego vehicle and four agents in 4 frames: the focal vehicle 7 in all, the
/// scored pedestrian 8 in frames 1 to 3, the unscored cyclist 9 in frames 0 and 1, and
/// the static fragment "rock" in all. All but the cyclist are far from the ego vehicle.
inline Argoverse2Rows small_scenario() {
  Argoverse2Rows rows;
  rows.add_track({.track = "7", .category = 3, .x = 100}, 0, 4);
  rows.add_track({.track = "8", .type = "pedestrian", .category = 2, .x = 200}, 1, 4);
  rows.add_track({.track = "9", .type = "cyclist", .x = 5}, 0, 2);
  rows.add_track({.track = "rock", .type = "static", .category = 0, .x = 300}, 0, 4);
  rows.add_track({.track = "AV", .heading = 0.5}, 0, 4);
  return rows;
}

/// Returns a line of points {x, y, z}.
inline nlohmann::json line_json(const std::vector<std::array<double, 3>>& points) {
  auto out = nlohmann::json::array();
  for (const auto& [x, y, z] : points) out.push_back({{"x", x}, {"y", y}, {"z", z}});
  return out;
}

/// Returns a straight lane of width 3 from (x, y), 10 m along (dx, dy).
inline nlohmann::json lane_json(int id, double x, double y, double dx = 1,
                                double dy = 0) {
  const double lx = -1.5 * dy, ly = 1.5 * dx;
  return {
      {"id", id},
      {"is_intersection", false},
      {"lane_type", "VEHICLE"},
      {"left_lane_boundary",
       line_json({{x + lx, y + ly, 1}, {x + 10 * dx + lx, y + 10 * dy + ly, 1.25}})},
      {"right_lane_boundary",
       line_json({{x - lx, y - ly, 1}, {x + 10 * dx - lx, y + 10 * dy - ly, 1.25}})},
      {"left_lane_mark_type", "NONE"},
      {"right_lane_mark_type", "NONE"},
      {"left_neighbor_id", nullptr},
      {"right_neighbor_id", nullptr},
      {"predecessors", nlohmann::json::array()},
      {"successors", nlohmann::json::array()}};
}

/// Returns the map of lanes, with a crossing 900 and a drivable area.
inline nlohmann::json map_json(const std::vector<nlohmann::json>& lanes) {
  nlohmann::json out = {{"lane_segments", nlohmann::json::object()}};
  for (const auto& lane : lanes) out["lane_segments"][lane["id"].dump()] = lane;
  out["pedestrian_crossings"]["900"] = {{"id", 900},
                                        {"edge1", line_json({{0, 0, 0}, {0, 4, 0}})},
                                        {"edge2", line_json({{2, 0, 0}, {2, 4, 0}})}};
  out["drivable_areas"]["1"] = {
      {"id", 1}, {"area_boundary", line_json({{0, 0, 0}, {9, 0, 0}, {9, 9, 0}})}};
  return out;
}

}  // namespace bev::test
