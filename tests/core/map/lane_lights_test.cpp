#include "core/map/lane_lights.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/small_map.hpp"

using bev::Errc;
using bev::Error;
using bev::map::ActiveFace;
using bev::map::Colour;
using bev::map::LaneLight;
using bev::map::LaneLights;
using bev::map::SemanticMap;
using bev::map::traffic_light_feature;
using namespace bev::test;
using Lights = std::vector<LaneLight>;

namespace {

/// L0 has no controls, L1 one light with three faces, L2 all of two lights and a sign.
SemanticMap crossing() {
  const auto one = Message().id(8, "T1").id(8, "R1").id(8, "Y1").id(8, "G1");
  const auto two = Message().raw(one.text()).id(8, "T2").id(8, "R2").id(8, "stop");
  const std::vector<Message> elements = {
      lane("L0", 0),     lane("L1", 5, one), lane("L2", 9, two), control("T1", 29),
      control("R1", 11), control("Y1", 12),  control("G1", 13),  control("T2", 29),
      control("R2", 38), control("stop", 7)};
  return SemanticMap::parse(fragment(elements).span(), equator_meta());
}

Lights colours(const std::vector<std::string_view>& active) {
  return LaneLights(crossing()).colours(active);
}

}  // namespace

TEST_SUITE("map/lane_lights") {
  TEST_CASE("a lane has the colour of its lit face") {
    using enum LaneLight;
    CHECK(colours({}) == Lights{none, none, none});
    CHECK(colours({"R1"}) == Lights{none, red, red});
    CHECK(colours({"Y1"}) == Lights{none, yellow, yellow});
    CHECK(colours({"G1"}) == Lights{none, green, green});
    CHECK(colours({"R2"}) == Lights{none, none, red});
  }

  TEST_CASE("of several lit faces red is before yellow before green, in any order") {
    using enum LaneLight;
    CHECK(colours({"G1", "R2"}) == Lights{none, green, red});
    CHECK(colours({"R2", "G1"}) == Lights{none, green, red});
    CHECK(colours({"G1", "Y1"}) == Lights{none, yellow, yellow});
    CHECK(colours({"R1", "Y1", "G1"}) == Lights{none, red, red});
  }

  TEST_CASE("ids that are no face change nothing") {
    using enum LaneLight;
    CHECK(colours({"T1", "stop", "no such", "", "G1", "G1"}) ==
          Lights{none, green, green});
  }

  TEST_CASE("a map without lanes has no colours") {
    CHECK(LaneLights(SemanticMap()).colours({}).empty());
  }

  TEST_CASE(
      "the feature is 4 without a light, else the most to heed of the lit faces") {
    const auto map = crossing();
    const auto feature = [&](std::uint32_t lane, std::vector<ActiveFace> active) {
      return traffic_light_feature(map, lane, active);
    };
    CHECK(feature(0, {{"R1", Colour::red}}) == 4);
    CHECK(feature(1, {}) == 0);
    CHECK(feature(1, {{"R2", Colour::red}}) == 0);
    CHECK(feature(1, {{"G1", Colour::green}}) == 1);
    CHECK(feature(1, {{"G1", Colour::green}, {"Y1", Colour::yellow}}) == 2);
    CHECK(feature(2, {{"R2", Colour::red}, {"G1", Colour::green}}) == 3);
  }

  TEST_CASE("a lane with faces but no light of its own has no light") {
    const std::vector<Message> elements = {lane("L", 0, Message().id(8, "R")),
                                           control("R", 11)};
    const auto map = SemanticMap::parse(fragment(elements).span(), equator_meta());
    CHECK(traffic_light_feature(map, 0, std::vector<ActiveFace>{{"R", Colour::red}}) ==
          4);
  }

  TEST_CASE("the feature of a lane that names an unknown control is an error") {
    const std::vector<Message> elements = {lane("L", 0, Message().id(8, "gone"))};
    const auto map = SemanticMap::parse(fragment(elements).span(), equator_meta());
    CHECK_THROWS_WITH_AS(traffic_light_feature(map, 0, {}),
                         "semantic map: lane \"L\": unknown traffic control \"gone\"",
                         Error);
    CHECK_THROWS_WITH_AS(traffic_light_feature(map, 1, {}),
                         "semantic map: lane 1 is out of range (count 1)", Error);
  }
}
