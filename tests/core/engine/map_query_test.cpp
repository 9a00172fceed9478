#include "core/engine/map_query.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <map>

#include "core/base/error.hpp"
#include "tests/support/small_map.hpp"

using bev::Errc;
using bev::Error;
using bev::MapQuery;
using bev::ResultArray;
using namespace bev::test;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

Message crossing() {
  const auto faces = Message().id(8, "T1").id(8, "R").id(8, "G").id(5, "L2");
  return fragment({lane("L1", 0, faces), lane("L2", 50), crosswalk("C1", 20),
                   control("T1", 29, Message().id(3, "R")), control("R", 11),
                   control("G", 31)});
}

std::size_t item_size(const std::string& dtype) {
  if (dtype == "<f8") return 8;
  return dtype == "<u4" || dtype == "<i4" || dtype == "<f4" ? 4 : 1;
}

}  // namespace

TEST_SUITE("engine/map_query") {
  const std::string json = equator_meta_json();
  const Message town = crossing();

  TEST_CASE("a map has the documented arrays, with as many bytes as their shapes") {
    const MapQuery query(town.span(), bytes_of(json));
    const std::map<std::string, std::string> promised = {
        {"lanes.id", "utf8"},
        {"lanes.id.offsets", "<u4"},
        {"lanes.left.points", "<f8"},
        {"lanes.left.offsets", "<u4"},
        {"lanes.right.points", "<f8"},
        {"lanes.right.offsets", "<u4"},
        {"lanes.centre.points", "<f8"},
        {"lanes.centre.z", "<f8"},
        {"lanes.centre.offsets", "<u4"},
        {"lanes.left.divider", "|u1"},
        {"lanes.right.divider", "|u1"},
        {"lanes.controls", "utf8"},
        {"lanes.controls.offsets", "<u4"},
        {"lanes.controls.first", "<u4"},
        {"lanes.ahead", "<u4"},
        {"lanes.ahead.first", "<u4"},
        {"lanes.in_junction", "|b1"},
        {"lanes.turn", "|u1"},
        {"lanes.access", "|u1"},
        {"crosswalks.id", "utf8"},
        {"crosswalks.id.offsets", "<u4"},
        {"crosswalks.points", "<f8"},
        {"crosswalks.offsets", "<u4"},
        {"lights.id", "utf8"},
        {"lights.id.offsets", "<u4"},
        {"lights.position", "<f8"},
        {"lights.from_deg", "<f4"},
        {"lights.movements", "|u1"},
        {"faces.id", "utf8"},
        {"faces.id.offsets", "<u4"},
        {"faces.colour", "|u1"},
        {"lanes.left.z", "<f8"},
        {"lanes.right.z", "<f8"},
        {"lanes.left.dividers", "|u1"},
        {"lanes.left.dividers.first", "<u4"},
        {"lanes.left.changes_cm", "<i4"},
        {"lanes.left.changes_cm.first", "<u4"},
        {"lanes.right.dividers", "|u1"},
        {"lanes.right.dividers.first", "<u4"},
        {"lanes.right.changes_cm", "<i4"},
        {"lanes.right.changes_cm.first", "<u4"},
        {"lanes.adjacent_left", "<i4"},
        {"lanes.adjacent_right", "<i4"},
        {"lanes.junction", "<i4"},
        {"lanes.segment", "<i4"},
        {"lanes.orientation", "|u1"},
        {"lanes.can_have_parked_cars", "|b1"},
        {"lanes.speed_limit", "<f4"},
        {"lanes.stop_line", "<f8"},
        {"crosswalks.z", "<f8"},
        {"junctions.id", "utf8"},
        {"junctions.id.offsets", "<u4"},
        {"junctions.is_intersection", "|b1"},
        {"junctions.lanes", "<u4"},
        {"junctions.lanes.first", "<u4"},
        {"segments.id", "utf8"},
        {"segments.id.offsets", "<u4"},
        {"segments.speed_limit", "<f4"},
        {"segments.speed_limit_backward", "<f4"},
        {"bounds", "<f8"}};
    std::map<std::string, std::string> found;
    for (const ResultArray& array : query.build()) {
      CAPTURE(array.name);
      found.emplace(array.name, array.dtype);
      std::size_t count = 1;
      for (const auto n : array.shape) count *= n;
      if (array.dtype == "utf8") continue;
      CHECK(array.bytes.size() == count * item_size(array.dtype));
    }
    CHECK(found == promised);
    CHECK(query.build().size() == promised.size());
  }

  TEST_CASE("string arrays have one entry per id and all bytes") {
    const MapQuery query(town.span(), bytes_of(json));
    const auto& ids = query.build()[0];
    CHECK(ids.shape == std::vector<std::size_t>{2});
    CHECK(std::memcmp(ids.bytes.data(), "L1L2", 4) == 0);
    CHECK(query.build()[1].shape == std::vector<std::size_t>{3});
  }

  TEST_CASE("points are rows of x and y") {
    const MapQuery query(town.span(), bytes_of(json));
    const auto& left = query.build()[2];
    CHECK(left.name == "lanes.left.points");
    CHECK(left.shape == std::vector<std::size_t>{4, 2});
    double xy[2] = {};
    std::memcpy(xy, left.bytes.data() + 3 * sizeof xy, sizeof xy);
    CHECK(xy[0] == doctest::Approx(48));
    CHECK(xy[1] == doctest::Approx(10));
  }

  TEST_CASE("lanes are found by position") {
    const MapQuery query(town.span(), bytes_of(json));
    CHECK(query.near(50, 5, 1) == std::vector<std::uint32_t>{1});
    CHECK(query.near(0, 0, 100) == std::vector<std::uint32_t>{0, 1});
  }

  TEST_CASE("lanes are coloured by active faces: 1 red, 2 yellow, 3 green") {
    const MapQuery query(town.span(), bytes_of(json));
    const auto colours = [&](const std::vector<std::string>& active) {
      return query.lane_colours(active);
    };
    CHECK(colours({}) == std::vector<std::uint8_t>{0, 0});
    CHECK(colours({"G"}) == std::vector<std::uint8_t>{3, 0});
    CHECK(colours({"G", "R"}) == std::vector<std::uint8_t>{1, 0});
  }

  TEST_CASE("crosswalks are found by position") {
    const MapQuery query(town.span(), bytes_of(json));
    CHECK(query.crosswalks_near(21, 1, 1) == std::vector<std::uint32_t>{0});
    CHECK(query.crosswalks_near(40, 1, 1).empty());
  }

  TEST_CASE("a lane is resampled at equal distances, by count and by metres") {
    MapQuery query(town.span(), bytes_of(json));
    const auto lines = query.lane_by_count(1, 3);
    REQUIRE(lines.size() == 3);
    CHECK(lines[2].name == "mid");
    CHECK(lines[2].shape == std::vector<std::size_t>{3, 3});
    double at[3] = {};
    std::memcpy(at, lines[2].bytes.data() + sizeof at, sizeof at);
    CHECK(at[0] == doctest::Approx(50));
    CHECK(at[1] == doctest::Approx(5));
    CHECK(query.lane_by_metres(0, 2.5)[0].shape[0] == 4);
    CHECK_THROWS_WITH_AS(query.lane_by_count(2, 3),
                         "semantic map: lane 2 is out of range (count 2)", Error);
    CHECK_THROWS_AS(query.lane_by_count(0, 1), Error);
  }

  TEST_CASE("a lane's light feature follows its active faces; 4 without a light") {
    const MapQuery query(town.span(), bytes_of(json));
    const auto feature = [&](std::uint32_t lane, const std::vector<std::string>& on) {
      return query.light_feature(lane, on);
    };
    CHECK(feature(0, {}) == 0);
    CHECK(feature(0, {"G"}) == 1);
    CHECK(feature(0, {"G", "R", "nowhere"}) == 3);
    CHECK(feature(1, {"R"}) == 4);
  }

  TEST_CASE("a world point has latitude and longitude") {
    const MapQuery query(town.span(), bytes_of(json));
    const auto place = query.geodetic(0, 11.05743, 0);
    CHECK(place[0] == doctest::Approx(1e-4).epsilon(1e-5));
    CHECK(place[1] == doctest::Approx(0));
    CHECK(query.geodetic(0, 0, 12)[2] == doctest::Approx(12));
  }

  TEST_CASE("a map shared with samples outlives its query") {
    std::shared_ptr<const bev::map::SemanticMap> map;
    {
      const MapQuery query(town.span(), bytes_of(json));
      map = query.shared();
    }
    CHECK(map->lanes().size() == 2);
  }

  TEST_CASE("an empty map has empty arrays") {
    const MapQuery query({}, bytes_of(json));
    CHECK(query.build().front().shape == std::vector<std::size_t>{0});
    CHECK(query.build().size() == 60);
    CHECK(query.lane_colours({}).empty());
  }

  TEST_CASE("invalid bytes are refused") {
    CHECK_THROWS_WITH_AS(MapQuery(town.span(), bytes_of("{")), "meta.json: not JSON",
                         Error);
    const auto cut = town.span().first(town.span().size() - 1);
    CHECK_THROWS_AS(MapQuery(cut, bytes_of(json)), Error);
  }
}
