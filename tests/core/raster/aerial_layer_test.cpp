#include "core/raster/aerial_layer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/small_scenery.hpp"

using bev::Errc;
using bev::Error;
using bev::map::AerialImage;
using bev::raster::AerialLayer;
using bev::test::small_frame;
using bev::test::small_scenery;

namespace {

constexpr std::uint32_t kSide = 200;

/// North is up: rows count from y = 100 m down, columns from x = -100 m; ten metres of
/// altitude shift one metre east. Red encodes the column, green the row.
std::shared_ptr<const AerialImage> picture() {
  bev::geom::Affine3 aerial_from_world;
  aerial_from_world.rows[0] = {0, -1, 0, 100};
  aerial_from_world.rows[1] = {1, 0, 0.1, 100};
  std::vector<std::uint8_t> pixels;
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kSide; ++x) {
      pixels.insert(pixels.end(), {static_cast<std::uint8_t>(x),
                                   static_cast<std::uint8_t>(y), std::uint8_t{50}});
    }
  }
  return std::make_shared<const AerialImage>(kSide, kSide, std::move(pixels),
                                             aerial_from_world);
}

/// Returns red and green in the middle of the drawn image.
std::array<int, 2> middle(const bev::sample::Scenery& scenery, bool origin_at_bottom,
                          AerialLayer::Options options = {}) {
  bev::sample::RasterFrame frame = small_frame();
  frame.set_origin_to_bottom = origin_at_bottom;
  const std::size_t size = 40 * 30;
  std::vector<std::uint8_t> out(3 * size);
  AerialLayer(picture(), frame, options)
      .draw(scenery, {out.data(), out.data() + size, out.data() + 2 * size});
  return {out[15 * 40 + 20], out[size + 15 * 40 + 20]};
}

}  // namespace

TEST_SUITE("raster/aerial_layer") {
  TEST_CASE("the middle of the raster is where the map has it") {
    const auto at = middle(small_scenery({}, {20, -30}), true);
    CHECK(at == std::array<int, 2>{120, 130});
  }

  TEST_CASE("the height of the ego vehicle leads into the image") {
    auto scenery = small_scenery({}, {20, -30});
    scenery.ego_z = 50;
    CHECK(middle(scenery, true)[0] == 125);
  }

  TEST_CASE("ahead is to the right, whatever the heading") {
    auto scenery = small_scenery({}, {20, -30});
    scenery.yaw_rad = 1.5707963267948966;
    const std::size_t size = 40 * 30;
    std::vector<std::uint8_t> out(3 * size);
    auto frame = small_frame();
    frame.set_origin_to_bottom = true;
    AerialLayer(picture(), frame, {})
        .draw(scenery, {out.data(), out.data() + size, out.data() + 2 * size});
    const auto green = [&](std::size_t x) { return int{out[size + 15 * 40 + x]}; };
    CHECK(green(36) < green(20));  // further north: a smaller row
    CHECK(green(4) > green(20));
    CHECK(out[15 * 40 + 36] == out[15 * 40 + 4]);
  }

  TEST_CASE("an agent's heading is a float32") {
    auto scenery = small_scenery({}, {20, -30}, 5);
    scenery.yaw_rad = static_cast<double>(0.3F);
    CHECK(middle(scenery, true)[0] == doctest::Approx(120).epsilon(0.02));
  }

  TEST_CASE("where y counts from the top, rows are reversed") {
    const std::size_t size = 40 * 30;
    std::vector<std::uint8_t> up(3 * size), down(3 * size);
    auto frame = small_frame();
    const auto scenery = small_scenery({}, {20, -30});
    AerialLayer(picture(), frame, {})
        .draw(scenery, {up.data(), up.data() + size, up.data() + 2 * size});
    frame.set_origin_to_bottom = true;
    AerialLayer(picture(), frame, {})
        .draw(scenery, {down.data(), down.data() + size, down.data() + 2 * size});
    for (std::size_t y = 0; y < 30; ++y) {
      CHECK(up[size + y * 40] == down[size + (29 - y) * 40]);
    }
  }

  TEST_CASE("near the border it is an error, or padded") {
    const auto corner = small_scenery({}, {-95, 95});
    CHECK_THROWS_AS(middle(corner, true), Error);
    CHECK(middle(corner, true, {.pad = true}) == std::array<int, 2>{5, 5});
  }
}
