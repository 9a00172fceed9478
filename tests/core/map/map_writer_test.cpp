#include "core/map/map_writer.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "core/base/error.hpp"
#include "core/geom/geodesy.hpp"
#include "core/map/meta.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/error_code.hpp"

using namespace bev::map;

namespace {

std::vector<RawElement> elements(const MapWriter& map) {
  std::vector<RawElement> out;
  read_fragment(map.bytes(), {}, [&](const RawElement& element, std::size_t) {
    out.push_back(element);
  });
  return out;
}

RawLane full_lane() {
  RawLane lane;
  lane.parent = "junction";
  lane.frame = {374293333, -1221543611};
  lane.left = {{{1, 2, -3}, {4, 5, 6}, {0, 0, 7}}, {2, 5}, {300}};
  lane.right = {{{-1, 2147483647}, {0, -2147483647}, {9, 9}}, {1}, {}};
  lane.centre = {{{5, 6}, {7, -8}, {0, 1}}, {}, {}};
  lane.lanes_ahead = {"a", "b"};
  lane.traffic_controls = {"light"};
  lane.yield_to_lanes = {"c"};
  lane.adjacent_left = "d";
  lane.adjacent_right = "e";
  lane.access = 3;
  lane.orientation = 2;
  lane.turn = 6;
  lane.can_have_parked_cars = true;
  return lane;
}

}  // namespace

TEST_SUITE("map/map_writer") {
  TEST_CASE("a lane is read with every field that was written") {
    MapWriter map("test");
    map.add("lane", full_lane());
    const auto read = elements(map);
    REQUIRE(read.size() == 1);
    const RawLane lane = read[0].lane, expected = full_lane();
    CHECK(read[0].id == "lane");
    CHECK(read[0].kind == ElementKind::lane);
    CHECK(lane.parent == expected.parent);
    CHECK(lane.frame.lat_e7 == expected.frame.lat_e7);
    CHECK(lane.frame.lng_e7 == expected.frame.lng_e7);
    CHECK(lane.left.line.dx_cm == expected.left.line.dx_cm);
    CHECK(lane.left.line.dy_cm == expected.left.line.dy_cm);
    CHECK(lane.left.line.dz_cm == expected.left.line.dz_cm);
    CHECK(lane.left.dividers == expected.left.dividers);
    CHECK(lane.left.type_change_point_cm == expected.left.type_change_point_cm);
    CHECK(lane.right.line.dx_cm == expected.right.line.dx_cm);
    CHECK(lane.right.dividers == expected.right.dividers);
    CHECK(lane.centre.line.dx_cm == expected.centre.line.dx_cm);
    CHECK(lane.centre.line.dy_cm == expected.centre.line.dy_cm);
    CHECK(lane.centre.line.dz_cm == expected.centre.line.dz_cm);
    CHECK(lane.lanes_ahead == expected.lanes_ahead);
    CHECK(lane.traffic_controls == expected.traffic_controls);
    CHECK(lane.yield_to_lanes == expected.yield_to_lanes);
    CHECK(lane.adjacent_left == "d");
    CHECK(lane.adjacent_right == "e");
    CHECK(lane.access == 3);
    CHECK(lane.orientation == 2);
    CHECK(lane.turn == 6);
    CHECK(lane.can_have_parked_cars);
  }

  TEST_CASE("each other element is read as its kind") {
    const RawFrame frame{10, 20};
    MapWriter map("test");
    map.add("walk", CrosswalkRecord{frame, {{1, 2}, {3, 4}, {0, 0}}, {}});
    map.add("light", LightRecord{frame, {"red", "green", "yellow"}});
    map.add("red", FaceRecord{frame, Colour::red});
    map.add("green", FaceRecord{frame, Colour::green});
    map.add("yellow", FaceRecord{frame, Colour::yellow});
    map.add("segment", SegmentRecord{{frame}, "n", "m", 13.5F, {"lane"}});
    map.add("junction", JunctionRecord{{"n"}, {"light"}, {"lane"}, true});
    map.add("node", NodeRecord{frame, {"segment"}, "junction"});
    const auto read = elements(map);
    REQUIRE(read.size() == 8);
    CHECK(read[0].control.line.dx_cm == std::vector<std::int32_t>{1, 2});
    CHECK(read[0].control.frame.lng_e7 == 20);
    CHECK(read[1].control.faces == std::vector<std::string>{"red", "green", "yellow"});
    CHECK(read[5].segment.speed_limit_mps == 13.5F);
    CHECK(read[5].segment.lanes == std::vector<std::string>{"lane"});
    CHECK(read[6].junction.lanes == std::vector<std::string>{"lane"});
    CHECK(read[6].junction.controls == std::vector<std::string>{"light"});
    CHECK(read[6].junction.is_non_trivial_intersection);
    CHECK(read[7].kind == ElementKind::node);

    Meta meta;
    const std::string& bytes = map.bytes();
    const auto whole = SemanticMap::parse(std::as_bytes(std::span(bytes)), meta);
    CHECK(whole.crosswalks().size() == 1);
    REQUIRE(whole.faces().size() == 3);
    CHECK(whole.faces()[0].colour == Colour::red);
    CHECK(whole.faces()[1].colour == Colour::green);
    CHECK(whole.faces()[2].colour == Colour::yellow);
    CHECK(whole.lights().size() == 1);
  }

  TEST_CASE("an element without content keeps its kind") {
    MapWriter map("test");
    map.add("segment", SegmentRecord{});
    map.add("walk", CrosswalkRecord{});
    map.add("light", LightRecord{});
    const auto read = elements(map);
    CHECK(read[0].kind == ElementKind::segment);
    CHECK(read[1].control.type == 16);
    CHECK(read[2].control.type == 29);
  }

  TEST_CASE("steps are rounded to centimetres without accumulating errors") {
    std::vector<bev::geom::Vec3> line;
    for (int i = 0; i < 100; ++i) line.push_back({0.014 * i, -0.014 * i, 0.004});
    const RawLine steps = steps_along(line, {});
    std::int32_t x = 0, y = 0;
    for (const auto step : steps.dx_cm) x += step;
    for (const auto step : steps.dy_cm) y += step;
    CHECK(x == 139);  // 1.386 m
    CHECK(y == -139);
    CHECK(steps.dz_cm == std::vector<std::int32_t>(100, 0));
  }

  TEST_CASE("a point outside the range of steps is rejected") {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    for (const double x : {2.2e7, -kInf, std::numeric_limits<double>::quiet_NaN()}) {
      const std::vector<bev::geom::Vec3> line{{0, 0, 0}, {x, 0, 0}};
      CHECK(bev::test::error_code([&] { steps_along(line, {}); }) ==
            bev::Errc::invalid_argument);
    }
    const std::vector<bev::geom::Vec3> far{{2e7, 0, 0}, {-2e7, 0, 0}};
    CHECK(bev::test::error_code([&] { steps_along(far, {}); }) ==
          bev::Errc::invalid_argument);
  }

  TEST_CASE("a map above the reader's limits is not written") {
    Limits limits;
    limits.elements = 2;
    MapWriter few("test", limits);
    few.add("a", NodeRecord{});
    few.add("b", NodeRecord{});
    CHECK(bev::test::error_code([&] { few.add("c", NodeRecord{}); }) ==
          bev::Errc::limit_exceeded);
    limits.bytes = 40;
    limits.elements = 10;
    MapWriter small("test", limits);
    CHECK(bev::test::error_code([&] { small.add("lane", full_lane()); }) ==
          bev::Errc::limit_exceeded);
    limits = {};
    limits.numbers = 18;
    MapWriter short_lines("test", limits);
    CHECK(bev::test::error_code([&] { short_lines.add("lane", full_lane()); }) ==
          bev::Errc::limit_exceeded);
    limits = {};
    limits.references = 3;
    MapWriter few_links("test", limits);
    CHECK(bev::test::error_code([&] { few_links.add("lane", full_lane()); }) ==
          bev::Errc::limit_exceeded);
  }

  TEST_CASE("limits apply to each part that is begun") {
    bev::map::Limits limits;
    limits.elements = 2;
    MapWriter writer("test", limits);
    std::string all;
    for (int part = 0; part < 3; ++part) {
      writer.begin_part();
      writer.add("a", NodeRecord{});
      writer.add("b", NodeRecord{});
      CHECK(bev::test::error_code([&] { writer.add("c", NodeRecord{}); }) ==
            bev::Errc::limit_exceeded);
      all += writer.take();
    }
    MapWriter whole("test");
    for (int i = 0; i < 6; ++i) whole.add(i % 2 == 0 ? "a" : "b", NodeRecord{});
    CHECK(all == whole.take());
  }

  TEST_CASE("meta.json lists the parts that were written") {
    const auto frame = bev::geom::ecef_from_enu({37.4, -122.1, 0});
    const std::vector<bev::map::MapPart> parts = {{0, 7, {-1, -2.5, 3, 4}},
                                                  {7, 1'000'000'000'000, {3, 0, 5, 1}}};
    const auto text = meta_json(frame, std::nullopt, parts);
    CHECK(parse_meta(text).ecef_from_world.rows == frame.rows);
    const auto read = bev::map::parse_map_parts(text);
    REQUIRE(read.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(read[i].begin == parts[i].begin);
      CHECK(read[i].end == parts[i].end);
      CHECK(read[i].area.min_x == parts[i].area.min_x);
      CHECK(read[i].area.min_y == parts[i].area.min_y);
      CHECK(read[i].area.max_x == parts[i].area.max_x);
      CHECK(read[i].area.max_y == parts[i].area.max_y);
    }
  }

  TEST_CASE("meta.json is read with the matrices that were written") {
    const auto frame = bev::geom::ecef_from_enu({37.4, -122.1, 0});
    const Meta plain = parse_meta(meta_json(frame, std::nullopt));
    CHECK(plain.ecef_from_world.rows == frame.rows);
    CHECK(!plain.aerial_from_ecef);
    bev::geom::Affine3 aerial;
    aerial.rows = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {0, 0, 0, 0}}};
    const Meta both = parse_meta(meta_json(frame, aerial));
    REQUIRE(both.aerial_from_ecef);
    CHECK(both.aerial_from_ecef->rows == aerial.rows);
  }
}
