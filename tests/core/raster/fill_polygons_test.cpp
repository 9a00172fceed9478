#include "core/raster/fill_polygons.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace fill_polygons_test {

using bev::raster::Canvas;
using bev::raster::Gray;
using bev::raster::PointQ9;
using bev::raster::PolygonFiller;

namespace {

constexpr std::int32_t kSide = 24;

struct Picture {
  std::vector<Gray> pixels = std::vector<Gray>(kSide * kSide);
  Canvas<Gray> canvas{pixels.data(), kSide, kSide};
  Gray at(std::int32_t x, std::int32_t y) const { return canvas.row(y)[x]; }
};

/// Returns the corners of an axis-aligned square, in pixels.
std::vector<PointQ9> square(std::int32_t from, std::int32_t to) {
  const std::int32_t a = from * 512, b = to * 512;
  return {{a, a}, {b, a}, {b, b}, {a, b}};
}

std::vector<PointQ9> joined(std::vector<PointQ9> first,
                            const std::vector<PointQ9>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

TEST_SUITE("raster/fill_polygons") {
  TEST_CASE("the inside is the colour itself, the outside is untouched") {
    Picture image;
    PolygonFiller().fill<Gray>(image.canvas, square(6, 16), 4, 255);
    for (std::int32_t y = 6; y < 16; ++y) {
      for (std::int32_t x = 6; x <= 16; ++x) CHECK(image.at(x, y) == 255);
    }
    CHECK(image.at(3, 10) == 0);
    CHECK(image.at(19, 10) == 0);
    CHECK(image.at(10, 3) == 0);
  }

  TEST_CASE("where two polygons of a call overlap only outlines are") {
    Picture together, apart;
    PolygonFiller filler;
    filler.fill<Gray>(together.canvas, joined(square(4, 14), square(8, 20)), 4, 255);
    filler.fill<Gray>(apart.canvas, square(4, 14), 4, 255);
    filler.fill<Gray>(apart.canvas, square(8, 20), 4, 255);
    CHECK(together.at(11, 11) == 0);
    CHECK(apart.at(11, 11) == 255);
    CHECK(together.at(6, 6) == 255);
    CHECK(together.at(17, 17) == 255);
  }

  TEST_CASE("a polygon far off does not reach into the image") {
    PolygonFiller filler;
    for (const PointQ9 shift :
         {PointQ9{-40 * 512, 0}, {40 * 512, 0}, {0, -40 * 512}, {0, 40 * 512}}) {
      auto points = square(4, 14);
      for (PointQ9& p : points) p = {p.x + shift.x, p.y + shift.y};
      Picture alone, beside, expected;
      filler.fill<Gray>(alone.canvas, points, 4, 255);
      CHECK(alone.pixels == Picture().pixels);
      filler.fill<Gray>(beside.canvas, joined(square(2, 9), points), 4, 255);
      filler.fill<Gray>(expected.canvas, square(2, 9), 4, 255);
      CHECK(beside.pixels == expected.pixels);
    }
  }

  TEST_CASE("a polygon around the image fills it") {
    Picture image;
    const std::int32_t far = 1 << 30;
    const std::vector<PointQ9> points = {
        {-far, -far}, {far, -far}, {far, far}, {-far, far}};
    PolygonFiller().fill<Gray>(image.canvas, points, 4, 9);
    CHECK(image.pixels == std::vector<Gray>(kSide * kSide, 9));
  }

  TEST_CASE("an image of no pixels is left alone, also where a polygon crosses it") {
    Gray guard = 7;
    const std::vector<PointQ9> points = {{-9000, -9000}, {9000, -9000}, {0, 9000}};
    PolygonFiller().fill<Gray>({&guard, 0, 5}, points, 3, 255);
    PolygonFiller().fill<Gray>({&guard, 5, 0}, points, 3, 255);
    CHECK(guard == 7);
  }

  TEST_CASE("no points, one point and flat polygons fill nothing") {
    Picture image;
    PolygonFiller filler;
    filler.fill<Gray>(image.canvas, {}, 4, 255);
    CHECK(image.pixels == Picture().pixels);
    const std::vector<PointQ9> flat = {{2 * 512, 8 * 512}, {9 * 512, 8 * 512}};
    filler.fill<Gray>(image.canvas, flat, 2, 255);
    filler.fill<Gray>(image.canvas, std::span(flat).first(1), 0, 255);
    CHECK(image.at(5, 10) == 0);
    CHECK(image.at(5, 8) > 0);  // its outline is visible
  }

  TEST_CASE("a filler that is used again draws as a new one, whatever it drew before") {
    std::mt19937 random(5);
    PolygonFiller used;
    for (int i = 0; i < 2000; ++i) {
      std::vector<PointQ9> points(random() % 14);
      const auto shift = random() % 22;
      for (PointQ9& p : points) {
        p = {static_cast<std::int32_t>(random()) >> shift,
             static_cast<std::int32_t>(random()) >> shift};
      }
      if (!points.empty() && i % 3 == 0) points[0] = {INT32_MIN, INT32_MIN};
      Picture with_new;
      PolygonFiller().fill<Gray>(with_new.canvas, points, 4, 255);
      Picture again;
      used.fill<Gray>(again.canvas, points, 4, 255);
      CHECK(again.pixels == with_new.pixels);
    }
  }
}

}  // namespace fill_polygons_test
