#include "core/raster/box_layer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "tests/support/small_render_input.hpp"

namespace box_layer_test {

using bev::geom::Vec2;
using bev::raster::BoxLayer;
using bev::raster::Planes;
using bev::test::small_render_input;
using bev::test::SmallAgent;
using bev::test::SmallFrame;

namespace {

constexpr std::uint32_t kWidth = 40, kHeight = 30;

struct Picture {
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(6 * kWidth * kHeight);
  Planes planes{6, kHeight, kWidth, bytes};

  /// Returns the pixel at a distance in metres from the middle.
  int at(std::size_t channel, double x, double y) const {
    const auto column = static_cast<std::size_t>(20 + 2 * x);
    const auto row = static_cast<std::size_t>(15 + 2 * y);
    return planes.plane(channel)[row * kWidth + column];
  }
  bool is_empty(std::size_t channel) const {
    for (std::size_t i = 0; i < kWidth * kHeight; ++i) {
      if (planes.plane(channel)[i] != 0) return false;
    }
    return true;
  }
};

Picture drawn(const bev::sample::RenderInput& input, bool ego_history = true) {
  bev::sample::SampleParams params;
  params.history_num_frames = 2;
  Picture out;
  BoxLayer(params, ego_history).draw(input, out.planes);
  return out;
}

}  // namespace

TEST_SUITE("raster/box_layer") {
  TEST_CASE("agents now and before, then the ego vehicle now and before") {
    const SmallFrame now({{6, 4}}), before({{-6, 4}});
    const std::array history = {now.rows({0, 0}), before.rows({-3, 0})};
    const Picture out = drawn(small_render_input(history, {0, 0}));
    CHECK(out.at(0, 6, 4) == 255);
    CHECK(out.at(0, -6, 4) == 0);
    CHECK(out.at(0, 0, 0) == 0);
    CHECK(out.at(1, -6, 4) == 255);
    CHECK(out.at(3, 0, 0) == 255);
    CHECK(out.at(4, -3, 0) == 255);
    CHECK(out.at(4, 3, 0) == 0);
    CHECK((out.is_empty(2) && out.is_empty(5)));  // there is no third frame
  }

  TEST_CASE("agents at or below the threshold are left out") {
    const SmallFrame now({{6, 4, 1, 0.5F}, {-6, 4, 2, 0.51F}});
    const std::array history = {now.rows({0, 0})};
    const Picture out = drawn(small_render_input(history, {0, 0}));
    CHECK(out.at(0, 6, 4) == 0);
    CHECK(out.at(0, -6, 4) == 255);
  }

  TEST_CASE("seen from an agent, the ego vehicle is one of the agents") {
    const SmallFrame now({{0, 0, 7}, {6, 4, 8}}), before({{1, 0, 8}});
    const std::array history = {now.rows({-6, -4}), before.rows({-6, -4})};
    const Picture out = drawn(small_render_input(history, {0, 0}, 7));
    CHECK(out.at(0, -6, -4) == 255);
    CHECK(out.at(0, 6, 4) == 255);
    CHECK(out.at(0, 0, 0) == 0);
    CHECK(out.at(3, 0, 0) == 255);
    CHECK(out.at(3, -6, -4) == 0);
    CHECK(out.is_empty(4));  // it did not exist yet
    CHECK(out.at(1, 1, 0) == 255);
  }

  TEST_CASE(
      "of rows of the agent only those equal to the first are not among the rest") {
    const SmallFrame now({{0, 0, 7}, {0, 0, 7}, {6, 4, 7}});
    const std::array history = {now.rows({-6, -4})};
    const Picture out = drawn(small_render_input(history, {0, 0}, 7));
    CHECK(out.at(0, 0, 0) == 0);
    CHECK(out.at(0, 6, 4) == 255);
    CHECK(out.at(3, 6, 4) == 255);
    CHECK(out.at(3, 0, 0) == 0);  // the same box twice: even-odd rule
  }

  TEST_CASE("without an ego vehicle none is drawn, also around an agent") {
    const SmallFrame now({{6, 4, 7}});
    const std::array history = {now.rows({0, 0})};
    auto input = small_render_input(history, {0, 0});
    input.has_ego = false;
    const Picture out = drawn(input);
    CHECK(out.at(0, 6, 4) == 255);
    CHECK(out.is_empty(3));
    auto of_agent = small_render_input(history, {0, 0}, 7);
    of_agent.has_ego = false;
    const Picture around = drawn(of_agent);
    CHECK(around.is_empty(0));
    CHECK(around.at(3, 6, 4) == 255);
  }

  TEST_CASE("the history of the ego vehicle is drawn only where asked for") {
    const SmallFrame now({}), before({});
    const std::array history = {now.rows({0, 0}), before.rows({-3, 0})};
    const Picture out = drawn(small_render_input(history, {0, 0}), false);
    CHECK(out.at(3, 0, 0) == 255);
    CHECK(out.is_empty(4));
  }

  TEST_CASE("boxes that overlap have a hole, boxes around the image fill it") {
    const SmallFrame two({{6, 4}, {7, 4}});
    const SmallFrame huge({{0, 100, 1, 1, 0, 4, 500}});
    const std::array history = {two.rows({0, 0}), huge.rows({0, 0})};
    const Picture out = drawn(small_render_input(history, {0, 0}));
    CHECK(out.at(0, 6.5, 4) < 255);
    CHECK(out.at(0, 8, 4) == 255);
    CHECK(out.at(1, 0, 0) == 255);
    CHECK(out.at(1, 0, -7) == 255);
    CHECK(out.at(1, 8, 0) == 0);
  }

  TEST_CASE("boxes far off and boxes of no sense draw nothing") {
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    const SmallFrame frame({{1e300, 0}, {-1e9, 3}, {nan, 0}, {0, 1e7}});
    const std::array history = {frame.rows({0, 0})};
    CHECK(drawn(small_render_input(history, {0, 0})).is_empty(0));
  }
}

}  // namespace box_layer_test
