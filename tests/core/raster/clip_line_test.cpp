#include "core/raster/clip_line.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <random>

using bev::raster::clip_line;
using bev::raster::Point64;

TEST_SUITE("raster/clip_line") {
  TEST_CASE("a line inside stays as it is, one beside is nothing") {
    Point64 a{0, 0}, b{9, 4};
    CHECK(clip_line(9, 4, a, b));
    CHECK(a == Point64{0, 0});
    CHECK(b == Point64{9, 4});
    for (const Point64 shift :
         {Point64{-10, 0}, Point64{10, 0}, Point64{0, -5}, Point64{0, 5}}) {
      Point64 c{shift.x, shift.y}, d{9 + shift.x, 4 + shift.y};
      CHECK_FALSE(clip_line(9, 4, c, d));
    }
  }

  TEST_CASE(
      "a line across is cut at both sides, truncating toward where it came from") {
    Point64 a{-10, -5}, b{30, 15};
    CHECK(clip_line(19, 9, a, b));
    CHECK(a == Point64{0, 0});
    CHECK(b == Point64{18, 9});
    Point64 c{-3, 1}, d{4, -1};
    CHECK(clip_line(9, 9, c, d));
    CHECK(d == Point64{1, 0});  // 4 - 7 / 2, of which 3 is left
    CHECK(c == Point64{0, 1});  // 1 - 3 / 4
  }

  TEST_CASE("a line past a corner is nothing") {
    Point64 a{-4, 3}, b{3, -4};
    CHECK_FALSE(clip_line(9, 9, a, b));
  }

  TEST_CASE("whatever the line, what is left of it is inside") {
    std::mt19937_64 random(1);
    const std::int64_t most = std::int64_t{1} << 40;
    int kept = 0;
    for (int i = 0; i < 20000; ++i) {
      const std::int64_t reach = most >> (i % 30);
      std::uniform_int_distribution<std::int64_t> any(-reach, reach);
      Point64 a{any(random), any(random)}, b{any(random), any(random)};
      const std::int64_t right = i % 1000, bottom = i % 777;
      if (!clip_line(right, bottom, a, b)) continue;
      ++kept;
      for (const Point64& p : {a, b}) {
        CHECK((p.x >= 0 && p.x <= right && p.y >= 0 && p.y <= bottom));
      }
    }
    CHECK(kept > 100);
  }
}
