#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/map/interpolate.hpp"
#include "core/map/lane_lights.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/npz.hpp"

// L5Kit's own numbers for the same map.

using bev::geom::Vec3;
using bev::map::Colour;
using bev::map::Lane;
using bev::map::SemanticMap;
using bev::test::goldens;
using bev::test::NpyArray;
using bev::test::read_file;
using bev::test::read_npz;
using bev::test::read_text;
using nlohmann::json;
using Arrays = std::map<std::string, NpyArray>;

namespace {

constexpr double kTolerance = 1e-6;  // metres

SemanticMap map_of(const std::string& file) {
  const auto meta = bev::map::parse_meta(read_text(goldens() + "/inputs/meta.json"));
  return SemanticMap::parse(read_file(goldens() + "/inputs/" + file), meta);
}

json town_info() {
  return json::parse(read_text(goldens() + "/outputs/map/town_info.json"));
}

Arrays arrays_of(const std::string& file) {
  return read_npz(goldens() + "/outputs/map/" + file);
}

/// Returns the largest difference of any coordinate; infinite if the shapes differ.
double difference(const std::vector<Vec3>& points, const NpyArray& expected) {
  if (expected.shape != std::vector<std::size_t>{points.size(), 3}) return INFINITY;
  const auto numbers = expected.as<double>();
  double most = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double* const row = &numbers[3 * i];
    most = std::max({most, std::abs(points[i].x - row[0]),
                     std::abs(points[i].y - row[1]), std::abs(points[i].z - row[2])});
  }
  return most;
}

std::string lane_name(std::size_t row) {
  const auto digits = std::to_string(row);
  return "lane" + std::string(3 - digits.size(), '0') + digits;
}

/// Compares bounds of rows with (n, 2, 2): min x, y, then max x, y.
template <class List>
void check_bounds(const List& list, const NpyArray& expected) {
  REQUIRE(expected.shape == std::vector<std::size_t>{list.size(), 2, 2});
  const auto numbers = expected.as<double>();
  for (std::size_t i = 0; i < list.size(); ++i) {
    CAPTURE(list[i].id);
    const auto& box = list[i].bounds;
    const double* const row = &numbers[4 * i];
    CHECK(std::abs(box.min_x - row[0]) < kTolerance);
    CHECK(std::abs(box.min_y - row[1]) < kTolerance);
    CHECK(std::abs(box.max_x - row[2]) < kTolerance);
    CHECK(std::abs(box.max_y - row[3]) < kTolerance);
  }
}

template <class Interpolate>
void check_interpolated(const std::string& file, Interpolate&& interpolate) {
  const auto map = map_of("town_map.pb");
  const auto arrays = arrays_of(file);
  REQUIRE(arrays.size() == 3 * map.lanes().size());
  for (std::size_t row = 0; row < map.lanes().size(); ++row) {
    CAPTURE(map.lanes()[row].id);
    const auto lines = interpolate(map.lanes()[row]);
    const auto name = lane_name(row);
    CHECK(difference(lines.left, arrays.at(name + ".xyz_left")) < kTolerance);
    CHECK(difference(lines.right, arrays.at(name + ".xyz_right")) < kTolerance);
    CHECK(difference(lines.mid, arrays.at(name + ".xyz_midlane")) < kTolerance);
  }
}

std::string colour_of(const SemanticMap& map, const std::string& id) {
  const auto row = map.face_row(id);
  if (!row) return "";
  switch (map.faces()[*row].colour) {
    case Colour::red: return "RED";
    case Colour::green: return "GREEN";
    case Colour::yellow: return "YELLOW";
  }
  return "";
}

Colour colour_named(const std::string& name) {
  if (name == "red") return Colour::red;
  return name == "green" ? Colour::green : Colour::yellow;
}

}  // namespace

TEST_SUITE("map/golden") {
  TEST_CASE("lanes and crosswalks are where the reference has them") {
    BEV_REQUIRE_GOLDENS();
    const auto map = map_of("town_map.pb");
    const auto arrays = arrays_of("town_raw.npz");
    REQUIRE(map.lanes().size() == 68);
    REQUIRE(map.crosswalks().size() == 7);
    for (std::size_t row = 0; row < map.lanes().size(); ++row) {
      const auto& lane = map.lanes()[row];
      CAPTURE(lane.id);
      const auto name = lane_name(row);
      CHECK(difference(lane.left.points, arrays.at(name + ".left")) < kTolerance);
      CHECK(difference(lane.right.points, arrays.at(name + ".right")) < kTolerance);
    }
    for (std::size_t row = 0; row < map.crosswalks().size(); ++row) {
      const auto& expected = arrays.at("crosswalk00" + std::to_string(row));
      CHECK(difference(map.crosswalks()[row].outline, expected) < kTolerance);
    }
    check_bounds(map.lanes(), arrays.at("bounds.lanes"));
    check_bounds(map.crosswalks(), arrays.at("bounds.crosswalks"));
  }

  TEST_CASE("a map of one lane without id and frame is read") {
    BEV_REQUIRE_GOLDENS();
    const auto map = map_of("semantic_map.pb");
    const auto arrays = arrays_of("stock_raw.npz");
    REQUIRE(map.lanes().size() == 1);
    CHECK(map.lane_row("") == 0U);
    CHECK(difference(map.lanes()[0].left.points, arrays.at("lane000.left")) <
          kTolerance);
    CHECK(difference(map.lanes()[0].right.points, arrays.at("lane000.right")) <
          kTolerance);
    check_bounds(map.lanes(), arrays.at("bounds.lanes"));
  }

  TEST_CASE("lanes have the reference's connections and uses") {
    BEV_REQUIRE_GOLDENS();
    const auto map = map_of("town_map.pb");
    const auto info = town_info();
    CHECK(map.element_count() == info["n_elements"].get<std::size_t>());
    REQUIRE(info["lanes"].size() == map.lanes().size());
    for (const auto& entry : info["lanes"].items()) {
      const std::string& id = entry.key();
      const json& expected = entry.value();
      CAPTURE(id);
      REQUIRE(map.lane_row(id) == expected["k"].get<std::uint32_t>());
      const Lane& lane = map.lanes()[*map.lane_row(id)];
      auto controls = lane.traffic_controls;
      std::sort(controls.begin(), controls.end());
      CHECK(json(controls) == expected["traffic_controls"]);
      CHECK(json(lane.lanes_ahead) == expected["lanes_ahead"]);
      CHECK(lane.adjacent_left == expected["adjacent_left"].get<std::string>());
      CHECK(lane.adjacent_right == expected["adjacent_right"].get<std::string>());
      CHECK(lane.parent == expected["parent"].get<std::string>());
      CHECK(static_cast<int>(lane.access) == expected["access"].get<int>());
      CHECK(static_cast<int>(lane.turn) == expected["turn"].get<int>());
      CHECK(static_cast<int>(lane.orientation) == expected["orientation"].get<int>());
      CHECK(lane.can_have_parked_cars == expected["parked"].get<bool>());
    }
    for (const auto& id : info["crosswalks"]) {
      CHECK(map.crosswalk_row(id.get<std::string>()).has_value());
    }
    CHECK(info["crosswalks"].size() == map.crosswalks().size());
  }

  TEST_CASE("lights and the colours of faces are the reference's") {
    BEV_REQUIRE_GOLDENS();
    const auto map = map_of("town_map.pb");
    const auto info = town_info();
    std::size_t faces = 0;
    for (const auto& entry : info["tce"].items()) {
      const std::string& id = entry.key();
      const json& expected = entry.value();
      CAPTURE(id);
      CHECK(map.light_row(id).has_value() == expected["is_traffic_light"].get<bool>());
      const auto colour = expected["color"].get<std::string>();
      const bool has_colour = !colour.starts_with("ValueError");
      CHECK(colour_of(map, id) == (has_colour ? colour : ""));
      if (has_colour) ++faces;
    }
    CHECK(faces == 18);
    CHECK(map.faces().size() == faces);
  }

  TEST_CASE("lines at equal distances are the reference's") {
    BEV_REQUIRE_GOLDENS();
    const auto arrays = arrays_of("interpolate.npz");
    REQUIRE(arrays.size() == 36);
    for (const auto& entry : arrays) {
      const std::string& name = entry.first;
      if (!name.ends_with(".in")) continue;
      CAPTURE(name);
      const auto numbers = entry.second.as<double>();
      std::vector<Vec3> line;
      for (std::size_t i = 0; i < numbers.size(); i += 3) {
        line.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
      }
      const auto number = name.substr(0, 2);
      CHECK(difference(bev::map::points_by_count(line, 13),
                       arrays.at(number + ".ensure13")) < 1e-12);
      CHECK(difference(bev::map::points_by_metres(line, 0.7),
                       arrays.at(number + ".meter0p7")) < 1e-12);
    }
  }

  TEST_CASE("lanes at equal distances are the reference's, by count and by metres") {
    BEV_REQUIRE_GOLDENS();
    for (const std::size_t count : {2U, 7U, 20U}) {
      check_interpolated("town_ensure" + std::to_string(count) + ".npz",
                         [&](const Lane& lane) { return lane_by_count(lane, count); });
    }
    check_interpolated("town_meter1.npz",
                       [](const Lane& lane) { return lane_by_metres(lane, 1); });
    check_interpolated("town_meter2p5.npz",
                       [](const Lane& lane) { return lane_by_metres(lane, 2.5); });
  }

  TEST_CASE("asking for one spacing does not change what another gives") {
    BEV_REQUIRE_GOLDENS();
    const auto map = map_of("town_map.pb");
    const auto arrays = arrays_of("cache_mutation.npz");
    const Lane& lane = map.lanes()[0];
    const auto left = [&](std::size_t count) {
      return lane_by_count(lane, count).left;
    };
    CHECK(difference(left(20), arrays.at("interp20")) < kTolerance);
    CHECK(difference(left(7), arrays.at("interp7_fresh")) < kTolerance);
    CHECK(difference(lane.left.points, arrays.at("first_raw")) < kTolerance);
  }

  TEST_CASE("the traffic-light feature of every lane is the reference's") {
    BEV_REQUIRE_GOLDENS();
    const auto map = map_of("town_map.pb");
    const auto cases =
        json::parse(read_text(goldens() + "/outputs/map/town_tl_feature.json"));
    REQUIRE(cases.size() == 7);
    for (const auto& one : cases) {
      const auto lit = one["active"].get<std::map<std::string, std::string>>();
      std::vector<bev::map::ActiveFace> active;
      for (const auto& [id, colour] : lit) active.push_back({id, colour_named(colour)});
      for (const auto& entry : one["feature"].items()) {
        const std::string& id = entry.key();
        const json& expected = entry.value();
        CAPTURE(id);
        CHECK(traffic_light_feature(map, *map.lane_row(id), active) ==
              expected.get<int>());
      }
    }
  }
}
