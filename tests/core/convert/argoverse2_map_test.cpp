#include <doctest/doctest.h>

#include "core/convert/argoverse2.hpp"
#include "tests/support/argoverse2.hpp"
#include "tests/support/error_code.hpp"

namespace argoverse2_map_test {

using namespace bev;
using namespace bev::convert;
using map::Divider;
using nlohmann::json;
using test::lane_json;

namespace {

SourceMap parsed(const json& map) {
  return parse_argoverse2_map(map.dump(), "austin", argoverse2_tables());
}

SourceMap parsed_lane(const json& lane) {
  return parsed(test::map_json({lane}));
}

std::string problem(const std::string& text) {
  try {
    parse_argoverse2_map(text, "austin", argoverse2_tables());
  } catch (const Error& error) {
    return std::string(to_string(error.code())) + " " + error.what();
  }
  return "";
}

/// Returns an intersection lane whose centre line turns by `degrees`.
json turning_lane(double degrees) {
  json lane = lane_json(5, 0, 0);
  lane["is_intersection"] = true;
  const double angle = degrees * 3.14159265358979323846 / 180;
  lane["centerline"] = test::line_json(
      {{0, 0, 0}, {10, 0, 0}, {10 + std::cos(angle), std::sin(angle), 0}});
  return lane;
}

}  // namespace

TEST_SUITE("convert/argoverse2_map") {
  TEST_CASE("a lane keeps geometry, neighbours and successors") {
    json lane = lane_json(42, 100.25, -3);
    lane["left_neighbor_id"] = 43;
    lane["successors"] = {44, 1000000000001};
    lane["predecessors"] = {41};
    const SourceMap map = parsed_lane(lane);
    REQUIRE(map.lanes.size() == 1);
    const SourceLane& found = map.lanes[0];
    CHECK(found.id == "42");
    CHECK(found.left ==
          std::vector<geom::Vec3>{{100.25, -1.5, 1}, {110.25, -1.5, 1.25}});
    CHECK(found.right ==
          std::vector<geom::Vec3>{{100.25, -4.5, 1}, {110.25, -4.5, 1.25}});
    CHECK(found.left_neighbour == "43");
    CHECK(found.right_neighbour.empty());
    CHECK(found.ahead == std::vector<std::string>{"44", "1000000000001"});
    CHECK(!found.in_junction);
    CHECK(map.frame.lat_e7 == 302746424);
  }

  TEST_CASE("each mark has its divider type, and dashed near lines can be crossed") {
    struct Row {
      const char* mark;
      Divider divider;
      bool can_cross, is_exact;
    };
    const Row rows[] = {
        {"SOLID_YELLOW", Divider::single_yellow_solid, false, true},
        {"SOLID_WHITE", Divider::single_white_solid, false, true},
        {"DASHED_YELLOW", Divider::single_yellow_dashed, true, true},
        {"DASHED_WHITE", Divider::single_white_dashed, true, true},
        {"DOUBLE_SOLID_YELLOW", Divider::double_yellow_solid, false, true},
        {"DOUBLE_SOLID_WHITE", Divider::double_white_solid, false, true},
        {"DOUBLE_DASH_YELLOW", Divider::single_yellow_dashed, true, false},
        {"DOUBLE_DASH_WHITE", Divider::single_white_dashed, true, false},
        {"SOLID_DASH_YELLOW", Divider::double_yellow_dashed_solid, false, true},
        {"DASH_SOLID_YELLOW", Divider::double_yellow_solid_dashed, true, true},
        {"SOLID_DASH_WHITE", Divider::double_white_solid, false, false},
        {"DASH_SOLID_WHITE", Divider::double_white_solid, true, false},
        {"SOLID_BLUE", Divider::unknown, false, false},
        {"NONE", Divider::none, true, true},
        {"UNKNOWN", Divider::unknown, false, true},
    };
    for (const Row& row : rows) {
      CAPTURE(row.mark);
      json lane = lane_json(1, 0, 0);
      lane["left_lane_mark_type"] = row.mark;
      const SourceMap map = parsed_lane(lane);
      CHECK(map.lanes[0].left_divider == row.divider);
      CHECK(map.lanes[0].can_cross_left == row.can_cross);
      CHECK(map.lanes[0].right_divider == Divider::none);
      CHECK(map.lost.contains(std::string("mark type ") + row.mark) == !row.is_exact);
    }
  }

  TEST_CASE("a side without a line can be crossed outside intersections only") {
    json lane = lane_json(1, 0, 0);
    lane["is_intersection"] = true;
    CHECK(!parsed_lane(lane).lanes[0].can_cross_left);
    lane["left_lane_mark_type"] = "DASHED_WHITE";
    CHECK(parsed_lane(lane).lanes[0].can_cross_left);
  }

  TEST_CASE("lane types become access restrictions") {
    for (const auto& [type, access] :
         {std::pair("VEHICLE", map::Access::no_restriction),
          std::pair("BUS", map::Access::only_bus),
          std::pair("BIKE", map::Access::only_bike)}) {
      json lane = lane_json(1, 0, 0);
      lane["lane_type"] = type;
      CHECK(parsed_lane(lane).lanes[0].access == access);
    }
  }

  TEST_CASE("the turn in an intersection follows from the change of heading") {
    using map::Turn;
    for (const auto& [angle, turn] :
         {std::pair(0.0, Turn::through), std::pair(29.0, Turn::through),
          std::pair(-29.0, Turn::through), std::pair(31.0, Turn::left),
          std::pair(90.0, Turn::left), std::pair(149.0, Turn::left),
          std::pair(-31.0, Turn::right), std::pair(-149.0, Turn::right),
          std::pair(151.0, Turn::u_turn), std::pair(-170.0, Turn::u_turn)}) {
      const double degrees = angle;
      CAPTURE(degrees);
      CHECK(parsed_lane(turning_lane(degrees)).lanes[0].turn == turn);
    }
    json street = turning_lane(90);
    street["is_intersection"] = false;
    CHECK(parsed_lane(street).lanes[0].turn == Turn::unknown);
  }

  TEST_CASE("without a centre line the turn follows from both sides") {
    json lane = lane_json(5, 0, 0);
    lane["is_intersection"] = true;
    lane["left_lane_boundary"] = test::line_json({{0, 3, 0}, {5, 3, 0}, {5, 8, 0}});
    lane["right_lane_boundary"] = test::line_json({{0, 0, 0}, {8, 0, 0}, {8, 8, 0}});
    CHECK(parsed_lane(lane).lanes[0].turn == map::Turn::left);
  }

  TEST_CASE("a crossing is the polygon of its edges") {
    const auto map = parsed(test::map_json({}));
    REQUIRE(map.crosswalks.size() == 1);
    CHECK(map.crosswalks[0].id == "900");
    CHECK(map.crosswalks[0].outline ==
          std::vector<geom::Vec3>{{0, 0, 0}, {0, 4, 0}, {2, 4, 0}, {2, 0, 0}});
  }

  TEST_CASE("drivable areas are counted as lost, centre lines are kept") {
    const auto map = parsed_lane(turning_lane(0));
    CHECK(map.lost == std::map<std::string, std::uint64_t>{{"drivable area", 1}});
    CHECK(map.lanes[0].centre.size() == 3);
  }

  TEST_CASE("an invalid lane or crossing is named") {
    const auto lane_problem = [](const char* key, const json& value) {
      json lane = lane_json(42, 0, 0);
      lane[key] = value;
      return problem(json{{"lane_segments", {{"42", lane}}},
                          {"pedestrian_crossings", json::object()}}
                         .dump());
    };
    CHECK(lane_problem("id", 41) ==
          "invalid_metadata map: lane 42: id differs from its key");
    CHECK(lane_problem("id", "42") ==
          "invalid_metadata map: lane 42: id: not an integer (found string)");
    CHECK(
        lane_problem("left_lane_mark_type", "PAINTED") ==
        "invalid_metadata map: lane 42: left_lane_mark_type: unknown mark type (found "
        "\"PAINTED\")");
    CHECK(lane_problem("lane_type", "TRAM")
              .starts_with("invalid_metadata map: lane 42: lane_type: unknown type"));
    CHECK(lane_problem("is_intersection", 1) ==
          "invalid_metadata map: lane 42: is_intersection: not a boolean");
    CHECK(lane_problem("successors", 3) ==
          "invalid_metadata map: lane 42: successors: not an array");
    CHECK(
        lane_problem("successors", {1.5})
            .starts_with("invalid_metadata map: lane 42: successors: not an integer"));
    CHECK(lane_problem("left_neighbor_id", "x")
              .starts_with("invalid_metadata map: lane 42: left_neighbor_id"));
    CHECK(lane_problem("right_lane_boundary", test::line_json({{0, 0, 0}})) ==
          "invalid_metadata map: lane 42: right_lane_boundary: must be at least 2 "
          "points");
    CHECK(lane_problem("right_lane_boundary",
                       test::line_json({{0, 0, 0}, {2e6, 0, 0}})) ==
          "invalid_metadata map: lane 42: right_lane_boundary: coordinate x is not a "
          "number within 1000 km");
    CHECK(lane_problem("left_lane_boundary", {1, 2})
              .starts_with("invalid_metadata map: lane 42: left_lane_boundary"));
    json map = test::map_json({});
    map["pedestrian_crossings"]["900"].erase("edge2");
    CHECK(problem(map.dump()) == "invalid_metadata map: crossing 900: edge2 not found");
  }

  TEST_CASE("a text that is not such a map is rejected") {
    CHECK(problem("") == "invalid_metadata map: not a JSON object");
    CHECK(problem("[]") == "invalid_metadata map: not a JSON object");
    CHECK(problem("{}") == "invalid_metadata map: lane_segments not found");
    CHECK(problem(R"({"lane_segments": {}, "pedestrian_crossings": []})") ==
          "invalid_metadata map: pedestrian_crossings not found");
    CHECK(problem(R"({"lane_segments": {"1": 5}, "pedestrian_crossings": {}})") ==
          "invalid_metadata map: lane 1: not an object");
    CHECK(problem(std::string(200, '[')).starts_with("invalid_metadata map"));
    CHECK(
        problem(std::string((16U << 20U) + 1, ' ')).starts_with("limit_exceeded map"));
  }

  TEST_CASE("the origin of an unknown city is not found, unless a user gives it") {
    Tables tables = argoverse2_tables();
    const std::string text = test::map_json({}).dump();
    CHECK(test::error_code([&] { parse_argoverse2_map(text, "paris", tables); }) ==
          Errc::not_found);
    tables.cities["paris"] = {488566000, 23522000};
    CHECK(parse_argoverse2_map(text, "paris", tables).frame.lat_e7 == 488566000);
  }
}

}  // namespace argoverse2_map_test
