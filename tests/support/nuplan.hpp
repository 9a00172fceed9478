#pragma once

#include <string>
#include <vector>

#include "tests/support/sqlite.hpp"

namespace bev::test {

/// A small log of nuPlan: two scenes of four sweeps at 20 Hz.
struct NuplanRows {
  std::vector<SqlRow> sweeps, poses, boxes, lights, tags, tracks, scenes;
  bool has_index = false;
  std::string location = "us-nv-las-vegas-strip";

  NuplanRows() {
    using std::string;
    for (std::int64_t i = 0; i < 8; ++i) {
      const auto time = 1'620'000'000'000'000 + i * 50'000;
      sweeps.push_back({token('p', i), token('e', i), token('s', i / 4), time});
      poses.push_back({token('e', i), time - 3000, 664'432.0 + static_cast<double>(i),
                       3'998'249.0, 600.0, 1.0, 0.0, 0.0, 0.0, std::int64_t{32611}});
      for (std::int64_t k = 0; k < 2; ++k) {
        boxes.push_back({token('p', i), token('t', k), 664'440.0 + 0.5, 3'998'250.25,
                         2.0, 4.0, 1.5, 1.0, -1.0, 0.25});
      }
      lights.push_back({token('p', i), std::int64_t{100}, string("green")});
      if (i % 4 == 2) tags.push_back({token('p', i), string("stopping"), {}});
    }
    tracks = {{token('t', 0), token('c', 0)}, {token('t', 1), token('c', 1)}};
    scenes = {{token('s', 0), string("scene-1"), string("1 2")},
              {token('s', 1), string("scene-2"), {}}};
  }

  static SqlValue token(char kind, std::int64_t number) {
    return Blob{std::string(7, kind) + static_cast<char>('0' + number)};
  }

  std::string file() const {
    using std::string;
    SqliteMaker maker(4096);
    maker.table("log", "CREATE TABLE log(vehicle_name, location, map_version, logfile)",
                {{string("veh"), location, string("v1"), string("made-up")}});
    maker.table("lidar_pc",
                "CREATE TABLE lidar_pc(token, ego_pose_token, scene_token, timestamp)",
                sweeps);
    maker.table(
        "ego_pose",
        "CREATE TABLE ego_pose(token, timestamp, x, y, z, qw, qx, qy, qz, epsg)",
        poses);
    maker.table("lidar_box",
                "CREATE TABLE lidar_box(lidar_pc_token, track_token, x, y, width, "
                "length, height, vx, vy, yaw)",
                boxes);
    if (has_index) {
      std::vector<SqlRow> entries;
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        entries.push_back({boxes[i][0], static_cast<std::int64_t>(i + 1)});
      }
      maker.index("i", "lidar_box", "CREATE INDEX i ON lidar_box(lidar_pc_token)",
                  entries);
    }
    maker.table("traffic_light_status",
                "CREATE TABLE traffic_light_status(lidar_pc_token, lane_connector_id, "
                "status)",
                lights);
    maker.table("scenario_tag",
                "CREATE TABLE scenario_tag(lidar_pc_token, type, agent_track_token)",
                tags);
    maker.table("track", "CREATE TABLE track(token, category_token)", tracks);
    maker.table(
        "category", "CREATE TABLE category(token, name)",
        {{token('c', 0), string("vehicle")}, {token('c', 1), string("pedestrian")}});
    maker.table("scene", "CREATE TABLE scene(token, name, roadblock_ids)", scenes);
    return maker.finish();
  }
};

inline std::string little_endian(std::uint32_t value) {
  std::string out(4, '\0');
  store_le(reinterpret_cast<std::byte*>(out.data()), value);
  return out;
}

/// Returns a GeoPackage's geometry of one line or ring, without an envelope.
inline Blob geometry_blob(const std::vector<std::pair<double, double>>& points,
                          bool is_polygon, std::uint32_t srs = 32611) {
  std::string out("GP\0\1", 4);
  out += little_endian(srs) + std::string(1, '\1') + little_endian(is_polygon ? 3 : 2);
  if (is_polygon) out += little_endian(1);
  out += little_endian(static_cast<std::uint32_t>(points.size()));
  for (const auto& [x, y] : points) {
    for (const double value : {x, y}) {
      std::string bytes(8, '\0');
      store_le(reinterpret_cast<std::byte*>(bytes.data()), value);
      out += bytes;
    }
  }
  return {out};
}

/// Returns a map of two lanes side by side, a connector from the right one to a third,
/// and a crosswalk.
inline std::string nuplan_map_file() {
  using std::string;
  constexpr double x = 664'432, y = 3'998'249;
  const auto line = [&](double from, double to, double side) {
    return SqlValue(geometry_blob({{x + from, y + side}, {x + to, y + side}}, false));
  };
  const auto id = [](std::int64_t value) { return SqlValue(value); };
  SqliteMaker maker(4096);
  maker.table("gpkg_spatial_ref_sys",
              "CREATE TABLE gpkg_spatial_ref_sys(srs_name, srs_id, organization, "
              "organization_coordsys_id)",
              {{string("UTM"), id(32611), string("EPSG"), id(32611)}});
  std::vector<SqlRow> layers;
  for (const char* layer : {"boundaries", "baseline_paths", "crosswalks"}) {
    layers.push_back({string(layer), string("geom")});
  }
  maker.table("gpkg_geometry_columns",
              "CREATE TABLE gpkg_geometry_columns(table_name, column_name)", layers);
  maker.table("boundaries", "CREATE TABLE boundaries(fid, geom, boundary_type_fid)",
              {{id(1), line(0, 50, 7), id(2)},
               {id(2), line(50, 0, 3.5), id(0)},  // against the lanes
               {id(3), line(0, 50, 0), id(2)}});
  maker.table("baseline_paths",
              "CREATE TABLE baseline_paths(fid, geom, lane_fid, lane_connector_fid)",
              {{id(1), line(0, 50, 5.25), 10.0, {}},
               {id(2), line(0, 50, 1.75), 11.0, {}},
               {id(3), line(50, 80, 1.75), {}, string("100")},
               {id(4), line(80, 130, 1.75), string("12.0"), {}}});
  maker.table("lanes_polygons",
              "CREATE TABLE lanes_polygons(fid, lane_group_fid, lane_index, "
              "left_boundary_fid, right_boundary_fid)",
              {{id(10), id(7), id(0), id(1), id(2)},
               {id(11), id(7), id(1), id(2), id(3)},
               {id(12), id(8), id(0), {}, {}}});
  maker.table("lane_connectors",
              "CREATE TABLE lane_connectors(fid, exit_lane_fid, entry_lane_fid)",
              {{id(100), id(11), id(12)}});
  maker.table(
      "crosswalks", "CREATE TABLE crosswalks(fid, geom)",
      {{id(5), geometry_blob({{x + 60, y}, {x + 64, y}, {x + 64, y + 9}, {x + 60, y}},
                             true)}});
  return maker.finish();
}

}  // namespace bev::test
