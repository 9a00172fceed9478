#include "core/raster/lanes.hpp"

#include <doctest/doctest.h>

#include <random>

using bev::raster::between;
using bev::raster::bilinear;
using bev::raster::Lanes;
using bev::raster::TwoPixels;

TEST_SUITE("raster/lanes") {
  TEST_CASE("four pixels are mixed in 32nds and rounded, whatever lies behind them") {
    std::mt19937 random(2);
    for (int i = 0; i < 20000; ++i) {
      TwoPixels upper{}, lower{};
      for (std::uint8_t& byte : upper) byte = static_cast<std::uint8_t>(random());
      for (std::uint8_t& byte : lower) byte = static_cast<std::uint8_t>(random());
      if (i % 7 == 0) upper.fill(255);
      if (i % 7 == 0) lower.fill(255);
      const int x = i % 32, y = i / 32 % 32;
      const Lanes mixed = bilinear(upper, lower, x, y);
      for (unsigned c = 0; c < 3; ++c) {
        const int sum = upper[c] * (32 - x) * (32 - y) + upper[c + 3] * x * (32 - y) +
                        lower[c] * (32 - x) * y + lower[c + 3] * x * y;
        if (static_cast<int>(mixed >> 16 * c & 0xFFFFU) != (sum + 512) / 1024) {
          FAIL("case ", i);
        }
      }
    }
  }

  TEST_CASE("between two pixels weights are 2048ths, and 16ths of them are kept") {
    for (unsigned weight = 0; weight <= 2048; ++weight) {
      const auto second = static_cast<std::uint16_t>(2048 - weight);
      const Lanes value =
          between(bev::raster::lanes(255, 7, 0), bev::raster::lanes(255, 200, 31),
                  static_cast<std::uint16_t>(weight), second);
      CHECK((value & 0xFFFFU) == 255 * 128);
      CHECK((value >> 16 & 0xFFFFU) == (7 * weight + 200 * second) / 16);
      CHECK((value >> 32 & 0xFFFFU) == 31 * second / 16);
    }
  }
}
