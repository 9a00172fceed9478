#include "core/series/centre_lines.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "core/base/error.hpp"

using bev::Error;
using bev::geom::Vec2;
using bev::series::CentreLines;
using bev::series::FlatLines;
using bev::series::LaneSides;
using doctest::Approx;

namespace {

void add(FlatLines& lines, const std::vector<Vec2>& line) {
  if (lines.offsets.empty()) lines.offsets.push_back(0);
  for (const auto& p : line) lines.points.insert(lines.points.end(), {p.x, p.y});
  lines.offsets.push_back(static_cast<std::uint32_t>(lines.points.size() / 2));
}

/// An arc around the origin, counter-clockwise from `begin`, 3.5 m wide.
void add_arc(LaneSides& lanes, double radius, double begin) {
  std::vector<Vec2> left, right;
  for (int i = 0; i <= 40; ++i) {
    const double angle = begin + i * 0.02;
    const Vec2 way{std::cos(angle), std::sin(angle)};
    left.push_back({(radius - 1.75) * way.x, (radius - 1.75) * way.y});
    right.push_back({(radius + 1.75) * way.x, (radius + 1.75) * way.y});
  }
  add(lanes.left, left);
  add(lanes.right, right);
}

/// A straight lane along x from x = 0 to x = 50 with its centre at `y`, and one in the
/// other direction at `y + 3.5`.
LaneSides two_ways(double y) {
  LaneSides lanes;
  add(lanes.left, {{0, y + 1.75}, {50, y + 1.75}});
  add(lanes.right, {{0, y - 1.75}, {50, y - 1.75}});
  add(lanes.left, {{50, y + 1.75}, {0, y + 1.75}});
  add(lanes.right, {{50, y + 5.25}, {0, y + 5.25}});
  return lanes;
}

/// Returns the least distance to points every centimetre of a line; NaN beyond kMaxOffsetM.
double sampled_distance(const std::vector<Vec2>& line, Vec2 at) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < line.size(); ++i) {
    for (int t = 0; t <= 100; ++t) {
      const double x = line[i - 1].x + (line[i].x - line[i - 1].x) * t / 100;
      const double y = line[i - 1].y + (line[i].y - line[i - 1].y) * t / 100;
      best = std::min(best, std::hypot(at.x - x, at.y - y));
    }
  }
  return best;
}

}  // namespace

TEST_SUITE("series/centre_lines") {
  TEST_CASE("an offset is positive to the left of the lane's direction") {
    CentreLines lanes(two_ways(10));
    CHECK(lanes.size() == 2);
    const auto left = lanes.nearest({20, 10.5}, 0.1);
    REQUIRE(left);
    CHECK(left->lane == 0);
    CHECK(left->metres == Approx(0.5));
    CHECK(lanes.nearest({20, 9.25}, -0.1)->metres == Approx(-0.75));
    const auto back = lanes.nearest({20, 13}, 3.14);
    REQUIRE(back);
    CHECK(back->lane == 1);
    CHECK(back->metres == Approx(0.5));
  }

  TEST_CASE("a lane needs the pose's direction, and to be near and not past") {
    CentreLines lanes(two_ways(0));
    CHECK(!lanes.nearest({20, 0}, 1.0));  // 57 degrees
    CHECK(lanes.nearest({20, 0}, 0.7)->lane == 0);
    CHECK(!lanes.nearest({20, -3.1}, 0));  // farther than 3 m
    CHECK(lanes.nearest({-0.9, 0}, 0));    // less than 1 m before its begin
    CHECK(!lanes.nearest({-1.1, 0}, 0));
    CHECK(!lanes.nearest({51.1, 0}, 0));
    const auto unknown = std::numeric_limits<double>::quiet_NaN();
    CHECK(!lanes.nearest({unknown, unknown}, 0));
    CHECK(!lanes.nearest({20, 0}, unknown));
    CHECK(!CentreLines{}.nearest({0, 0}, 0));
  }

  TEST_CASE("the centre line has a point per metre between both boundaries") {
    CentreLines lanes(two_ways(0));
    const auto& line = lanes.line(0);
    REQUIRE(line.size() == 51);
    CHECK(line[10].x == Approx(10));
    CHECK(line[10].y == Approx(0));
    LaneSides none;
    add(none.left, {});
    add(none.right, {{0, 0}, {1, 0}});
    CHECK(CentreLines(none).line(0).empty());
  }

  TEST_CASE("offsets in curves equal those to points every centimetre") {
    LaneSides sides;
    for (double radius = 20; radius < 60; radius += 3.5) {
      add_arc(sides, radius, 0);
      add_arc(sides, radius, 0.8);
    }
    CentreLines lanes(sides);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> angles(0.02, 1.58), radii(19, 58);
    for (int i = 0; i < 60; ++i) {
      const double angle = angles(random), radius = radii(random);
      const Vec2 at{radius * std::cos(angle), radius * std::sin(angle)};
      double best = std::numeric_limits<double>::infinity();
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        best = std::min(best, sampled_distance(lanes.line(lane), at));
      }
      const auto found = lanes.nearest(at, angle + 1.5707963);
      REQUIRE(found);
      CHECK(std::abs(std::abs(found->metres) - best) < 0.01);
      // The lanes' arcs are 3.5 m apart, with their left towards the origin.
      const double nearest = 20 + 3.5 * std::round((radius - 20) / 3.5);
      CHECK(std::abs(found->metres - (nearest - radius)) < 0.02);
    }
  }

  TEST_CASE("inconsistent arrays are refused") {
    LaneSides lanes = two_ways(0);
    lanes.left.points.pop_back();
    CHECK_THROWS_AS(CentreLines{lanes}, Error);
    lanes = two_ways(0);
    lanes.right.offsets.pop_back();
    CHECK_THROWS_AS(CentreLines{lanes}, Error);
    lanes = two_ways(0);
    lanes.left.offsets[1] = 1000;
    CHECK_THROWS_AS(CentreLines{lanes}, Error);
    CHECK_THROWS_AS(CentreLines(LaneSides{}), Error);
  }
}
