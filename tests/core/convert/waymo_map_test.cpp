#include "core/convert/waymo_map.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "core/convert/city_map.hpp"
#include "core/map/meta.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/waymo.hpp"

using namespace bev;
using namespace bev::convert;
using map::Divider;
using waymo::Feature;
using waymo::FeatureKind;

namespace {

std::vector<Feature> small() {
  return test::small_waymo().features;
}

WaymoMap converted(const std::vector<Feature>& features, const WaymoFrame& frame = {}) {
  return waymo_map(features, waymo_tables(), frame);
}

std::vector<geom::Vec3> raised(std::vector<geom::Vec3> line, double z) {
  for (auto& p : line) p.z = z;
  return line;
}

}  // namespace

TEST_SUITE("convert/waymo_map") {
  TEST_CASE("sides are the lines beside a lane, otherwise at half its width") {
    const auto found = converted(small());
    REQUIRE(found.map.lanes.size() == 2);
    const auto& first = found.map.lanes[0];
    CHECK(first.id == "1");
    CHECK(first.left == test::straight(80, 2, 11));
    CHECK(first.right == test::straight(80, -1.5, 11));
    const auto& second = found.map.lanes[1];
    CHECK(second.left == test::straight(90, 0.75, 5));
    CHECK(second.right == test::straight(90, -0.75, 5));
    CHECK(found.sides_from_width == std::vector<std::string>{"2/left", "2/right"});
    CHECK(found.map.lost.at("lane side from width") == 2);
  }

  TEST_CASE("a lane keeps successors, access and the types of its lines") {
    const auto found = converted(small());
    CHECK(found.map.lanes[0].ahead == std::vector<std::string>{"2"});
    CHECK(found.map.lanes[0].access == map::Access::no_restriction);
    CHECK(found.map.lanes[1].access == map::Access::only_bike);
    CHECK(found.map.lanes[0].left_divider == Divider::single_white_dashed);
    CHECK(found.map.lanes[0].right_divider == Divider::curb);
    CHECK(found.map.lanes[1].left_divider == Divider::unknown);
    CHECK(!found.map.lanes[0].in_junction);
  }

  TEST_CASE("types along a lane change where its sections begin and end") {
    auto features = small();
    features[0].left_boundaries = {{6, 8, 3, 7}, {2, 4, 3, 2}, {4, 5, 3, 1}};
    const auto found = converted(features);
    const auto& lane = found.map.lanes[0];
    CHECK(lane.left_divider == Divider::unknown);
    CHECK(lane.left[1].y == 1.65);
    CHECK(lane.left[2].y == 2);
    REQUIRE(lane.left_changes.size() == 4);
    const auto lengths = [&](std::size_t i) { return lane.left_changes[i].at_cm; };
    CHECK(lane.left_changes[0].divider == Divider::single_white_solid);
    CHECK(lane.left_changes[1].divider == Divider::single_white_dashed);
    CHECK(lane.left_changes[2].divider == Divider::double_yellow_solid);
    CHECK(lane.left_changes[3].divider == Divider::unknown);
    CHECK(lengths(1) - lengths(0) == 200);
    CHECK(lengths(2) - lengths(1) == 200);
    CHECK(lengths(3) - lengths(2) == 200);
    CHECK(found.map.lost.at("lane side partly from width") == 1);
  }

  TEST_CASE("the neighbour beside most points is the lane change, if lines allow it") {
    auto features = small();
    features[0].left_neighbours = {{5, 0, 2, {1}}, {2, 2, 9, {2, 2}}};
    features[0].right_neighbours = {{2, 0, 9, {2, 1}}};
    const auto found = converted(features);
    const auto& lane = found.map.lanes[0];
    CHECK(lane.left_neighbour == "2");
    CHECK(!lane.can_cross_left);
    CHECK(lane.right_neighbour == "2");
    CHECK(lane.can_cross_right);
    CHECK(found.map.lost.at("further neighbour") == 1);
  }

  TEST_CASE("an interpolating lane is in a junction and has a turn") {
    auto features = small();
    features[1].is_interpolating = true;
    features[1].points = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {2, 2, 0}};
    const auto found = converted(features);
    const auto& lane = found.map.lanes[1];
    CHECK(lane.in_junction);
    CHECK(lane.turn == map::Turn::left);
  }

  TEST_CASE("all that is lost is counted") {
    auto features = small();
    features[0].right_boundaries[0].feature = 99;
    features[0].left_boundaries[0].type = 5;
    features[1].points.resize(1);
    Feature unknown;
    unknown.id = 50;
    features.push_back(unknown);
    features[5].points.resize(2);
    const auto found = converted(features);
    CHECK(found.map.lost ==
          std::map<std::string, std::uint64_t>{{"boundary without a line", 1},
                                               {"crosswalk of fewer than 3 points", 1},
                                               {"driveway", 1},
                                               {"lane of fewer than 2 points", 1},
                                               {"lane side from width", 1},
                                               {"road edge", 1},
                                               {"road line type 5", 1},
                                               {"speed bump", 1},
                                               {"speed limit", 1},
                                               {"stop sign", 1},
                                               {"unknown feature", 1}});
  }

  TEST_CASE("positions are moved, and ids get the prefix") {
    const auto found = converted(small(), {1000, -500, "4:"});
    CHECK(found.map.lanes[0].id == "4:1");
    CHECK(found.map.lanes[0].ahead == std::vector<std::string>{"4:2"});
    CHECK(found.map.lanes[0].left == test::straight(1080, -498, 11));
    CHECK(found.map.crosswalks[0].id == "4:6");
    CHECK(found.map.crosswalks[0].outline[0] == geom::Vec3{1095, -503, 0});
    CHECK(found.sides_from_width[0] == "4:2/left");
  }

  TEST_CASE("a written map is read back, to the centimetre") {
    const auto found = converted(small());
    CityMap city;
    city.add(found.map, "made-up");
    const std::string bytes = city.semantic_map();
    const auto read = map::SemanticMap::parse(std::as_bytes(std::span(bytes)),
                                              map::parse_meta(city.meta_json()));
    REQUIRE(read.lanes().size() == 2);
    const auto& lane = read.lanes()[read.lane_row("1").value()];
    const auto expected = raised(test::straight(80, 2, 11), 0.5);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(std::abs(lane.left.points[i].x - expected[i].x) < 1e-8);
      CHECK(std::abs(lane.left.points[i].y - expected[i].y) < 1e-8);
      CHECK(std::abs(lane.left.points[i].z - expected[i].z) < 1e-8);
    }
    CHECK(read.crosswalks().size() == 1);
  }

  TEST_CASE("invalid features are named") {
    const auto problem = [](const std::vector<Feature>& features) {
      try {
        converted(features);
      } catch (const Error& error) {
        CHECK(error.code() == Errc::invalid_metadata);
        return std::string(error.what());
      }
      return std::string();
    };
    auto features = small();
    features[3].id = 3;
    CHECK(problem(features) == "map: road edge 3: id is not unique");
    features = small();
    features[5].points[1].y = std::numeric_limits<double>::quiet_NaN();
    CHECK(problem(features) ==
          "map: crosswalk 6: a coordinate is not a number within 1000 km");
    features = small();
    features[0].left_boundaries[0].end = 11;
    CHECK(problem(features) ==
          "map: lane 1: boundary outside the lane (found points 0 to 11, expected "
          "within 0 to 10)");
  }
}
