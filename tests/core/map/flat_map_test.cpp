#include "core/map/flat_map.hpp"

#include <doctest/doctest.h>

#include <cmath>
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

  TEST_CASE("neighbours, junction and segment are rows, -1 for none") {
    using Maybe = std::vector<std::int32_t>;
    const auto map =
        flat({lane("L1", 0, Message().id(6, "L2").id(7, "gone").id(1, "S")),
              lane("L2", 5, Message().id(7, "L1").id(1, "J")), lane("", 9),
              map_element("J", kJunction, Message().id(3, "L2").id(3, "no")),
              map_element("S", kSegment, Message())});
    CHECK(map.adjacent_left == Maybe{1, -1, -1});
    CHECK(map.adjacent_right == Maybe{-1, 0, -1});
    CHECK(map.junction == Maybe{-1, 0, -1});
    CHECK(map.segment == Maybe{0, -1, -1});
    CHECK(map.junction_id.utf8 == "J");
    CHECK(map.junction_lanes.rows == Rows{1});
    CHECK(map.junction_lanes.first == Rows{0, 1});
    CHECK(map.segment_id.utf8 == "S");
  }

  TEST_CASE("a lane has the limit of its segment, in its direction") {
    const auto of = [](std::uint64_t orientation) {
      return Message().id(1, "S").varint(12, orientation);
    };
    const auto map =
        flat({lane("L1", 0, of(2)), lane("L2", 5, of(3)), lane("L3", 9),
              map_element("S", kSegment, Message().real32(9, 13.5F).real32(10, 8))});
    CHECK(map.speed_limit[0] == 13.5F);
    CHECK(map.speed_limit[1] == 8);
    CHECK(std::isnan(map.speed_limit[2]));
    CHECK(map.orientation == Bytes{2, 3, 0});
    CHECK(map.segment_speed_limit_backward == std::vector<float>{8});
  }

  TEST_CASE("all dividers of a side are there, and where they change") {
    const auto side =
        Message().enums(4, {5, 2}).deltas(1, {}).raw(Message().varint(5, 700).text());
    const auto map = flat({lane("L0", 0), lane("L1", 5, Message().message(4, side))});
    CHECK(map.right_dividers.kinds == Bytes{5, 2});
    CHECK(map.right_dividers.kinds_first == Rows{0, 0, 2});
    CHECK(map.right_dividers.changes_cm == std::vector<std::int32_t>{700});
    CHECK(map.left_dividers.changes_first == Rows{0, 0, 0});
  }

  TEST_CASE("points have their heights beside them") {
    const auto map = flat({lane("L1", 0), crosswalk("C", 3)});
    CHECK(map.left.heights.size() == map.left.points.size());
    CHECK(map.crosswalks.heights.size() == 3);
    CHECK(map.left.heights[0] == doctest::Approx(0).epsilon(1e-6));
  }

  TEST_CASE("crosswalks, lights and faces have columns of their own") {
    const auto map = flat({crosswalk("C1", 0), control("T1", 29), control("R", 11),
                           control("Y", 36), crosswalk("C2", 8)});
    CHECK(map.crosswalk_id.utf8 == "C1C2");
    CHECK(map.crosswalks.offsets == Rows{0, 3, 6});
    CHECK(map.crosswalks.points[5].x == doctest::Approx(11));
    CHECK(map.light_id.utf8 == "T1");
    CHECK(map.light_position.size() == 1);
    CHECK(map.light_from_deg.size() == 1);
    CHECK(map.light_movements == Bytes{0});
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
