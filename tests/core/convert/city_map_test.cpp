#include "core/convert/city_map.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <span>

#include "core/convert/argoverse2.hpp"
#include "core/map/meta.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/argoverse2.hpp"
#include "tests/support/error_code.hpp"

namespace city_map_test {

using namespace bev;
using namespace bev::convert;
using nlohmann::json;
using test::lane_json;

namespace {

SourceMap source(const std::vector<json>& lanes, const char* city = "austin") {
  return parse_argoverse2_map(test::map_json(lanes).dump(), city, argoverse2_tables());
}

map::SemanticMap written(CityMap& city) {
  const std::string bytes = city.semantic_map();
  return map::SemanticMap::parse(std::as_bytes(std::span(bytes)),
                                 map::parse_meta(city.meta_json()));
}

map::SemanticMap written(const std::vector<json>& lanes) {
  CityMap city;
  city.add(source(lanes), "a");
  return written(city);
}

const map::Lane& lane(const map::SemanticMap& map, const char* id) {
  return map.lanes()[map.lane_row(id).value()];
}

double apart(const geom::Vec3& a, const geom::Vec3& b) {
  return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
}

json with(json lane, const char* key, const json& value) {
  lane[key] = value;
  return lane;
}

json inside(json lane) {
  return with(std::move(lane), "is_intersection", true);
}

}  // namespace

TEST_SUITE("convert/city_map") {
  TEST_CASE("centimetres come back within 1e-8 m, kilometres from the origin") {
    for (const char* name :
         {"austin", "dearborn", "miami", "palo-alto", "pittsburgh", "washington-dc"}) {
      CAPTURE(name);
      std::vector<json> lanes;
      for (int i = 0; i < 40; ++i) {
        lanes.push_back(lane_json(i + 1, 100.03 * i - 2345.67, 5432.1 - 250.25 * i));
      }
      const SourceMap map = source(lanes, name);
      CityMap city;
      city.add(map, "a");
      CHECK(city.counts().max_rounding_m < 1e-9);
      const auto read = written(city);
      REQUIRE(read.lanes().size() == 40);
      for (const auto& expected : map.lanes) {
        const map::Lane& found = lane(read, expected.id.c_str());
        REQUIRE(found.left.points.size() == 2);
        REQUIRE(found.right.points.size() == 2);
        for (std::size_t k = 0; k < 2; ++k) {
          REQUIRE(apart(found.left.points[k], expected.left[k]) < 1e-8);
          REQUIRE(apart(found.right.points[k], expected.right[k]) < 1e-8);
        }
      }
      REQUIRE(read.crosswalks().size() == 1);
      for (std::size_t k = 0; k < 4; ++k) {
        REQUIRE(apart(read.crosswalks()[0].outline[k], map.crosswalks[0].outline[k]) <
                1e-8);
      }
    }
  }

  TEST_CASE("a centre line is written beside both sides, which L5Kit averages") {
    SourceMap map = source({lane_json(1, 0, 0)});
    const std::vector<geom::Vec3> centre = {{0, 1, 0.5}, {2.5, 1.25, 0}, {5, 1, 0}};
    map.lanes[0].centre = centre;
    CityMap city;
    city.add(map, "a");
    map.lanes[0].centre.clear();
    map.lanes[0].id = "2";
    city.add(map, "b");
    const auto read = written(city);
    const auto& found = lane(read, "1").centre;
    REQUIRE(found.size() == centre.size());
    for (std::size_t k = 0; k < centre.size(); ++k) {
      CHECK(apart(found[k], centre[k]) < 1e-8);
    }
    CHECK(lane(read, "2").centre.empty());
  }

  TEST_CASE("rounding to centimetres is measured") {
    json lane = lane_json(1, 0, 0);
    lane["left_lane_boundary"][0]["x"] = 0.003;
    CityMap city;
    city.add(source({lane}), "a");
    CHECK(city.counts().max_rounding_m == 0.003);
  }

  TEST_CASE("divider types, access and links are written") {
    json first = with(lane_json(1, 0, 0), "left_lane_mark_type", "SOLID_DASH_YELLOW");
    first["lane_type"] = "BUS";
    first["successors"] = {2, 77};
    const auto map = written({first, lane_json(2, 10, 0)});
    const auto& read = lane(map, "1");
    CHECK(read.left.dividers ==
          std::vector<map::Divider>{map::Divider::double_yellow_dashed_solid});
    CHECK(read.right.dividers == std::vector<map::Divider>{map::Divider::none});
    CHECK(read.access == map::Access::only_bus);
    CHECK(read.lanes_ahead == std::vector<std::string>{"2", "77"});
    CHECK(read.parent == "segment");
    CHECK(!read.in_junction);
    CHECK(map.segments().size() == 1);
  }

  TEST_CASE("a lane change needs a neighbour in the map, its direction and its line") {
    const json base = with(lane_json(1, 0, 0), "left_neighbor_id", 2);
    const json same = lane_json(2, 0, 3), oncoming = lane_json(2, 10, 3, -1, 0);
    const json across = lane_json(2, 0, 3, 0, 1);
    const json solid = with(base, "left_lane_mark_type", "SOLID_WHITE");
    const json dashed = with(base, "left_lane_mark_type", "DASHED_YELLOW");
    const auto change = [](const json& from, const std::vector<json>& others) {
      std::vector<json> lanes{from};
      lanes.insert(lanes.end(), others.begin(), others.end());
      return lane(written(lanes), "1").adjacent_left;
    };
    CHECK(change(base, {same}) == "2");
    CHECK(change(dashed, {same}) == "2");
    CHECK(change(dashed, {oncoming}).empty());
    CHECK(change(dashed, {across}).empty());
    CHECK(change(solid, {same}).empty());
    CHECK(change(base, {}).empty());
    CHECK(change(with(lane_json(1, 0, 0), "left_neighbor_id", 900), {same}).empty());
    const json right = with(lane_json(1, 0, 0), "right_neighbor_id", 2);
    CHECK(lane(written({right, lane_json(2, 0, -3)}), "1").adjacent_right == "2");
  }

  TEST_CASE("lanes of an intersection that touch form a junction") {
    const auto map =
        written({inside(lane_json(1, 0, 0)), inside(lane_json(2, 5, -5, 0, 1)),
                 inside(lane_json(3, 100, 0)), lane_json(4, 10, 0)});
    CHECK(map.junctions().size() == 2);
    CHECK(lane(map, "1").parent == lane(map, "2").parent);
    CHECK(lane(map, "3").parent != lane(map, "1").parent);
    CHECK(lane(map, "1").in_junction);
    CHECK(lane(map, "1").turn == map::Turn::through);
    CHECK(!lane(map, "4").in_junction);
    CHECK(lane(map, "4").turn == map::Turn::unknown);
    const auto& junction = map.junctions()[*map.junction_row(lane(map, "1").parent)];
    CHECK(junction.lanes == std::vector<std::string>{"1", "2"});
    CHECK(junction.is_non_trivial_intersection);
  }

  TEST_CASE("equal elements of several maps are written once, with all links") {
    CityMap city;
    json cut = with(lane_json(1, 0, 0), "successors", {2});
    city.add(source({cut, lane_json(2, 10, 0)}), "a");
    json whole = with(lane_json(1, 0, 0), "successors", {2, 3});
    whole["left_neighbor_id"] = 4;
    city.add(source({whole, lane_json(4, 0, 3)}), "b");
    CHECK(city.counts().lanes == 3);
    CHECK(city.counts().crosswalks == 1);
    CHECK(city.counts().duplicates == 2);
    CHECK(city.counts().renamed == 0);
    const auto map = written(city);
    CHECK(map.lanes().size() == 3);
    CHECK(lane(map, "1").lanes_ahead == std::vector<std::string>{"2", "3"});
    CHECK(lane(map, "1").adjacent_left == "4");
  }

  TEST_CASE("another element of a known id is renamed, as are references to it") {
    CityMap city;
    city.add(source({lane_json(1, 0, 0), with(lane_json(2, 10, 0), "successors", {1})}),
             "a");
    json moved = with(lane_json(1, 50, 0), "left_neighbor_id", 5);
    json before = with(lane_json(5, 50, 3), "successors", {1, 2});
    before["right_neighbor_id"] = 1;
    city.add(source({moved, before}), "b");
    city.add(source({moved}), "c");  // equal to 1@b
    CHECK(city.counts().renamed == 1);
    const auto map = written(city);
    CHECK(map.lanes().size() == 4);
    CHECK(lane(map, "2").lanes_ahead == std::vector<std::string>{"1"});
    CHECK(lane(map, "5").lanes_ahead == std::vector<std::string>{"1@b", "2"});
    CHECK(lane(map, "5").adjacent_right == "1@b");
    CHECK(lane(map, "1@b").left.points[0].x == doctest::Approx(50));
    CHECK(lane(map, "1@b").adjacent_left == "5");
  }

  TEST_CASE("a crossing with the id of a lane is renamed") {
    CityMap city;
    city.add(source({lane_json(900, 50, 50)}), "a");
    const auto map = written(city);
    CHECK(map.lane_row("900"));
    REQUIRE(map.crosswalks().size() == 1);
    CHECK(map.crosswalks()[0].id == "900@a");
  }

  TEST_CASE("maps of two cities, and no map at all, are rejected") {
    CityMap city;
    CHECK(city.empty());
    CHECK(test::error_code([&] { city.semantic_map(); }) == Errc::invalid_argument);
    CHECK(test::error_code([&] { static_cast<void>(city.meta_json()); }) ==
          Errc::invalid_argument);
    city.add(source({lane_json(1, 0, 0)}), "a");
    CHECK(test::error_code([&] { city.add(source({}, "miami"), "b"); }) ==
          Errc::invalid_argument);
    CHECK(city.counts().lanes == 1);
  }

  TEST_CASE("a light is written once, and one that differs is rejected") {
    auto map = source({lane_json(1, 0, 0)});
    map.lights = {{"1/l", {{"1/r", map::Colour::red}}, geom::Vec3{1, 2, 3}}};
    map.lanes[0].faces = {"1/r"};
    CityMap city;
    city.add(map, "a");
    city.add(map, "b");
    CHECK(city.counts().lights == 1);
    const auto read = written(city);
    REQUIRE(read.lights().size() == 1);
    CHECK(apart(read.lights()[0].position, {1, 2, 3}) < 1e-8);
    CHECK(lane(read, "1").traffic_controls == std::vector<std::string>{"1/r"});
    map.lights[0].position->x = 5;
    map.lanes[0].id = "2";
    CHECK(test::error_code([&] { city.add(map, "c"); }) == Errc::invalid_argument);
    CHECK(city.counts().lanes == 1);
    CHECK(!written(city).lane_row("2"));
  }

  TEST_CASE("divider types change along a side") {
    auto map = source({lane_json(1, 0, 0)});
    map.lanes[0].left_divider = map::Divider::none;
    map.lanes[0].left_changes = {{400, map::Divider::curb}};
    CityMap city;
    city.add(map, "a");
    const auto read = written(city);
    CHECK(lane(read, "1").left.dividers ==
          std::vector<map::Divider>{map::Divider::none, map::Divider::curb});
    CHECK(lane(read, "1").left.type_change_point_cm == std::vector<std::int32_t>{400});
  }
}

}  // namespace city_map_test
