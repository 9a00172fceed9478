#include "core/raster/canvas.hpp"

#include <doctest/doctest.h>

#include <limits>

using bev::raster::to_q9;

TEST_SUITE("raster/canvas") {
  TEST_CASE("coordinates are truncated toward zero, left of the image too") {
    CHECK(to_q9(1.5) == 768);
    CHECK(to_q9(1.0 / 512 + 1e-4) == 1);
    CHECK(to_q9(-1.0 / 512 - 1e-4) == -1);
    CHECK(to_q9(-1e-4) == 0);
  }

  TEST_CASE("what does not fit is as far off as can be") {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    CHECK(to_q9(1e9) == INT32_MAX);
    CHECK(to_q9(-1e9) == INT32_MIN);
    CHECK(to_q9(kInfinity) == INT32_MAX);
    CHECK(to_q9(-kInfinity) == INT32_MIN);
    CHECK(to_q9(std::numeric_limits<double>::quiet_NaN()) == INT32_MIN);
    CHECK(to_q9(4194303.998046875) == INT32_MAX);
    CHECK(to_q9(-4194304) == INT32_MIN);
  }

  TEST_CASE("a colour is red, green, blue, opaque in memory") {
    CHECK(bev::raster::rgb(1, 2, 3) == 0xFF030201U);
  }
}
