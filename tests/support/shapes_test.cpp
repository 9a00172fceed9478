#include "tests/support/shapes.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"

using bev::Errc;
using bev::Error;
using bev::raster::Canvas;
using bev::raster::Rgba;

namespace {

constexpr std::int32_t kWidth = 7, kHeight = 5;

/// Returns the image that `draw` paints, row by row.
template <class Draw>
std::vector<std::string> painted(Draw&& draw) {
  std::vector<Rgba> pixels(kWidth * kHeight);
  draw(Canvas<Rgba>{pixels.data(), kWidth, kHeight});
  std::vector<std::string> rows(kHeight, std::string(kWidth, '.'));
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (pixels[i] != 0) rows[i / kWidth][i % kWidth] = '#';
  }
  return rows;
}

using Rows = std::vector<std::string>;

}  // namespace

TEST_SUITE("support/shapes") {
  TEST_CASE("a line goes through whole pixels, from left to right") {
    const auto line = [](bev::test::PixelAt a, bev::test::PixelAt b) {
      return painted([&](Canvas<Rgba> c) { bev::test::draw_line(c, a, b, 1); });
    };
    CHECK(line({0, 0}, {6, 2}) ==
          Rows{"##.....", "..###..", ".....##", ".......", "......."});
    CHECK(line({6, 2}, {0, 0}) == line({0, 0}, {6, 2}));
    CHECK(line({3, 4}, {3, 0}) ==
          Rows{"...#...", "...#...", "...#...", "...#...", "...#..."});
    CHECK(line({2, 2}, {2, 2}) ==
          Rows{".......", ".......", "..#....", ".......", "......."});
  }

  TEST_CASE("a line far off, or through the image, is cut to it") {
    const auto line = [](bev::test::PixelAt a, bev::test::PixelAt b) {
      return painted([&](Canvas<Rgba> c) { bev::test::draw_line(c, a, b, 1); });
    };
    CHECK(line({INT32_MIN, INT32_MIN}, {INT32_MIN, INT32_MAX}) == Rows(5, "......."));
    CHECK(line({INT32_MIN, 2}, {INT32_MAX, 2}) ==
          Rows{".......", ".......", "#######", ".......", "......."});
  }

  TEST_CASE("a disc is round and cut at the border") {
    const auto disc = [](bev::test::PixelAt at, std::int32_t radius) {
      return painted([&](Canvas<Rgba> c) { bev::test::fill_circle(c, at, radius, 1); });
    };
    CHECK(disc({3, 2}, 0) ==
          Rows{".......", ".......", "...#...", ".......", "......."});
    CHECK(disc({3, 2}, 1) ==
          Rows{".......", "...#...", "..###..", "...#...", "......."});
    CHECK(disc({0, 0}, 2) ==
          Rows{"###....", "##.....", "#......", ".......", "......."});
    CHECK(disc({INT32_MAX, INT32_MIN}, bev::test::kMaxRadius) == Rows(5, "......."));
    CHECK(disc({0, 0}, bev::test::kMaxRadius) == Rows(5, "#######"));
  }

  TEST_CASE("a radius that is none is refused") {
    const auto disc = [](std::int32_t radius) {
      painted([&](Canvas<Rgba> c) { bev::test::fill_circle(c, {1, 1}, radius, 1); });
    };
    CHECK_THROWS_WITH_AS(disc(-1), "circle: radius -1, expected 0 to 32767", Error);
    CHECK_THROWS_AS(disc(32768), Error);
  }

  TEST_CASE("an arrow is a line with two strokes at its end") {
    const auto rows = painted([](Canvas<Rgba> c) {
      bev::test::draw_arrow(c, {1, 2}, {5, 2}, 0.5, 1);
    });
    CHECK(rows == Rows{".......", "....#..", ".#####.", "....#..", "......."});
  }

  TEST_CASE("a trajectory has as many yaws as positions, or none") {
    const std::vector<bev::geom::Vec2> positions = {{1.9, 1.9}, {-0.9, 1e300}};
    const std::vector<double> yaws = {0};
    const auto rows = painted(
        [&](Canvas<Rgba> c) { bev::test::draw_trajectory(c, positions, {}, 1, 0); });
    CHECK(rows == Rows{".......", ".#.....", ".......", ".......", "......."});
    try {
      painted(
          [&](Canvas<Rgba> c) { bev::test::draw_trajectory(c, positions, yaws, 1); });
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == Errc::invalid_argument);
      CHECK(std::string(error.what()) == "trajectory: 1 yaws, expected 2");
    }
  }
}
