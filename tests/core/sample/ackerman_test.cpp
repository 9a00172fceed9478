#include "core/sample/ackerman.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"

using bev::Error;
using bev::sample::CarLimits;
using bev::sample::CarState;
using bev::sample::fit_drive;
using doctest::Approx;

namespace {

/// Returns states straight ahead along x, `speed` metres per step.
std::vector<CarState> straight(std::size_t steps, double speed) {
  std::vector<CarState> out;
  for (std::size_t i = 1; i <= steps; ++i) {
    out.push_back({speed * static_cast<double>(i), 0, 0, 0});
  }
  return out;
}

}  // namespace

TEST_SUITE("sample/ackerman") {
  TEST_CASE("a drive that a car can do is left as it is") {
    const auto drive = fit_drive({0, 0, 0, 1}, straight(12, 1));
    REQUIRE(drive.size() == 12);
    CHECK(drive.back().x == Approx(12));
    CHECK(drive.back().y == Approx(0));
    CHECK(drive.back().speed == Approx(1));
  }

  TEST_CASE("a car put to the side comes back, as fast as its steering lets it") {
    const CarLimits limits;
    const CarState start{0, 1, 0, 1};
    const auto drive = fit_drive(start, straight(50, 1));
    CHECK(std::fabs(drive.back().y) < 0.05);
    auto before = start;
    for (const auto& state : drive) {
      CHECK(std::fabs(state.yaw - before.yaw) <= limits.steer + 1e-15);
      CHECK(std::fabs(state.speed - before.speed) <= limits.acceleration + 1e-15);
      CHECK(state.x - before.x == Approx(std::cos(state.yaw) * state.speed));
      CHECK(state.y - before.y == Approx(std::sin(state.yaw) * state.speed));
      before = state;
    }
  }

  TEST_CASE("limits that bind are kept") {
    const CarLimits limits{.steer = 0.001, .acceleration = 0.001};
    const auto drive = fit_drive({0, 4, 0.5, 1}, straight(30, 2), limits);
    double before = 0.5;
    double least = 0;
    for (const auto& state : drive) {
      least = std::min(least, state.yaw - before);
      before = state.yaw;
    }
    CHECK(least >= -limits.steer - 1e-15);  // differences of sums
    CHECK(least == Approx(-limits.steer).epsilon(1e-3));
  }

  TEST_CASE("poses that are nowhere, or too many, are refused") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(fit_drive({nan, 0, 0, 1}, straight(5, 1)), Error);
    CHECK_THROWS_AS(fit_drive({0, 0, 0, 1e200}, straight(5, 1)), Error);
    CHECK_THROWS_WITH_AS(fit_drive({}, straight(1001, 1)),
                         "drive: too many steps (found 1001, expected at most 1000)",
                         Error);
  }
}
