#include <doctest/doctest.h>

#include <random>
#include <string>

#include "core/base/error.hpp"
#include "core/sample/config.hpp"
#include "tests/fuzz/raster/target.hpp"

namespace seeds_test {

using bev::test::RasterSeed;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

TEST_SUITE("fuzz/raster") {
  TEST_CASE("the properties hold for every shape of the seeds, whole and cut") {
    for (const RasterSeed& seed : bev::test::shape_seeds()) {
      CAPTURE(seed.name);
      for (std::size_t size = 0; size <= seed.bytes.size(); ++size) {
        const auto input = bytes_of(seed.bytes).first(size);
        CHECK_NOTHROW(bev::test::polygon_target(input));
        CHECK_NOTHROW(bev::test::polyline_target(input));
      }
    }
  }

  TEST_CASE("the properties hold for shapes with bytes changed") {
    std::mt19937 random(11);
    for (const RasterSeed& seed : bev::test::shape_seeds()) {
      CAPTURE(seed.name);
      for (int i = 0; i < 300; ++i) {
        std::string bytes = seed.bytes;
        for (int k = 0; k < 3; ++k) {
          bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        CHECK_NOTHROW(bev::test::polygon_target(bytes_of(bytes)));
        CHECK_NOTHROW(bev::test::polyline_target(bytes_of(bytes)));
      }
    }
  }

  TEST_CASE("the configs of the seeds are configs, and draw twice the same") {
    for (const RasterSeed& seed : bev::test::config_seeds()) {
      CAPTURE(seed.name);
      CHECK_NOTHROW(bev::sample::Config::parse(seed.bytes));
      CHECK_NOTHROW(bev::test::raster_config_target(bytes_of(seed.bytes)));
    }
  }

  TEST_CASE("configs with a byte changed are refused, or draw twice the same") {
    std::mt19937 random(12);
    for (const RasterSeed& seed : bev::test::config_seeds()) {
      CAPTURE(seed.name);
      for (int i = 0; i < 60; ++i) {
        std::string bytes = seed.bytes;
        bytes[random() % bytes.size()] = "0123456789-e.[]\"x"[random() % 17];
        CHECK_NOTHROW(bev::test::raster_config_target(bytes_of(bytes)));
      }
    }
  }
}

}  // namespace seeds_test
