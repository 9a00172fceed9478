#include "core/raster/lanes.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using bev::raster::Between;
using bev::raster::bilinear;
using bev::raster::Lanes;
using bev::raster::lanes;
using bev::raster::TwoPixels;
using Bytes = std::vector<std::uint8_t>;

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
    constexpr std::uint16_t kMax = 2048;
    const Lanes row[] = {lanes(255, 7, 0), lanes(255, 200, 31), ~Lanes{0}};
    std::vector<Between> places;
    for (std::uint32_t i = 0; i <= kMax; ++i) {
      places.emplace_back(0, static_cast<std::uint16_t>(i),
                          static_cast<std::uint16_t>(kMax - i));
    }
    places.emplace_back(1, kMax, 0);  // the last pixel, regardless of the padding
    const std::size_t width = places.size();
    std::vector<Lanes> out(width);
    bev::raster::between(row, places, out.data());
    const Bytes bytes = {255, 7, 0, 255, 200, 31, 9, 9, 9, 9};
    std::vector<Lanes> of_bytes(width);
    bev::raster::between(bytes.data(), places, of_bytes.data());
    std::size_t wrong = 0;
    for (const auto& mixed : {out, of_bytes}) {
      const auto colour = [&](std::size_t i, unsigned c) {
        return static_cast<std::uint32_t>(mixed[i] >> 16 * c & 0xFFFFU);
      };
      for (std::uint32_t i = 0; i <= kMax; ++i) {
        wrong += colour(i, 0) != 255 * 128;
        wrong += colour(i, 1) != (7 * i + 200 * (kMax - i)) / 16;
        wrong += colour(i, 2) != 31 * (kMax - i) / 16;
      }
      CHECK(colour(width - 1, 0) == 255 * 128);
      CHECK(colour(width - 1, 1) == 200 * 128);
      CHECK(colour(width - 1, 2) == 31 * 128);
    }
    CHECK(wrong == 0);
  }

  TEST_CASE("four pixels become their mean, of bytes as of lanes, whatever the width") {
    for (std::size_t width = 1; width < 11; ++width) {
      Bytes upper, lower;
      for (unsigned i = 0; i < 6 * width + 4; ++i) {
        upper.push_back(static_cast<std::uint8_t>(i * 37));
        lower.push_back(static_cast<std::uint8_t>(255 - i * i));
      }
      std::vector<Lanes> wide_upper(2 * width), wide_lower(2 * width);
      bev::raster::widen(std::span(upper).first(6 * width), wide_upper.data());
      bev::raster::widen(std::span(lower).first(6 * width), wide_lower.data());
      Bytes out(3 * width), out_of_lanes(3 * width), expected(3 * width);
      const auto planes = [&](Bytes& of) {
        return std::array{of.data(), of.data() + width, of.data() + 2 * width};
      };
      bev::raster::halve(upper.data(), lower.data(), width, planes(out));
      bev::raster::halve(wide_upper.data(), wide_lower.data(), width,
                         planes(out_of_lanes));
      for (std::size_t i = 0; i < 3 * width; ++i) {
        const std::size_t at = i % width * 6 + i / width;
        const int sum = upper[at] + upper[at + 3] + lower[at] + lower[at + 3];
        expected[i] = static_cast<std::uint8_t>((sum + 2) / 4);
      }
      CHECK(out == expected);
      CHECK(out_of_lanes == expected);
    }
  }

  TEST_CASE("two rows are mixed by their weights, whatever the width") {
    std::vector<Lanes> upper, lower;
    for (unsigned i = 0; i < 29; ++i) {
      upper.push_back(Lanes{32640 - 777 * i} | Lanes{777 * i} << 16 | Lanes{5} << 32);
      lower.push_back(Lanes{1111 * i} | Lanes{32640} << 16 | Lanes{32000} << 32);
    }
    for (std::size_t width = 0; width <= upper.size(); ++width) {
      const bev::raster::TwoRows rows{upper.data(), lower.data(), 1500, 548};
      Bytes out(3 * width + 3, 99);
      const std::size_t pitch = width + 1;
      bev::raster::mix(rows, width,
                       {out.data(), out.data() + pitch, out.data() + 2 * pitch});
      for (std::size_t i = 0; i < 3 * pitch; ++i) {
        const std::size_t x = i % pitch, shift = 16 * (i / pitch);
        const auto of = [&](const std::vector<Lanes>& row, unsigned weight) {
          return static_cast<unsigned>(row[x] >> shift & 0xFFFFU) * weight >> 16;
        };
        CHECK(out[i] == (x == width ? 99 : (of(upper, 1500) + of(lower, 548) + 2) / 4));
      }
    }
  }

  TEST_CASE("pixels of three bytes become lanes, and nothing behind them is written") {
    for (std::size_t count = 0; count < 12; ++count) {
      std::vector<std::uint8_t> rgb;
      for (unsigned i = 0; i < 3 * count; ++i) {
        rgb.push_back(static_cast<std::uint8_t>(255 - 7 * i));
      }
      std::vector<Lanes> out(count + 1, 99);
      bev::raster::widen(rgb, out.data());
      for (std::size_t i = 0; i < count; ++i) {
        CHECK(out[i] == lanes(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]));
      }
      CHECK(out[count] == 99);
    }
  }
}
