#include "core/map/flat_map.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/support/small_map.hpp"

using bev::map::flatten;
using bev::map::SemanticMap;
using namespace bev::test;
using Bytes = std::vector<std::uint8_t>;
using Rows = std::vector<std::uint32_t>;

namespace {

bev::map::FlatMap flat(const std::vector<Message>& elements) {
  return flatten(SemanticMap::parse(fragment(elements).span(), equator_meta()));
}

}  // namespace

TEST_SUITE("map/flat_map") {
  TEST_CASE("ids lie one after the other, with where each begins") {
    const auto map = flat({lane("L1", 0), lane("\xc3\xa9t\xc3\xa9", 5), lane("", 9)});
    CHECK(map.lane_id.utf8 == "L1\xc3\xa9t\xc3\xa9");
    CHECK(map.lane_id.offsets == Rows{0, 2, 7, 7});
  }

  TEST_CASE("boundaries lie one after the other, in world") {
    const auto empty = map_element("L0", kLane, Message());
    const auto map = flat({lane("L1", 0), empty, lane("L2", 50)});
    CHECK(map.left.offsets == Rows{0, 2, 2, 4});
    CHECK(map.right.offsets == Rows{0, 2, 2, 4});
    REQUIRE(map.left.points.size() == 4);
    CHECK(map.left.points[3].x == doctest::Approx(48));
    CHECK(map.left.points[3].y == doctest::Approx(10));
    CHECK(map.right.points[2].x == doctest::Approx(52));
  }

  TEST_CASE("controls are by lane; lanes ahead are rows of those that the map has") {
    const auto map = flat({lane("L1", 0, Message().id(8, "T1").id(8, "R").id(5, "L3")),
                           lane("L2", 5, Message().id(5, "gone").id(5, "L1")),
                           lane("L3", 9, Message().id(8, "T2"))});
    CHECK(map.controls.utf8 == "T1RT2");
    CHECK(map.controls_first == Rows{0, 2, 2, 3});
    CHECK(map.ahead.rows == Rows{2, 0});
    CHECK(map.ahead.first == Rows{0, 1, 2, 2});
  }

  TEST_CASE("turn, access, divider and junction are the schema's numbers") {
    const auto more = Message()
                          .id(1, "J")
                          .varint(13, 4)
                          .message(11, Message().varint(1, 3))
                          .message(3, Message().enums(4, {5, 2}));
    const auto map = flat(
        {lane("L1", 0), lane("L2", 5, more), map_element("J", kJunction, Message())});
    CHECK(map.turn == Bytes{0, 4});
    CHECK(map.access == Bytes{0, 3});
    CHECK(map.left_divider == Bytes{0, 5});
    CHECK(map.right_divider == Bytes{0, 0});
    CHECK(map.in_junction == Bytes{0, 1});
  }

  TEST_CASE("crosswalks, lights and faces have columns of their own") {
    const auto map = flat({crosswalk("C1", 0), control("T1", 29), control("R", 11),
                           control("Y", 36), crosswalk("C2", 8)});
    CHECK(map.crosswalk_id.utf8 == "C1C2");
    CHECK(map.crosswalks.offsets == Rows{0, 3, 6});
    CHECK(map.crosswalks.points[5].x == doctest::Approx(11));
    CHECK(map.light_id.utf8 == "T1");
    CHECK(map.light_position.size() == 1);
    CHECK(map.face_id.utf8 == "RY");
    CHECK(map.face_colour == Bytes{0, 2});
  }

  TEST_CASE("bounds are least and greatest; an empty map's hold nothing") {
    const auto map = flat({lane("L1", 0)});
    CHECK(map.bounds[0] == doctest::Approx(-2));
    CHECK(map.bounds[3] == doctest::Approx(10));
    CHECK(flat({}).bounds[0] == std::numeric_limits<double>::infinity());
    CHECK(flat({}).bounds[2] == -std::numeric_limits<double>::infinity());
    CHECK(flat({}).lane_id.offsets == Rows{0});
    CHECK(flat({}).controls_first == Rows{0});
  }
}
