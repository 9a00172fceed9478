#include "core/futures/futures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/rollout/rollout.hpp"
#include "tests/support/error_code.hpp"

using bev::Errc;
using bev::Error;
using bev::futures::check;
using bev::futures::Futures;
using bev::futures::FuturesData;
using bev::futures::Strided;

namespace {

/// Two rollouts of the agents 7 and 9 in three steps: the value is RATV as digits.
FuturesData numbered() {
  FuturesData out;
  out.scenario_id = "a";
  out.ids = {7, 9};
  out.rollouts = 2;
  out.steps = 3;
  out.first_step = 11;
  for (int r = 0; r < 2; ++r) {
    for (int a = 0; a < 2; ++a) {
      for (int v = 0; v < 4; ++v) {
        for (int t = 0; t < 3; ++t) {
          out.poses.push_back(static_cast<float>(r * 1000 + a * 100 + t * 10 + v));
        }
      }
    }
  }
  return out;
}

/// Returns a simulation of one ego vehicle as its header says: one rollout.
FuturesData of_ego(const bev::rollout::SceneRollout& scene, std::uint64_t ego_id) {
  FuturesData out;
  out.ids = {ego_id};
  for (const auto id : scene.track_id) {
    if (std::find(out.ids.begin(), out.ids.end(), id) == out.ids.end())
      out.ids.push_back(id);
  }
  out.rollouts = 1;
  out.steps = scene.size();
  out.first_step = scene.first_frame;
  out.size_values = 2;
  const auto agents = out.ids.size(), steps = out.steps;
  out.poses.resize(agents * 4 * steps);
  out.sizes.resize(agents * 2 * steps);
  out.valid.resize(agents * steps);
  const auto set = [&](std::size_t a, std::size_t t, double x, double y, double yaw,
                       double length, double width) {
    float* const poses = out.poses.data() + a * 4 * steps + t;
    poses[0] = static_cast<float>(x);
    poses[steps] = static_cast<float>(y);
    poses[3 * steps] = static_cast<float>(yaw);
    out.sizes[(a * 2) * steps + t] = static_cast<float>(length);
    out.sizes[(a * 2 + 1) * steps + t] = static_cast<float>(width);
    out.valid[a * steps + t] = 1;
  };
  std::size_t row = 0;
  for (std::size_t t = 0; t < steps; ++t) {
    set(0, t, scene.ego_x[t], scene.ego_y[t], scene.ego_yaw[t], 4.87, 1.85);
    for (std::uint32_t i = 0; i < scene.counts[t]; ++i, ++row) {
      const auto at = std::find(out.ids.begin(), out.ids.end(), scene.track_id[row]);
      set(static_cast<std::size_t>(at - out.ids.begin()), t, scene.x[row], scene.y[row],
          scene.yaw[row], scene.length[row], scene.width[row]);
    }
  }
  return out;
}

}  // namespace

TEST_SUITE("futures/futures") {
  TEST_CASE("a pose is found by rollout, agent, step and value") {
    const auto data = numbered();
    const Futures view = data.view();
    CHECK(view.poses.values.data() == data.poses.data());  // a view, no copy
    for (std::size_t r = 0; r < 2; ++r) {
      for (std::size_t a = 0; a < 2; ++a) {
        for (std::size_t t = 0; t < 3; ++t) {
          for (std::size_t v = 0; v < 4; ++v) {
            const auto number = static_cast<float>(r * 1000 + a * 100 + t * 10 + v);
            REQUIRE(view.poses.at(r, a, t, v) == number);
          }
        }
      }
    }
    CHECK(view.frame(2) == 13);
    CHECK(view.row_of(9) == std::size_t{1});
    CHECK_FALSE(view.row_of(8));
    CHECK_NOTHROW(check(view, "made"));
  }

  TEST_CASE("an array with poses together is viewed without a copy") {
    const std::vector<float> rows = {1, 2, 3, 4, 5, 6, 7, 8};  // (R, A, T, V) = 1 1 2 4
    const std::vector<std::uint64_t> ids = {3};
    Futures view;
    view.ids = ids;
    view.rollouts = 1;
    view.steps = 2;
    view.poses = {rows, {8, 8, 4, 1}};
    CHECK_NOTHROW(check(view, "npz"));
    CHECK(view.poses.at(0, 0, 1, 0) == 5);
  }

  TEST_CASE("sizes are per agent or per step, scores per rollout or per agent") {
    auto data = numbered();
    data.sizes = {4, 2, 1.5F, 0.5F, 0.25F, 2};
    data.scores = {0.75F, 0.25F};
    CHECK(data.view().sizes.at(1, 1, 2, 2) == 2);
    CHECK(data.view().scores.at(1, 0) == 0.25F);
    CHECK(data.view().scores.at(1, 1) == 0.25F);
    data.sizes.resize(2 * 2 * 3 * 3);
    data.sizes.back() = 9;
    data.scores = {1, 2, 3, 4};
    CHECK(data.view().sizes.at(1, 1, 2, 2) == 9);
    CHECK(data.view().scores.at(1, 0) == 3);
    CHECK_NOTHROW(check(data.view(), "made"));
  }

  TEST_CASE("world is the origin plus the values") {
    auto data = numbered();
    data.origin = {1e7, -3, 0.5};
    data.sizes = {4, 2, 1, 4, 2, 1};
    const auto at = data.view().position(1, 0, 2);
    CHECK(at.x == 1e7 + 1020);
    CHECK(at.y == -3 + 1021.0);
    CHECK(at.z == 0.5 + 1022.0);
    const auto box = data.view().box(1, 0, 2);
    CHECK(box.centre.x == at.x);
    CHECK(box.half_length == 2);
    CHECK(box.half_width == 1);
    CHECK(box.heading.sin == bev::geom::sin(1023));
  }

  TEST_CASE("a simulation of one ego vehicle is one rollout") {
    bev::rollout::SceneRollout scene;
    scene.first_frame = 5;
    scene.ego_x = {1, 2};
    scene.ego_y = {0, 0.5};
    scene.ego_yaw = {0, 0.25};
    scene.counts = {1, 2};
    scene.track_id = {4, 9, 4};
    scene.x = {10, 20, 11};
    scene.y = scene.yaw = {1, 2, 3};
    scene.length = {4, 5, 4};
    scene.width = {2, 2, 2};
    const auto data = of_ego(scene, 1'000);
    const auto view = data.view();
    CHECK_NOTHROW(check(view, "sim"));
    CHECK(view.rollouts == 1);
    CHECK(view.frame(1) == 6);
    CHECK(view.position(0, 0, 1).y == 0.5);
    CHECK(view.position(0, 1, 1).x == 11);
    CHECK_FALSE(view.is_valid(0, 2, 0));
    CHECK(view.position(0, 2, 1).x == 20);
    CHECK(view.box(0, 2, 1).half_length == 2.5);
  }

  TEST_CASE("values that are not finite are refused, unless their step is not valid") {
    auto data = numbered();
    data.poses[5] = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_WITH_AS(
        check(data.view(), "a.npz"),
        "a.npz: scenario a: rollout 0, agent 7, step 2: pose[1] is not "
        "a number between -1e9 and 1e9",
        Error);
    data.valid.assign(12, 1);
    data.valid[2] = 0;
    CHECK_NOTHROW(check(data.view(), "a.npz"));
    data.sizes = {4, 2, 1.5F, 0.5F, -1, 2};
    CHECK_THROWS_WITH_AS(
        check(data.view(), "a.npz"),
        "a.npz: scenario a: rollout 0, agent 9, step 0: size[1] is not "
        "a number between 0 and 1e9",
        Error);
    data.sizes.clear();
    data.scores = {1, INFINITY};
    CHECK_THROWS_WITH_AS(check(data.view(), "a.npz"),
                         "a.npz: scenario a: rollout 1, agent 7: the score is not a "
                         "finite number",
                         Error);
  }

  TEST_CASE("arrays shorter than their shape are refused") {
    auto data = numbered();
    data.poses.pop_back();
    CHECK_THROWS_WITH_AS(check(data.view(), "a.npz"),
                         "a.npz: scenario a: poses: too short for its shape and "
                         "strides (found 47 values)",
                         Error);
    data = numbered();
    data.valid = {1};
    CHECK_THROWS_AS(check(data.view(), "a.npz"), Error);
    Futures view;
    view.rollouts = view.steps = 1;
    CHECK_THROWS_WITH_AS(check(view, "a.npz"), "a.npz: scenario : no agents", Error);
    data = numbered();
    data.step_stride = 0;
    CHECK_THROWS_WITH_AS(
        check(data.view(), "a.npz"),
        "a.npz: scenario a: step_stride is outside (found 0, expected 1 "
        "to 1000000)",
        Error);
    data = numbered();
    data.first_step = std::numeric_limits<std::int64_t>::min();
    CHECK_THROWS_AS(check(data.view(), "a.npz"), Error);
    data = numbered();
    view = data.view();
    view.poses.strides[0] = std::numeric_limits<std::size_t>::max();
    CHECK_THROWS_AS(check(view, "a.npz"), Error);
  }

  TEST_CASE("limits are checked before any value") {
    const auto data = numbered();
    auto view = data.view();
    view.rollouts = 1'025;
    CHECK_THROWS_WITH_AS(
        check(view, "a.npz"),
        "a.npz: scenario a: too many rollouts (found 1025, expected at "
        "most 1024)",
        Error);
    view.rollouts = 1'024;
    view.steps = 1'000;
    bev::futures::Limits limits;
    limits.values = 1'000'000;
    CHECK(bev::test::error_code([&] { check(view, "a.npz", limits); }) ==
          Errc::limit_exceeded);
  }
}
