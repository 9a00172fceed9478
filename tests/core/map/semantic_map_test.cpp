#include "core/map/semantic_map.hpp"

#include <doctest/doctest.h>

#include <map>

#include "core/base/error.hpp"
#include "tests/support/small_map.hpp"

namespace semantic_map_test {

using bev::Error;
using bev::map::Access;
using bev::map::Box;
using bev::map::Colour;
using bev::map::Divider;
using bev::map::Orientation;
using bev::map::SemanticMap;
using bev::map::Turn;
using namespace bev::test;
using bev::test::Message;
using Rows = std::vector<std::uint32_t>;
using bev::map::face_colour;

namespace {

SemanticMap parsed(const std::vector<Message>& elements) {
  return SemanticMap::parse(fragment(elements).span(), equator_meta());
}

}  // namespace

TEST_SUITE("map/semantic_map") {
  TEST_CASE("lanes are in world, in the file's order and by id") {
    const auto map = parsed({lane("L1", 0), lane("L2", 100)});
    REQUIRE(map.lanes().size() == 2);
    CHECK(map.lane_row("L2") == 1U);
    CHECK_FALSE(map.lane_row("L3").has_value());
    const auto& second = map.lanes()[1];
    REQUIRE(second.left.points.size() == 2);
    CHECK(second.left.points[1].x == doctest::Approx(98));
    CHECK(second.left.points[1].y == doctest::Approx(10));
    CHECK(second.right.points[0].x == doctest::Approx(102));
    CHECK(second.bounds.min_x == doctest::Approx(98));
    CHECK(second.bounds.max_x == doctest::Approx(102));
    CHECK(second.bounds.max_y == doctest::Approx(10));
  }

  TEST_CASE("a lane says how it is connected and used") {
    const auto more = Message()
                          .id(1, "J")
                          .id(5, "A")
                          .id(6, "Le")
                          .id(7, "Ri")
                          .id(8, "T")
                          .id(9, "Y")
                          .varint(10, 1)
                          .message(11, Message().varint(1, 4))
                          .varint(12, 2)
                          .varint(13, 5);
    const auto map = parsed({lane("L1", 0, more)});
    const auto& one = map.lanes()[0];
    CHECK(one.parent == "J");
    CHECK(one.lanes_ahead == std::vector<std::string>{"A"});
    CHECK(one.adjacent_left == "Le");
    CHECK(one.adjacent_right == "Ri");
    CHECK(one.traffic_controls == std::vector<std::string>{"T"});
    CHECK(one.yield_to_lanes == std::vector<std::string>{"Y"});
    CHECK(one.can_have_parked_cars);
    CHECK(one.access == Access::only_bike);
    CHECK(one.orientation == Orientation::one_way_forward);
    CHECK(one.turn == Turn::sharp_right);
  }

  TEST_CASE("numbers that an enumeration does not have are unknown") {
    const auto more = Message()
                          .message(11, Message().varint(1, 6))
                          .varint(12, ~std::uint64_t{0})
                          .varint(13, 7)
                          .message(3, Message().enums(4, {12, 13, -1}));
    const auto map = parsed({lane("L1", 0, more)});
    CHECK(map.lanes()[0].access == Access::unknown);
    CHECK(map.lanes()[0].orientation == Orientation::unknown);
    CHECK(map.lanes()[0].turn == Turn::unknown);
    CHECK(map.lanes()[0].left.dividers ==
          std::vector<Divider>{Divider::curb, Divider::unknown, Divider::unknown});
  }

  TEST_CASE("a lane is in a junction when its parent is one, wherever it stands") {
    const auto junction = Message().id(3, "L1").id(2, "T1").varint(4, 1);
    const auto map = parsed({lane("L1", 0, Message().id(1, "J")),
                             lane("L2", 9, Message().id(1, "S")),
                             map_element("J", kJunction, junction),
                             map_element("S", kSegment, Message().real32(9, 13.5f))});
    CHECK(map.lanes()[0].in_junction);
    CHECK_FALSE(map.lanes()[1].in_junction);
    REQUIRE(map.junction_row("J") == 0U);
    CHECK(map.junctions()[0].lanes == std::vector<std::string>{"L1"});
    CHECK(map.junctions()[0].controls == std::vector<std::string>{"T1"});
    CHECK(map.junctions()[0].is_non_trivial_intersection);
    REQUIRE(map.segment_row("S") == 0U);
    CHECK(map.segments()[0].speed_limit_mps == 13.5f);
    CHECK_FALSE(map.segments()[0].speed_limit_backward_mps.has_value());
  }

  TEST_CASE("crosswalks are outlines; one without points is none") {
    const auto map =
        parsed({crosswalk("C1", 0), control("C2", 16), crosswalk("C3", 50)});
    REQUIRE(map.crosswalks().size() == 2);
    CHECK(map.crosswalk_row("C3") == 1U);
    CHECK_FALSE(map.crosswalk_row("C2").has_value());
    CHECK(map.contains("C2"));
    REQUIRE(map.crosswalks()[1].outline.size() == 3);
    CHECK(map.crosswalks()[1].outline[2].x == doctest::Approx(53));
    CHECK(map.crosswalks()[1].outline[2].y == doctest::Approx(5));
    CHECK(map.crosswalks_near(51, 1, 5) == Rows{1});
  }

  TEST_CASE("lights name faces, and faces have colours") {
    const auto map =
        parsed({control("T1", 29, Message().id(3, "R").id(3, "G")), control("R", 11),
                control("G", 31), control("Y", 12), control("stop", 7)});
    REQUIRE(map.lights().size() == 1);
    CHECK(map.lights()[0].faces == std::vector<std::string>{"R", "G"});
    CHECK(map.light_row("T1") == 0U);
    REQUIRE(map.faces().size() == 3);
    CHECK(map.faces()[*map.face_row("R")].colour == Colour::red);
    CHECK(map.faces()[*map.face_row("G")].colour == Colour::green);
    CHECK(map.faces()[*map.face_row("Y")].colour == Colour::yellow);
    CHECK_FALSE(map.face_row("stop").has_value());
    CHECK(map.contains("stop"));
  }

  TEST_CASE("a light is where its first point is, else where its frame is") {
    const auto frame = Message().message(2, geo_frame(0, 100)).message(29, Message());
    const auto point =
        Message().deltas(3, {150}).deltas(4, {250}).deltas(5, {500}).message(29, {});
    const auto map = parsed(
        {map_element("T1", kControl, frame), map_element("T2", kControl, point)});
    CHECK(map.lights()[0].position.x == doctest::Approx(1.1131949));
    CHECK(map.lights()[1].position.x == doctest::Approx(1.5));
    CHECK(map.lights()[1].position.y == doctest::Approx(2.5));
    CHECK(map.lights()[1].position.z == doctest::Approx(5.0));
  }

  TEST_CASE("of elements with one id the last is found, also of another kind") {
    const auto map =
        parsed({lane("X", 0), lane("X", 50), lane("Z", 60), control("Z", 7)});
    CHECK(map.lanes().size() == 3);
    CHECK(map.lane_row("X") == 1U);
    CHECK_FALSE(map.lane_row("Z").has_value());
    CHECK(map.element_count() == 4);
  }

  TEST_CASE("an element without an id has the id of no characters") {
    CHECK(parsed({lane("", 3)}).lane_row("") == 0U);
  }

  TEST_CASE("a lane without boundaries has no bounds and is near nothing") {
    const auto map = parsed({map_element("L0", kLane, Message()), lane("L1", 0)});
    CHECK(map.lanes()[0].bounds.empty());
    CHECK(map.lanes_near(0, 0, 1e9) == Rows{1});
    CHECK(map.bounds().max_x == doctest::Approx(2));
  }

  TEST_CASE("bounds hold all lanes and crosswalks; of an empty map they are empty") {
    CHECK(parsed({}).bounds() == Box{});
    const auto map = parsed({lane("L1", -20), crosswalk("C1", 40)});
    CHECK(map.bounds().min_x == doctest::Approx(-22));
    CHECK(map.bounds().max_x == doctest::Approx(43));
    CHECK(map.bounds().min_y == doctest::Approx(0));
    CHECK(map.bounds().max_y == doctest::Approx(10));
  }

  TEST_CASE("lanes near a point are those whose grown bounds hold it") {
    const auto map = parsed({lane("L1", 0), lane("L2", 30), lane("L3", 60)});
    CHECK(map.lanes_near(30, 5, 0) == Rows{1});
    CHECK(map.lanes_near(30, 5, 29) == Rows{0, 1, 2});
    CHECK(map.lanes_near(45, 5, 14) == Rows{1, 2});
    CHECK(map.lanes_near(45, 5, 12).empty());
  }

  TEST_CASE("an error of geometry names element and boundary") {
    const auto bad = Message().message(3, boundary({1}, {1, 2}));
    CHECK_THROWS_WITH_AS(parsed({lane("L1", 0), map_element("Ab3x", kLane, bad)}),
                         "semantic map: element 1 (lane \"Ab3x\"): left_boundary: "
                         "lengths differ (found 1 x, 2 y and 1 z)",
                         Error);
  }

  TEST_CASE("plain faces and four kinds of arrows have a colour, nothing else has") {
    const std::map<std::uint32_t, Colour> coloured = {
        {11, Colour::red},    {30, Colour::red},    {32, Colour::red},
        {38, Colour::red},    {41, Colour::red},    {12, Colour::yellow},
        {36, Colour::yellow}, {37, Colour::yellow}, {39, Colour::yellow},
        {42, Colour::yellow}, {13, Colour::green},  {31, Colour::green},
        {33, Colour::green},  {40, Colour::green},  {43, Colour::green}};
    for (std::uint32_t type = 0; type < 80; ++type) {
      CAPTURE(type);
      const auto known = coloured.find(type);
      const auto colour = face_colour(type);
      CHECK(colour.has_value() == (known != coloured.end()));
      if (colour && known != coloured.end()) CHECK(*colour == known->second);
    }
  }
}

}  // namespace semantic_map_test
