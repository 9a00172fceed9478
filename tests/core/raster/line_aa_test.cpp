#include "core/raster/line_aa.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <vector>

using bev::raster::Canvas;
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
  TEST_CASE("a level line is as bright as its end points let it, and fades aside") {
    Picture picture;
    draw_line_aa<Gray>(picture.canvas, {2 * kOne, 3 * kOne}, {6 * kOne, 3 * kOne}, 255);
    CHECK(picture.canvas.row(3)[4] == 232);  // 181 * 254 / 256, applied twice
    CHECK(picture.canvas.row(2)[4] == 53);
    CHECK(picture.canvas.row(5)[4] == 0);
    CHECK(picture.canvas.row(3)[0] == 0);
    CHECK(picture.canvas.row(3)[8] == 0);
  }

  TEST_CASE("both ends may be given first") {
    Picture there, back;
    draw_line_aa<Gray>(there.canvas, {kOne / 3, kOne / 7}, {7 * kOne, 5 * kOne}, 200);
    draw_line_aa<Gray>(back.canvas, {7 * kOne, 5 * kOne}, {kOne / 3, kOne / 7}, 200);
    CHECK(there.pixels == back.pixels);
  }

  TEST_CASE("a line of no length still paints") {
    Picture picture;
    draw_line_aa<Gray>(picture.canvas, {4 * kOne, 4 * kOne}, {4 * kOne, 4 * kOne}, 255);
    CHECK(picture.canvas.row(4)[4] > 0);
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
