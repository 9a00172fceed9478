#include "core/sample/normal_system.hpp"

#include <doctest/doctest.h>

#include <vector>

using bev::sample::NormalSystem;
using doctest::Approx;
using Values = std::vector<double>;
using bev::sample::parabola_minimum;
using bev::sample::to_radius;

TEST_SUITE("sample/normal_system") {
  TEST_CASE("a wide region holds the least value of the model") {
    NormalSystem system;
    system.assign(Values{4, 1, 1, 3}, Values{1, 2});
    Values step;
    double damping = 7;
    REQUIRE(system.minimise(10, damping, step));
    CHECK(step[0] == Approx(-1.0 / 11));
    CHECK(step[1] == Approx(-7.0 / 11));
    CHECK(damping == 0);
    CHECK(system.value(step) == Approx(-0.5 * (1.0 / 11 + 14.0 / 11)));
  }

  TEST_CASE("a narrow one is used to its edge, where nothing on it is lower") {
    NormalSystem system;
    system.assign(Values{4, 1, 1, 3}, Values{1, 2});
    Values step;
    double damping = 0;
    REQUIRE(system.minimise(0.3, damping, step));
    CHECK(bev::sample::length(step) == Approx(0.3));
    CHECK(damping > 0);
    for (const Values& other : {Values{-0.3, 0}, Values{0, -0.3}, Values{-0.18, -0.24},
                                Values{-0.01, -0.2998}}) {
      CHECK(system.value(step) <= system.value(other) + 1e-4);
    }
  }

  TEST_CASE("curvature is between two directions") {
    NormalSystem system;
    system.assign(Values{4, 1, 1, 3}, Values{0, 0});
    CHECK(system.curvature(Values{1, 0}, Values{0, 2}) == 2);
    CHECK(system.curvature(Values{1, 1}, Values{1, 1}) == 9);
  }

  TEST_CASE("minimise returns false for a model without a minimum") {
    NormalSystem system;
    Values step;
    double damping = 0;
    system.assign(Values{1, 0, 0, -1}, Values{1, 1});
    CHECK_FALSE(system.minimise(1, damping, step));
  }

  TEST_CASE("the least value is at the extremum if that is between the ends") {
    const auto least = parabola_minimum(1, -2, 0, 3);
    CHECK(least.at == 1);
    CHECK(least.value == -1);
  }

  TEST_CASE("it is at an end where the extremum is outside, a maximum, or none") {
    CHECK(parabola_minimum(1, -2, 2, 3).at == 2);
    CHECK(parabola_minimum(1, -2, 0, 0.5).at == 0.5);
    CHECK(parabola_minimum(-1, 1, 0, 3).at == 3);
    CHECK(parabola_minimum(0, -1, 0, 3).at == 3);
  }

  TEST_CASE("a line is followed to where it leaves the circle") {
    CHECK(to_radius(Values{0, 0}, Values{2, 0}, 3) == 1.5);
    CHECK(to_radius(Values{1, 0}, Values{-1, 0}, 1) == 2);
    CHECK(to_radius(Values{0, 1}, Values{1, 0}, 1) == 0);
  }
}
