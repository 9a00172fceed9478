#include "core/zarr/half.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace bev::zarr;

TEST_SUITE("zarr/half") {
  TEST_CASE("known values, both ways") {
    const struct {
      std::uint16_t half;
      double value;
    } known[] = {{0x0000, 0.0},     {0x8000, -0.0},           {0x3c00, 1.0},
                 {0xc000, -2.0},    {0x7bff, 65504.0},        {0x0400, 0x1p-14},
                 {0x0001, 0x1p-24}, {0x03ff, 1023 * 0x1p-24}, {0x3555, 0x1.554p-2}};
    for (const auto& row : known) {
      const auto half = row.half;
      const double value = row.value;
      CAPTURE(value);
      CHECK(half_to_float(half) == static_cast<float>(value));
      CHECK(std::signbit(half_to_float(half)) == std::signbit(value));
      CHECK(half_from_double(value) == half);
    }
  }

  TEST_CASE("every finite half is restored from its value") {
    for (unsigned i = 0; i <= 0xffff; ++i) {
      const auto half = static_cast<std::uint16_t>(i);
      const float value = half_to_float(half);
      if (std::isnan(value)) continue;
      if (half_from_double(static_cast<double>(value)) != half) FAIL("half " << i);
    }
  }

  TEST_CASE("rounding is to the nearest, ties to even, once") {
    CHECK(half_from_double(1.0 + 0x1p-11) == 0x3c00);
    CHECK(half_from_double(1.0 + 3 * 0x1p-11) == 0x3c02);
    // Through float it would become a tie, and round down.
    CHECK(half_from_double(1.0 + 0x1p-11 + 0x1p-40) == 0x3c01);
    CHECK(half_from_double(0x1p-25) == 0);
    CHECK(half_from_double(0x1.8p-25) == 1);
    CHECK(half_from_double(2047.5 * 0x1p-25) == 0x0400);
    CHECK(half_from_double(65519.99) == 0x7bff);
    CHECK(half_from_double(65520) == 0x7c00);
  }

  TEST_CASE("infinities and NaN") {
    CHECK(std::isinf(half_to_float(0x7c00)));
    CHECK(half_to_float(0xfc00) < 0);
    CHECK(std::isnan(half_to_float(0x7e01)));
    CHECK(half_from_double(-std::numeric_limits<double>::infinity()) == 0xfc00);
    CHECK(half_from_double(std::numeric_limits<double>::quiet_NaN()) == 0x7e00);
  }
}
