#include "core/sample/parabola.hpp"

#include <doctest/doctest.h>

#include <vector>

using bev::sample::least_of_parabola;
using bev::sample::to_radius;
using Values = std::vector<double>;

TEST_SUITE("sample/parabola") {
  TEST_CASE("the least value is at the extremum if that is between the ends") {
    const auto least = least_of_parabola(1, -2, 0, 3);
    CHECK(least.at == 1);
    CHECK(least.value == -1);
  }

  TEST_CASE("it is at an end where the extremum is outside, a maximum, or none") {
    CHECK(least_of_parabola(1, -2, 2, 3).at == 2);
    CHECK(least_of_parabola(1, -2, 0, 0.5).at == 0.5);
    CHECK(least_of_parabola(-1, 1, 0, 3).at == 3);
    CHECK(least_of_parabola(0, -1, 0, 3).at == 3);
  }

  TEST_CASE("a line is followed to where it leaves the circle") {
    CHECK(to_radius(Values{0, 0}, Values{2, 0}, 3) == 1.5);
    CHECK(to_radius(Values{1, 0}, Values{-1, 0}, 1) == 2);
    CHECK(to_radius(Values{0, 1}, Values{1, 0}, 1) == 0);
  }
}
