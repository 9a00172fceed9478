#include "core/geom/angle.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

using namespace bev::geom;

namespace {
constexpr double kPi = std::numbers::pi;
}

TEST_SUITE("geom/angle") {
  TEST_CASE("the difference of angles is the short way round") {
    CHECK(angular_distance(3, -3) == doctest::Approx(6 - 2 * kPi));
    CHECK(angular_distance(-3, 3) == doctest::Approx(2 * kPi - 6));
    CHECK(angular_distance(0.25, 0.25 + 20 * kPi) == doctest::Approx(0));
    CHECK(angular_distance_f32(3.0F, -3.0F) == doctest::Approx(6 - 2 * kPi));
  }

  TEST_CASE("half a turn is negative") {
    CHECK(angular_distance(kPi, 0) == -kPi);
    CHECK(angular_distance(-kPi, 0) == -kPi);
  }

  TEST_CASE("the yaw of a rotation about z is its angle") {
    for (double yaw = -3.0; yaw < 3.2; yaw += 0.25) {
      CAPTURE(yaw);
      CHECK(rotation33_as_yaw(yaw_as_rotation33(yaw)) == doctest::Approx(yaw));
    }
  }

  TEST_CASE("a rotation that looks straight up has no heading") {
    CHECK(rotation33_as_yaw({{{0, 0.6, 0.8}, {0, 0.8, -0.6}, {-1, 0, 0}}}) == 0);
  }

  TEST_CASE("a difference lies in [-pi, pi), however many turns apart the angles are") {
    for (int turns = -1000; turns <= 1000; turns += 37) {
      CAPTURE(turns);
      const double far = 0.5 + 2 * kPi * turns;
      CHECK(angular_distance(far, 0) == doctest::Approx(0.5).epsilon(1e-9));
      CHECK(angular_distance(0, far) == doctest::Approx(-0.5).epsilon(1e-9));
    }
    for (double a = -7; a < 7; a += 0.125) {
      const double distance = angular_distance(a, 0.3);
      CHECK(distance >= -kPi);
      CHECK(distance < kPi);
    }
  }

  TEST_CASE("an angle that is not finite has no distance") {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    CHECK(std::isnan(angular_distance(kInfinity, 0)));
    CHECK(std::isnan(angular_distance(0, std::numeric_limits<double>::quiet_NaN())));
    CHECK(std::isnan(angular_distance_f32(0, std::numeric_limits<float>::infinity())));
  }

  TEST_CASE("float32 angles are subtracted in float32") {
    const float a = 3.1F, b = -3.1F;
    CHECK(angular_distance_f32(a, b) ==
          doctest::Approx(
              angular_distance(static_cast<double>(a), static_cast<double>(b)))
              .epsilon(1e-5));
    CHECK(angular_distance_f32(1e8F, 1e8F + 1) == 0);  // float32 cannot tell them apart
  }

  TEST_CASE("a rotation without heading is recognized up to rounding") {
    constexpr double kTiny = std::numeric_limits<double>::epsilon();
    CHECK(rotation33_as_yaw({{{kTiny, 0, 0}, {kTiny, 0, 0}, {1, 0, 0}}}) == 0);
    CHECK(rotation33_as_yaw({{{0, 0, 0}, {1e-9, 0, 0}, {1, 0, 0}}}) ==
          doctest::Approx(kPi / 2));
    CHECK(rotation33_as_yaw({{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}) ==
          doctest::Approx(kPi));
  }
}
