#include "core/map/interpolate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"

using bev::Errc;
using bev::Error;
using bev::geom::Vec3;
using bev::map::Lane;
using bev::map::lane_by_count;
using bev::map::lane_by_metres;
using bev::map::points_by_count;
using bev::map::points_by_metres;
using Points = std::vector<Vec3>;

namespace {

const Points kCorner = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}};  // 8 m

Lane lane_of(const Points& left, const Points& right) {
  Lane lane;
  lane.id = "L1";
  lane.left.points = left;
  lane.right.points = right;
  return lane;
}

}  // namespace

TEST_SUITE("map/interpolate") {
  TEST_CASE("a count spreads points evenly, both ends among them") {
    CHECK(points_by_count(kCorner, 2) == Points{{0, 0, 0}, {4, 4, 0}});
    CHECK(points_by_count(kCorner, 3) == kCorner);
    CHECK(points_by_count(kCorner, 5) ==
          Points{{0, 0, 0}, {2, 0, 0}, {4, 0, 0}, {4, 2, 0}, {4, 4, 0}});
  }

  TEST_CASE("a step leaves out the end, also where it falls on it") {
    CHECK(points_by_metres(kCorner, 3) == Points{{0, 0, 0}, {3, 0, 0}, {4, 2, 0}});
    CHECK(points_by_metres(kCorner, 4) == Points{{0, 0, 0}, {4, 0, 0}});
    CHECK(points_by_metres(kCorner, 100) == Points{{0, 0, 0}});
  }

  TEST_CASE("distance is along the line in three dimensions") {
    const Points climb = {{0, 0, 0}, {2, 3, 6}};  // 7 m
    CHECK(points_by_metres(climb, 3.5) == Points{{0, 0, 0}, {1, 1.5, 3}});
  }

  TEST_CASE("one point, and points in one place, have no length") {
    const Points here = {{1, 2, 3}};
    CHECK(points_by_count(here, 3) == Points(3, Vec3{1, 2, 3}));
    CHECK(points_by_metres(here, 1).empty());
    CHECK(points_by_count(Points(4, Vec3{1, 2, 3}), 2) == Points(2, Vec3{1, 2, 3}));
  }

  TEST_CASE("points that come twice take no part of the length") {
    const Points twice = {{0, 0, 0}, {4, 0, 0}, {4, 0, 0}, {4, 4, 0}};
    CHECK(points_by_count(twice, 5) == points_by_count(kCorner, 5));
  }

  TEST_CASE("too few points and invalid steps are errors") {
    CHECK_THROWS_WITH_AS(points_by_count(kCorner, 1),
                         "too few points (found 1, expected at least 2)", Error);
    CHECK_THROWS_WITH_AS(points_by_count({}, 2), "line has no points", Error);
    CHECK_THROWS_WITH_AS(points_by_metres({}, 2), "line has no points", Error);
    CHECK_THROWS_AS(points_by_metres(kCorner, 0), Error);
    CHECK_THROWS_AS(points_by_metres(kCorner, -1), Error);
    CHECK_THROWS_AS(points_by_metres(kCorner, std::nan("")), Error);
  }

  TEST_CASE("a step too small for memory is refused, however small") {
    for (const double step :
         {1e-7, 1e-300, std::numeric_limits<double>::denorm_min()}) {
      CAPTURE(step);
      CHECK_THROWS_AS(points_by_metres(kCorner, step), Error);
    }
    CHECK_THROWS_AS(points_by_count(kCorner, 16'000'001), Error);
  }

  TEST_CASE("by count, a lane's middle is between points of equal number") {
    const auto lines = lane_by_count(
        lane_of({{0, 2, 0}, {10, 2, 0}}, {{0, -2, 0}, {5, -2, 0}, {10, -2, 0}}), 3);
    CHECK(lines.left == Points{{0, 2, 0}, {5, 2, 0}, {10, 2, 0}});
    CHECK(lines.right == Points{{0, -2, 0}, {5, -2, 0}, {10, -2, 0}});
    CHECK(lines.mid == Points{{0, 0, 0}, {5, 0, 0}, {10, 0, 0}});
  }

  TEST_CASE("by metres, the sides of a lane may differ in number") {
    const auto lines =
        lane_by_metres(lane_of({{0, 2, 0}, {10, 2, 0}}, {{0, -2, 0}, {4, -2, 0}}), 3);
    CHECK(lines.left.size() == 4);
    CHECK(lines.right.size() == 2);
    CHECK(lines.mid.size() == 3);  // from (0, 0) to (7, 0)
    CHECK(lines.mid[2].x == doctest::Approx(std::sqrt(49.0) * 6 / 7));
  }

  TEST_CASE("a lane of one point a side has a middle of no length") {
    const auto lane = lane_of({{0, 2, 0}}, {{0, -2, 0}});
    CHECK(lane_by_count(lane, 2).mid == Points(2, Vec3{0, 0, 0}));
    CHECK(lane_by_metres(lane, 1).mid.empty());
  }

  TEST_CASE("an error names the lane") {
    CHECK_THROWS_WITH_AS(lane_by_count(lane_of(kCorner, {}), 3),
                         "lane \"L1\": line has no points", Error);
    CHECK_THROWS_WITH_AS(lane_by_count(lane_of(kCorner, kCorner), 0),
                         "lane \"L1\": too few points (found 0, expected at least 2)",
                         Error);
  }
}
