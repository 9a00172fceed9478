#include "core/map/messages.hpp"

#include <doctest/doctest.h>

#include "tests/support/map_writer.hpp"

namespace messages_test {

using bev::map::Budget;
using bev::map::Limits;
using bev::map::RawControl;
using bev::map::RawJunction;
using bev::map::RawLane;
using bev::map::RawSegment;
using bev::map::Wire;
using namespace bev::test;
using bev::test::Message;
using Deltas = std::vector<std::int32_t>;
using Ids = std::vector<std::string>;

namespace {

RawLane lane_of(const Message& message) {
  Budget budget{Limits()};
  RawLane lane;
  read_lane(Wire(message.text()), lane, budget);
  return lane;
}

RawControl control_of(const Message& message) {
  Budget budget{Limits()};
  RawControl control;
  read_control(Wire(message.text()), control, budget);
  return control;
}

}  // namespace

TEST_SUITE("map/messages") {
  TEST_CASE("a lane has all that the schema gives it") {
    const auto lane = lane_of(Message()
                                  .id(1, "S1")
                                  .message(2, geo_frame(374404736, -1221634863))
                                  .message(3, boundary({10, -20}, {30, 40})
                                                  .enums(4, {5, 12})
                                                  .bytes(5, std::string("\x96\x01")))
                                  .message(4, boundary({7}, {-8}))
                                  .id(5, "A1")
                                  .id(5, "A2")
                                  .id(6, "Le")
                                  .id(7, "Ri")
                                  .id(8, "T1")
                                  .id(9, "Y1")
                                  .varint(10, 1)
                                  .message(11, Message().varint(1, 3))
                                  .varint(12, 2)
                                  .varint(13, 6)
                                  .id(14, "toll"));
    CHECK(lane.parent == "S1");
    CHECK(lane.frame.lat_e7 == 374404736);
    CHECK(lane.frame.lng_e7 == -1221634863);
    CHECK(lane.left.line.dx_cm == Deltas{10, -20});
    CHECK(lane.left.line.dy_cm == Deltas{30, 40});
    CHECK(lane.left.line.dz_cm == Deltas{0, 0});
    CHECK(lane.left.dividers == std::vector<std::uint64_t>{5, 12});
    CHECK(lane.left.type_change_point_cm == Deltas{150});
    CHECK(lane.right.line.dx_cm == Deltas{7});
    CHECK(lane.lanes_ahead == Ids{"A1", "A2"});
    CHECK(lane.adjacent_left == "Le");
    CHECK(lane.adjacent_right == "Ri");
    CHECK(lane.traffic_controls == Ids{"T1"});
    CHECK(lane.yield_to_lanes == Ids{"Y1"});
    CHECK(lane.can_have_parked_cars);
    CHECK(lane.access == 3);
    CHECK(lane.orientation == 2);
    CHECK(lane.turn == 6);
  }

  TEST_CASE("steps may come one by one, and in several packs") {
    const auto side = Message().varint(1, 2).deltas(1, {5, 6}).varint(1, 3);
    CHECK(lane_of(Message().message(3, side)).left.line.dx_cm == Deltas{1, 5, 6, -2});
  }

  TEST_CASE("a known field of another wire type is an unknown one") {
    const auto lane = lane_of(
        Message().varint(3, 1).real32(12, 1.0f).bytes(10, "x").varint(2, 9).id(5, "A"));
    CHECK(lane.left.line.dx_cm.empty());
    CHECK(lane.orientation == 0);
    CHECK_FALSE(lane.can_have_parked_cars);
    CHECK(lane.lanes_ahead == Ids{"A"});
  }

  TEST_CASE("a boundary that comes twice is one longer boundary") {
    const auto lane = lane_of(
        Message().message(3, boundary({1}, {2})).message(3, boundary({3}, {4})));
    CHECK(lane.left.line.dx_cm == Deltas{1, 3});
  }

  TEST_CASE("altitude and bearing of a frame are skipped") {
    const auto location = Message().sfixed32(1, 5).sfixed32(2, 6).varint(3, 800);
    const auto frame = Message().message(1, location).real32(2, 270.0f);
    const auto control = control_of(Message().message(2, frame));
    CHECK(control.frame.lat_e7 == 5);
    CHECK(control.frame.lng_e7 == 6);
  }

  TEST_CASE("a control has a frame, a line and a type") {
    const auto control = control_of(Message()
                                        .message(2, geo_frame(1, 2))
                                        .deltas(3, {1, 2})
                                        .deltas(4, {3, 4})
                                        .deltas(5, {5, 6})
                                        .id(6, "path")
                                        .message(16, Message().id(1, "T1"))
                                        .varint(48, 4));
    CHECK(control.line.dx_cm == Deltas{1, 2});
    CHECK(control.line.dy_cm == Deltas{3, 4});
    CHECK(control.line.dz_cm == Deltas{5, 6});
    CHECK(control.type == 16);
  }

  TEST_CASE("a traffic light names its faces") {
    const auto faces = Message().id(3, "red").id(3, "grn");
    const auto control = control_of(Message().message(29, faces));
    CHECK(control.type == 29);
    CHECK(control.faces == Ids{"red", "grn"});
  }

  TEST_CASE("of a control's types the last one stands") {
    const auto control = control_of(
        Message().message(29, Message().id(3, "red")).message(12, Message()));
    CHECK(control.type == 12);
    CHECK(control.faces.empty());
  }

  TEST_CASE("reserved and unknown numbers are no types") {
    for (const std::uint32_t number : {6U, 14U, 26U, 28U, 48U, 74U, 300U}) {
      CAPTURE(number);
      const auto control =
          control_of(Message().message(11, Message()).message(number, Message()));
      CHECK(control.type == 11);
    }
  }

  TEST_CASE("a junction names its lanes and controls") {
    Budget budget{Limits()};
    RawJunction junction;
    const auto message = Message().id(1, "node").id(2, "T1").id(3, "L1").id(3, "L2");
    read_junction(Wire(message.text()), junction, budget);
    CHECK(junction.controls == Ids{"T1"});
    CHECK(junction.lanes == Ids{"L1", "L2"});
    CHECK_FALSE(junction.is_non_trivial_intersection);
    const auto more = Message().varint(4, 1);
    read_junction(Wire(more.text()), junction, budget);
    CHECK(junction.is_non_trivial_intersection);
    CHECK(junction.lanes.size() == 2);
  }

  TEST_CASE("a segment has lanes and speed limits") {
    Budget budget{Limits()};
    RawSegment segment;
    const auto message = Message().real32(9, 13.5f).real32(10, 8.25f).id(12, "L1");
    read_segment(Wire(message.text()), segment, budget);
    CHECK(segment.speed_limit_mps == 13.5f);
    CHECK(segment.speed_limit_backward_mps == 8.25f);
    CHECK(segment.lanes == Ids{"L1"});
  }
}

}  // namespace messages_test
