#include "core/sample/render_context.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <numbers>

#include "core/base/error.hpp"

using bev::Error;
using bev::geom::Vec2;
using bev::sample::raster_from_local;
using bev::sample::raster_from_world;
using bev::sample::raster_from_world_f32;
using bev::sample::RasterFrame;
using doctest::Approx;

namespace {

const RasterFrame kTopDown{{200, 100}, {0.5, 0.25}, {0.25, 0.5}, false};

}  // namespace

TEST_SUITE("sample/render_context") {
  TEST_CASE("the agent is at ego_center, axes are scaled separately") {
    const auto map = raster_from_local(kTopDown);
    CHECK(map * Vec2{0, 0} == Vec2{50, 50});
    CHECK(map * Vec2{1, 0} == Vec2{52, 50});
    CHECK(map * Vec2{0, 1} == Vec2{50, 54});
  }

  TEST_CASE("with the origin at the bottom y is mirrored, the agent stays inside") {
    auto frame = kTopDown;
    frame.set_origin_to_bottom = true;
    frame.ego_center = {0.25, 0.1};
    const auto map = raster_from_local(frame);
    CHECK(map * Vec2{0, 0} == Vec2{50, 90});
    CHECK(map * Vec2{0, 1} == Vec2{50, 86});
  }

  TEST_CASE("the agent's heading points along the raster's x") {
    const auto local = raster_from_local(kTopDown);
    const auto map = raster_from_world(local, {10, 20}, std::numbers::pi / 2);
    const auto centre = map * Vec2{10, 20};
    CHECK(centre.x == Approx(50));
    CHECK(centre.y == Approx(50));
    const auto ahead = map * Vec2{10, 21};
    CHECK(ahead.x == Approx(52));
    CHECK(ahead.y == Approx(50));
  }

  TEST_CASE("a float32 heading gives almost the same map, to its own precision") {
    const auto local = raster_from_local(kTopDown);
    const float yaw = 0.3F;
    const auto wide = raster_from_world(local, {10, 20}, static_cast<double>(yaw));
    const auto narrow = raster_from_world_f32(local, {10, 20}, yaw);
    CHECK(narrow.xx == Approx(wide.xx).epsilon(1e-6));
    CHECK(narrow.ty == Approx(wide.ty).epsilon(1e-5));
    CHECK(narrow.xx != wide.xx);
  }

  TEST_CASE("pixels of no size and headings that are no numbers are refused") {
    auto frame = kTopDown;
    frame.pixel_size = {0.5, 0};
    CHECK_THROWS_WITH_AS(raster_from_local(frame), "raster: pixel_size must not be 0",
                         Error);
    const auto local = raster_from_local(kTopDown);
    CHECK_THROWS_AS(
        raster_from_world(local, {0, 0}, std::numeric_limits<double>::quiet_NaN()),
        Error);
  }
}
