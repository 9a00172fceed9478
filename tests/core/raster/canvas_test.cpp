#include "core/raster/canvas.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <limits>

using bev::raster::Gray;
using bev::raster::Ink;
using bev::raster::Rgba;
using bev::raster::to_q9;

namespace {

int once(int value, int colour, int weight) {
  return value + (((colour - value) * weight + 127) >> 8);
}

}  // namespace

TEST_SUITE("raster/canvas") {
  TEST_CASE("coordinates are truncated toward zero, left of the image too") {
    CHECK(to_q9(1.5) == 768);
    CHECK(to_q9(1.0 / 512 + 1e-4) == 1);
    CHECK(to_q9(-1.0 / 512 - 1e-4) == -1);
    CHECK(to_q9(-1e-4) == 0);
  }

  TEST_CASE("coordinates saturate at the limits of int32") {
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

  TEST_CASE("a plane is blended twice over, for every colour, value and weight") {
    int different = 0;
    for (int colour = 0; colour < 256; ++colour) {
      const Ink<Gray> ink(static_cast<Gray>(colour));
      for (int value = 0; value < 256; ++value) {
        for (int weight = 0; weight < 256; ++weight) {
          const int twice = once(once(value, colour, weight), colour, weight);
          const auto got =
              ink.over(static_cast<Gray>(value), static_cast<std::uint32_t>(weight));
          different += got != twice;
        }
      }
    }
    CHECK(different == 0);
  }

  TEST_CASE("channels of a colour are blended as planes are, and stay apart") {
    for (std::uint32_t weight = 0; weight < 256; weight += 5) {
      for (std::uint32_t i = 0; i < 4096; ++i) {
        const Rgba from = i * 0x9E3779B1U, to = ~i * 0x85EBCA77U;
        const Rgba got = Ink<Rgba>(to).over(from, weight);
        for (const unsigned shift : {0U, 8U, 16U, 24U}) {
          const Ink<Gray> ink(static_cast<Gray>(to >> shift));
          const Gray alone = ink.over(static_cast<Gray>(from >> shift), weight);
          if (alone != static_cast<Gray>(got >> shift)) FAIL("channel ", shift);
        }
      }
    }
  }

  TEST_CASE("opaque over opaque is opaque") {
    const Ink<Rgba> ink(bev::raster::rgb(1, 2, 3));
    const Rgba got = ink.over(bev::raster::rgb(250, 9, 77), 91);
    CHECK((got >> 24) == 255);
  }
}
