#include "core/geom/rectangle.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/geom/trig.hpp"

using namespace bev::geom;

namespace {

Rectangle box(double x, double y, double yaw = 0, double length = 4, double width = 2) {
  return {{x, y}, bev::geom::sincos(yaw), length / 2, width / 2};
}

Rectangle moved(Rectangle a, Vec2 velocity, double seconds) {
  a.centre.x += velocity.x * seconds;
  a.centre.y += velocity.y * seconds;
  return a;
}

}  // namespace

TEST_SUITE("geom/rectangle") {
  TEST_CASE("distances are between edges and corners") {
    CHECK(distance(box(0, 0), box(10, 0)) == doctest::Approx(6));
    CHECK(distance(box(0, 0), box(0, 5)) == doctest::Approx(3));
    CHECK(distance(box(0, 0), box(7, 6)) == doctest::Approx(5));  // corner to corner
    CHECK(distance(box(0, 0), box(3, 0.5)) == 0);
    CHECK(distance(box(0, 0), box(4, 0)) == 0);                         // they touch
    CHECK(distance(box(0, 0, 0, 10, 1), box(0, 0, 1.57, 10, 1)) == 0);  // a cross
  }

  TEST_CASE("rectangles overlap if their interiors intersect") {
    CHECK(overlap(box(0, 0), box(3, 0.5)));
    CHECK(overlap(box(0, 0, 0, 10, 1), box(0, 0, 1.57, 10, 1)));  // a cross
    CHECK(overlap(box(0, 0), box(0, 0, 0.5, 0.1, 0.1)));  // one inside the other
    CHECK_FALSE(overlap(box(0, 0), box(4, 0)));           // they touch
    CHECK_FALSE(overlap(box(0, 0), box(4, 3, 0.7854)));   // apart diagonally
    CHECK_FALSE(overlap(box(0, 0), box(0, 0, 0, 0, 2)));  // no area
    CHECK_FALSE(overlap(box(0, 0), box(std::nan(""), 0)));
  }

  TEST_CASE(
      "rectangles that overlap have no distance, and others that do not touch do") {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> at(-4, 4), turn(-4, 4);
    for (int i = 0; i < 2'000; ++i) {
      const auto a = box(0, 0, turn(random)),
                 b = box(at(random), at(random), turn(random));
      REQUIRE(overlap(a, b) == (distance(a, b) == 0));
      REQUIRE(overlap(a, b) == overlap(b, a));
    }
  }

  TEST_CASE("times to collision are those of constant velocity") {
    CHECK(time_to_collision(box(0, 0), box(14, 0), {-5, 0}) == doctest::Approx(2));
    CHECK(std::isnan(time_to_collision(box(0, 0), box(14, 0), {5, 0})));
    CHECK(std::isnan(time_to_collision(box(0, 0), box(14, 3), {-5, 0})));  // passes by
    CHECK(time_to_collision(box(0, 0), box(1, 0), {9, 0}) == 0);
    CHECK(time_to_collision(box(0, 0), box(54, 0), {-5, 0}) == doctest::Approx(10));
    CHECK(std::isnan(time_to_collision(box(0, 0), box(54.1, 0), {-5, 0})));
    CHECK(std::isnan(time_to_collision(box(0, 0), box(14, 0), {0, 0})));
  }

  TEST_CASE("at the time of collision they touch, and before they do not") {
    std::mt19937 random(11);
    const auto number = [&](double size) {
      return (static_cast<double>(random() % 20001) / 10000 - 1) * size;
    };
    int collisions = 0;
    for (int round = 0; round < 1000; ++round) {
      const auto a = box(0, 0, number(4)), b = box(number(30), number(30), number(4));
      const Vec2 velocity{number(15), number(15)};
      const double time = time_to_collision(a, b, velocity);
      double seen = std::numeric_limits<double>::quiet_NaN();
      for (double t = 0; t <= kMaxTtcS && std::isnan(seen); t += 0.05) {
        if (distance(a, moved(b, velocity, t)) == 0) seen = t;
      }
      if (std::isnan(time)) {
        CHECK(std::isnan(seen));
        continue;
      }
      ++collisions;
      CHECK(distance(a, moved(b, velocity, time)) < 1e-9);
      if (time > 0) CHECK(distance(a, moved(b, velocity, time - 1e-6)) > 0);
    }
    CHECK(collisions > 30);
  }

  TEST_CASE("numbers that are not finite give NaN") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(std::isnan(distance(box(nan, 0), box(0, 0))));
    CHECK(std::isnan(distance(box(0, 0), box(0, inf))));
    CHECK(std::isnan(time_to_collision(box(0, 0), box(14, 0), {nan, 0})));
    CHECK(std::isnan(time_to_collision(box(0, 0, 0, inf), box(14, 0), {1, 0})));
  }
}
