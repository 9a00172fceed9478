#include "core/geom/angle.hpp"

#include <doctest/doctest.h>

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
}
