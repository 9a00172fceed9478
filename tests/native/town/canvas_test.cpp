#include "native/town/canvas.hpp"

#include <doctest/doctest.h>

#include <array>
#include <numeric>

#include "native/town/aerial.hpp"

using namespace bev::town;

namespace {

// Ten by ten pixels of half a metre, with the top left corner at (0, 5).
Canvas small() {
  return Canvas(
      {.top_left = {0, 5}, .rows = 10, .columns = 10, .metres_per_pixel = 0.5});
}

int red(const Canvas& canvas, int row, int column) {
  return canvas.pixels()[static_cast<std::size_t>(3 * (row * 10 + column))];
}

}  // namespace

TEST_SUITE("town/canvas") {
  TEST_CASE("a polygon fills the pixels it covers, north up") {
    Canvas canvas = small();
    const std::array<Vec2, 4> square = {Vec2{1, 4}, Vec2{2, 4}, Vec2{2, 3}, Vec2{1, 3}};
    canvas.fill(square, {200, 0, 0});
    CHECK(red(canvas, 2, 2) == 200);
    CHECK(red(canvas, 3, 3) == 200);
    CHECK(red(canvas, 1, 2) == 0);
    CHECK(red(canvas, 2, 4) == 0);
  }

  TEST_CASE("a pixel that is covered by half is half as strong") {
    Canvas canvas = small();
    const std::array<Vec2, 4> half = {Vec2{0, 5}, Vec2{0.25, 5}, Vec2{0.25, 0},
                                      Vec2{0, 0}};
    canvas.fill(half, {200, 0, 0});
    CHECK(red(canvas, 5, 0) == 100);
    CHECK(red(canvas, 5, 1) == 0);
  }

  TEST_CASE("shapes are clipped at the image") {
    Canvas canvas = small();
    const std::array<Vec2, 3> huge = {Vec2{-1000, -1000}, Vec2{1000, -1000},
                                      Vec2{0, 2000}};
    canvas.fill(huge, {9, 9, 9});
    const auto pixels = canvas.pixels();
    CHECK(std::accumulate(pixels.begin(), pixels.end(), 0) == 9 * 300);
    canvas.disc({-50, 0}, 3, {1, 1, 1});
    CHECK(red(canvas, 9, 0) == 9);
  }

  TEST_CASE("a ribbon lies to the side that is asked for") {
    Canvas canvas = small();
    const std::array<Vec2, 2> line = {Vec2{0, 2.5}, Vec2{5, 2.5}};
    canvas.ribbon(Path(line), 0, 5, 1, 0, {80, 0, 0});
    CHECK(red(canvas, 4, 5) == 80);  // north is left of eastward
    CHECK(red(canvas, 6, 5) == 0);
  }
}

TEST_SUITE("town/aerial") {
  TEST_CASE("streets are grey, parks green, and the picture holds the town") {
    const Plan plan = make_plan(1);
    const AerialFrame frame = aerial_frame(plan, 2);
    Canvas canvas(frame);
    paint_ground(canvas, plan, 1);
    paint_streets(canvas, plan);
    const auto pixel_at = [&](Vec2 at) {
      const auto place = aerial_from_world(frame) * bev::geom::Vec3{at.x, at.y, 0};
      const auto row = static_cast<std::size_t>(place.x);
      const auto column = static_cast<std::size_t>(place.y);
      return canvas.pixels().subspan(
          3 * (row * static_cast<std::size_t>(frame.columns) + column), 3);
    };
    for (const Node& node : plan.nodes) {
      const auto colour = pixel_at(node.at);
      REQUIRE(std::abs(colour[0] - colour[1]) < 6);
    }
    for (std::size_t i = 0; i < plan.blocks.size(); ++i) {
      if (!plan.parks[i]) continue;
      const auto& b = plan.blocks[i];
      const auto colour = pixel_at(0.25 * (b[0] + b[1] + b[2] + b[3]));
      REQUIRE(colour[1] > colour[0] + 20);
    }
  }
}
