#include "core/convert/nuscenes_map.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "core/base/error.hpp"
#include "core/convert/city_map.hpp"
#include "core/map/meta.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/nuscenes.hpp"

using namespace bev;
using convert::NuscenesMap;
using convert::SourceMap;
using geom::Vec3;

namespace nuscenes_map_test {

namespace {

constexpr NuscenesMap::Area kEverywhere = {-1e6, 1e6, -1e6, 1e6};

SourceMap elements(const nlohmann::json& map = test::nuscenes_map(),
                   const NuscenesMap::Area& area = kEverywhere, double dx = 0) {
  return NuscenesMap(map.dump(), convert::nuscenes_tables()).within(area, dx);
}

std::string refusal(const std::function<void(nlohmann::json&)>& change) {
  auto map = test::nuscenes_map();
  change(map);
  try {
    elements(map);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::invalid_metadata);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("convert/nuscenes_map") {
  TEST_CASE("a lane has its polygon's sides, along its path") {
    const auto map = elements();
    REQUIRE(map.lanes.size() == 3);
    const auto& lane = map.lanes[0];
    CHECK(lane.id == "A");
    CHECK(lane.centre.size() == 21);
    CHECK(lane.centre[1].x == doctest::Approx(401));
    CHECK(lane.left ==
          std::vector<Vec3>{{400, 1102, 0}, {410, 1102, 0}, {420, 1102, 0}});
    CHECK(lane.right ==
          std::vector<Vec3>{{400, 1098, 0}, {410, 1098, 0}, {420, 1098, 0}});
    CHECK(lane.ahead == std::vector<std::string>{"B"});
    CHECK(!lane.in_junction);
  }

  TEST_CASE("divider types begin at their nodes, in either direction") {
    for (const bool is_against : {false, true}) {
      auto json = test::nuscenes_map();
      auto& parts = json["lane"][0]["left_lane_divider_segments"];
      if (is_against) {
        std::swap(parts[0]["node_token"], parts[2]["node_token"]);
        std::swap(parts[0]["segment_type"], parts[1]["segment_type"]);
      }
      const auto map = elements(json);
      const auto& lane = map.lanes[0];
      CHECK(lane.left_divider == map::Divider::single_white_dashed);
      CHECK(lane.left_changes == std::vector<convert::DividerChange>{
                                     {1000, map::Divider::single_yellow_solid}});
      CHECK(lane.right_divider == map::Divider::unknown);
    }
  }

  TEST_CASE("a connector is in a junction and as wide as the lane before it") {
    const auto map = elements();
    const auto& connector = map.lanes[2];
    CHECK(connector.id == "B");
    CHECK(connector.in_junction);
    CHECK(connector.turn == map::Turn::left);
    CHECK(connector.left.front().y == doctest::Approx(1102).epsilon(1e-4));
    CHECK(connector.right.front().y == doctest::Approx(1098).epsilon(1e-4));
    CHECK(connector.centre.back().x == doctest::Approx(430));
    CHECK(connector.ahead == std::vector<std::string>{"C"});
    CHECK(map.lost.at("lane side from width") == 1);
  }

  TEST_CASE("crossings and lights have their positions") {
    const auto map = elements();
    REQUIRE(map.crosswalks.size() == 1);
    CHECK(map.crosswalks[0].outline.size() == 4);
    REQUIRE(map.lights.size() == 1);
    CHECK(map.lights[0].position == Vec3{425, 1095, 3});
    REQUIRE(map.lights[0].faces.size() == 2);
    CHECK(map.lights[0].faces[1].id == "T/1");
    CHECK(map.lights[0].faces[1].colour == map::Colour::green);
  }

  TEST_CASE("elements of an area are moved") {
    const auto map = elements(test::nuscenes_map(), {435, 440, 1000, 1200}, 1000);
    CHECK(map.lanes.empty());
    const auto east = elements(test::nuscenes_map(), {428, 440, 1115, 1200}, 1000);
    REQUIRE(east.lanes.size() == 1);
    CHECK(east.lanes[0].id == "C");
    CHECK(east.lanes[0].centre[0] == Vec3{1430, 1110, 0});
    CHECK(east.crosswalks.empty());
    CHECK(east.lights.empty());
  }

  TEST_CASE("a written map has all elements") {
    convert::CityMap city;
    city.add(elements(), "made-up");
    const auto bytes = city.semantic_map();
    const auto read = map::SemanticMap::parse(std::as_bytes(std::span(bytes)),
                                              map::parse_meta(city.meta_json()));
    CHECK(read.lanes().size() == 3);
    CHECK(read.lights().size() == 1);
  }

  TEST_CASE("errors name layer and record") {
    CHECK(refusal([](auto& map) { map["node"][2]["x"] = "1"; }) ==
          "map: node 2: x: not a number in its range");
    CHECK(refusal([](auto& map) {
            map["polygon"][0]["exterior_node_tokens"][1] = "x";
          }) == "map: lane A: node x is not in the map");
    CHECK(refusal([](auto& map) {
            map["lane"][0].erase("polygon_token");
          }).ends_with("no polygon_token"));
    CHECK(refusal([](auto& map) {
            map["lane_connector"][0]["token"] = "A";
          }).starts_with("map: lane A: "));
    CHECK(refusal([](auto& map) {
            map["arcline_path_3"]["A"][0]["shape"] = "SSS";
          }).ends_with("unknown shape of a path"));
    CHECK(refusal([](auto& map) {
            map["arcline_path_3"]["A"][0]["start_pose"] = 5;
          }).ends_with("start_pose: not a list"));
    CHECK(refusal([](auto& map) {
            map["arcline_path_3"]["A"] = {1};
          }).ends_with("not a path"));
    CHECK(refusal([](auto& map) {
            map["ped_crossing"][0]["polygon_token"] = "x";
          }).ends_with("polygon x is not in the map"));
    CHECK(refusal([](auto& map) {
            map["traffic_light"][0].erase("pose");
          }).ends_with("no pose"));
    CHECK(refusal([](auto& map) { map = {1}; }) == "not a JSON object (byte 0)");
  }

  TEST_CASE("a lane without a path is left out") {
    auto map = test::nuscenes_map();
    map["arcline_path_3"].erase("B");
    CHECK(elements(map).lanes.size() == 2);
  }
}

}  // namespace nuscenes_map_test
