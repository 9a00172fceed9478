#include "core/raster/line_aa.hpp"

#include <doctest/doctest.h>

#include <array>
#include <initializer_list>
#include <random>
#include <vector>

using bev::raster::Canvas;
using bev::raster::clip_line;
using bev::raster::draw_line_aa;
using bev::raster::draw_polyline_aa;
using bev::raster::Gray;
using bev::raster::Point64;
using bev::raster::PointQ9;

namespace {

constexpr std::int64_t kOne = 1 << 16;

struct Picture {
  explicit Picture(std::int32_t width = 9, std::int32_t height = 7)
      : pixels(static_cast<std::size_t>(width * height)),
        canvas{pixels.data(), width, height} {}
  std::vector<Gray> pixels;
  Canvas<Gray> canvas;
};

}  // namespace

TEST_SUITE("raster/line_aa") {
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

  TEST_CASE("the clipped part of any line is inside") {
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

  TEST_CASE("a level line is as bright as its end points let it, and fades aside") {
    Picture image;
    draw_line_aa<Gray>(image.canvas, {2 * kOne, 3 * kOne}, {6 * kOne, 3 * kOne}, 255);
    CHECK(image.canvas.row(3)[4] == 232);  // 181 * 254 / 256, applied twice
    CHECK(image.canvas.row(2)[4] == 53);
    CHECK(image.canvas.row(5)[4] == 0);
    CHECK(image.canvas.row(3)[0] == 0);
    CHECK(image.canvas.row(3)[8] == 0);
  }

  TEST_CASE("both ends may be given first") {
    Picture there, back;
    draw_line_aa<Gray>(there.canvas, {kOne / 3, kOne / 7}, {7 * kOne, 5 * kOne}, 200);
    draw_line_aa<Gray>(back.canvas, {7 * kOne, 5 * kOne}, {kOne / 3, kOne / 7}, 200);
    CHECK(there.pixels == back.pixels);
  }

  TEST_CASE("a line of no length still paints") {
    Picture image;
    draw_line_aa<Gray>(image.canvas, {4 * kOne, 4 * kOne}, {4 * kOne, 4 * kOne}, 255);
    CHECK(image.canvas.row(4)[4] > 0);
  }

  TEST_CASE("an image of no pixels is left alone") {
    Gray guard = 7;
    draw_line_aa<Gray>({&guard, 0, 5}, {0, 0}, {kOne, kOne}, 255);
    draw_line_aa<Gray>({&guard, 5, 0}, {0, 0}, {kOne, kOne}, 255);
    CHECK(guard == 7);
  }

  TEST_CASE("an open line of one point is nothing, a closed one is a dot") {
    Picture open, closed;
    const PointQ9 point{4 * 512, 3 * 512};
    draw_polyline_aa<Gray>(open.canvas, {&point, 1}, false, 255);
    draw_polyline_aa<Gray>(closed.canvas, {&point, 1}, true, 255);
    draw_polyline_aa<Gray>(open.canvas, {}, true, 255);
    CHECK(open.pixels == Picture().pixels);
    CHECK(closed.pixels != Picture().pixels);
  }

  TEST_CASE("a closed line begins with its last side") {
    const std::array<PointQ9, 3> points = {
        PointQ9{600, 700}, {3500, 900}, {2000, 2900}};
    const auto at = [&](std::size_t i) {
      return Point64{points[i].x * 128, points[i].y * 128};
    };
    Picture whole, sides;
    draw_polyline_aa<Gray>(whole.canvas, points, true, 180);
    draw_line_aa<Gray>(sides.canvas, at(2), at(0), 180);
    draw_line_aa<Gray>(sides.canvas, at(0), at(1), 180);
    draw_line_aa<Gray>(sides.canvas, at(1), at(2), 180);
    CHECK(whole.pixels == sides.pixels);
  }

  TEST_CASE("any coordinates leave what is around the image alone") {
    constexpr std::int32_t kWidth = 13, kHeight = 11;
    constexpr std::size_t kGuard = 64;
    std::mt19937 random(3);
    for (int i = 0; i < 4000; ++i) {
      std::vector<Gray> pixels(kWidth * kHeight + 2 * kGuard, 7);
      std::array<PointQ9, 4> points{};
      for (PointQ9& p : points) {
        const auto shift = random() % 24;
        p = {static_cast<std::int32_t>(random()) >> shift,
             static_cast<std::int32_t>(random()) >> shift};
      }
      if (i % 5 == 0) points[1] = {INT32_MIN, INT32_MAX};
      draw_polyline_aa<Gray>({pixels.data() + kGuard, kWidth, kHeight}, points, true,
                             0);
      for (std::size_t k = 0; k < kGuard; ++k) {
        if (pixels[k] != 7 || pixels[pixels.size() - 1 - k] != 7) FAIL("case ", i);
      }
    }
  }
}
