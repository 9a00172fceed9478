#include "core/map/local_frame.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"

using bev::Error;
using bev::geom::Affine3;
using bev::geom::Vec3;
using bev::map::LocalFrame;
using bev::map::RawFrame;
using bev::map::RawLine;

namespace {

const Affine3 kEcef;  // identity: the result is in ECEF

void check_near(const Vec3& a, const Vec3& b) {
  CHECK(std::abs(a.x - b.x) < 1e-8);
  CHECK(std::abs(a.y - b.y) < 1e-8);
  CHECK(std::abs(a.z - b.z) < 1e-8);
}

}  // namespace

TEST_SUITE("map/local_frame") {
  TEST_CASE("at no latitude and longitude, up is x, east is y and north is z") {
    const LocalFrame frame({0, 0}, kEcef);
    check_near(frame.origin(), {6378137, 0, 0});
    const auto line = frame.line({{100}, {200}, {300}}, "line");
    REQUIRE(line.size() == 1);
    check_near(line[0], {6378137 + 3, 1, 2});
  }

  TEST_CASE("at the north pole, up is z") {
    const LocalFrame frame({900'000'000, 0}, kEcef);
    check_near(frame.origin(), {0, 0, 6356752.31424518});
    check_near(frame.line({{0}, {0}, {1000}}, "line")[0],
               {0, 0, 6356752.31424518 + 10});
  }

  TEST_CASE("ninety degrees east, y is up and x is the west") {
    const LocalFrame frame({0, 900'000'000}, kEcef);
    check_near(frame.line({{100}, {0}, {0}}, "line")[0], {-1, 6378137, 0});
  }

  TEST_CASE("a middling place: the numbers of another implementation") {
    // WGS84 at 48.8566 N, 2.3522 E, by the closed formula with 60 digits.
    const LocalFrame frame({488'566'000, 23'522'000}, kEcef);
    check_near(frame.origin(),
               {4200914.79564913737, 172559.776310701519, 4780081.34196735572});
  }

  TEST_CASE("steps add up, from the origin of the frame") {
    const LocalFrame frame({0, 0}, kEcef);
    const auto line = frame.line({{100, 50, -25}, {0, 100, 100}, {0, 0, 7}}, "line");
    REQUIRE(line.size() == 3);
    check_near(line[0], {6378137, 1, 0});
    check_near(line[1], {6378137, 1.5, 1});
    check_near(line[2], {6378137.07, 1.25, 2});
  }

  TEST_CASE("the line is brought from ECEF into world") {
    Affine3 shift;
    shift.rows[0][3] = -6378137;
    shift.rows[1] = {0, 2, 0, 10};
    check_near(LocalFrame({0, 0}, shift).line({{100}, {200}, {300}}, "line")[0],
               {3, 12, 2});
  }

  TEST_CASE("no steps are a line of no points") {
    CHECK(LocalFrame({0, 0}, kEcef).line({}, "line").empty());
  }

  TEST_CASE("a latitude beyond a pole is refused") {
    CHECK_THROWS_WITH_AS(LocalFrame({900'000'001, 0}, kEcef),
                         "geo_frame: lat_e7 is out of range (found 900000001, expected "
                         "-900000000 to 900000000)",
                         Error);
    constexpr auto kMin = std::numeric_limits<std::int32_t>::min();
    CHECK_THROWS_AS(LocalFrame({kMin, 0}, kEcef), Error);
    CHECK_NOTHROW(LocalFrame({0, kMin}, kEcef));
  }

  TEST_CASE("unequal numbers of x, y and z are refused") {
    const LocalFrame frame({0, 0}, kEcef);
    CHECK_THROWS_WITH_AS(frame.line({{1, 2, 3}, {1, 2}, {1, 2, 3}}, "left_boundary"),
                         "left_boundary: lengths differ (found 3 x, 2 y and 3 z)",
                         Error);
    CHECK_THROWS_AS(frame.line({{1}, {1}, {}}, "left_boundary"), Error);
  }

  TEST_CASE("a line that leaves the Earth is refused") {
    constexpr auto kMax = std::numeric_limits<std::int32_t>::max();  // 21,475 km
    const LocalFrame frame({0, 0}, kEcef);
    CHECK_THROWS_WITH_AS(frame.line({{5, kMax}, {0, 0}, {0, 0}}, "points"),
                         "points: point 1 is more than 21000 km from its frame", Error);
    CHECK_THROWS_AS(frame.line({{0}, {-kMax}, {0}}, "points"), Error);
    CHECK_THROWS_AS(frame.line({{0}, {0}, {kMax}}, "points"), Error);
  }
}
