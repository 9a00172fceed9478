#include <doctest/doctest.h>

#include <bevscope/error.hpp>
#include <bevscope/map.hpp>
#include <bevscope/raster.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/small_map.hpp"

namespace map_test {

using bev::Error;
using bev::SemanticMap;
using namespace bev::test;

namespace {

SemanticMap crossing() {
  const auto controls = Message().id(8, "T1").id(8, "R").id(8, "G");
  const auto town = fragment(
      {lane("L1", 0, controls), lane("L2", 50), crosswalk("C1", 20),
       control("T1", 29, Message().id(3, "R")), control("R", 11), control("G", 31)});
  return {town.span(), equator_meta_json()};
}

}  // namespace

TEST_SUITE("library/map") {
  TEST_CASE("lanes, crosswalks, lights and faces are views") {
    const auto map = crossing();
    CHECK(map.lane_count() == 2);
    const auto lane = map.lane(0);
    CHECK(lane.id == "L1");
    CHECK(lane.left.points.size() == lane.left.z.size());
    CHECK(lane.left.points.size() == 2);
    CHECK(lane.controls.size() == 3);
    CHECK(lane.controls[1] == "R");
    CHECK(map.lane(1).controls.size() == 0);
    CHECK_FALSE(lane.adjacent_left);
    CHECK(map.crosswalk_count() == 1);
    CHECK(map.crosswalk(0).outline.points.size() == 3);
    CHECK(map.light_count() == 1);
    CHECK(map.light(0).id == "T1");
    CHECK(map.face_count() == 2);
    CHECK(map.face(1).colour == bev::FaceColour::green);
  }

  TEST_CASE("a row beyond the end is an error") {
    CHECK_THROWS_WITH_AS(crossing().lane(2),
                         "semantic map: lane 2 is out of range (count 2)", Error);
    CHECK_THROWS_AS(crossing().crosswalk(1), Error);
  }

  TEST_CASE("lanes are found by id and by place") {
    const auto map = crossing();
    CHECK(map.find_lane("L2") == 1U);
    CHECK_FALSE(map.find_lane("L3"));
    CHECK(map.lanes_near(0, 5, 10) == std::vector<std::uint32_t>{0});
    CHECK(map.crosswalks_near(20, 0, 2) == std::vector<std::uint32_t>{0});
  }

  TEST_CASE("a lane's lines are resampled") {
    const auto lines = crossing().lane_by_count(0, 5);
    CHECK(lines.left.size() == 5);
    CHECK(lines.mid.size() == 5);
    CHECK(crossing().lane_by_metres(0, 1).left.size() >= 10);
  }

  TEST_CASE("active faces colour their lanes") {
    const std::vector<std::string> active{"R", "nothing"};
    const auto colours = crossing().lane_colours(active);
    CHECK(colours == std::vector{bev::LaneColour::red, bev::LaneColour::none});
  }

  TEST_CASE("the arrays outlive the map") {
    bev::Arrays arrays;
    {
      auto map = crossing();
      arrays = map.arrays();
    }
    CHECK(arrays.text("lanes.id")[1] == "L2");
  }

  TEST_CASE("an aerial image needs height x width x 3 bytes and its place") {
    CHECK_THROWS_AS(
        bev::AerialImage(2, 2, std::vector<std::uint8_t>(12), equator_meta_json()),
        Error);
  }
}

}  // namespace map_test
