#include "core/rollout/report.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "core/base/error.hpp"
#include "core/rollout/collision.hpp"

namespace report_test {

using doctest::Approx;
using namespace bev::rollout;

namespace {

constexpr std::int64_t kStep = 100'000'000;

/// A scene of `count` frames along x at 10 m/s, with track 7 at (50, 5) in each.
Recorded straight(int count) {
  Recorded out;
  for (int k = 0; k < count; ++k) {
    out.timestamps.push_back(1000 + k * kStep);
    for (double v : {1.0 * k, 0.0, 0.0}) out.ego_translation.push_back(v);
    for (double v : {1., 0., 0., 0., 1., 0., 0., 0., 1.}) out.ego_rotation.push_back(v);
    out.frames.push_back({40 + k, 41 + k});
    out.track_ids.push_back(7);
    for (double v : {50.0, 5.0}) out.centroids.push_back(v);
  }
  return out;
}

void add_frame(SceneRollout& scene, double x, double y, double yaw = 0) {
  scene.ego_x.push_back(x);
  scene.ego_y.push_back(y);
  scene.ego_yaw.push_back(yaw);
  scene.counts.push_back(0);
}

void add_agent(SceneRollout& scene, std::uint64_t track, double x, double y) {
  ++scene.counts.back();
  scene.track_id.push_back(track);
  scene.x.push_back(x);
  scene.y.push_back(y);
  scene.yaw.push_back(0);
  scene.length.push_back(4);
  scene.width.push_back(2);
}

std::string refusal(const SceneRollout& scene, const Recorded& recorded) {
  try {
    compare(scene, recorded, {});
  } catch (const bev::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("rollout/report") {
  TEST_CASE("errors are those of L5Kit's closed-loop metrics") {
    SceneRollout scene;
    for (int k = 0; k < 5; ++k) add_frame(scene, 0.5 * k, 2, k == 4 ? 3.5 : 0.25);
    const auto report = compare(scene, straight(8), {});
    CHECK(report.displacement[4] == Approx(std::hypot(2, 2)));
    CHECK(report.reference_distance[3] ==
          Approx(std::hypot(0.5, 2)));                // of frame 1 or 2
    CHECK(std::isnan(report.reference_distance[4]));  // after four fifths
    CHECK(report.yaw_error[0] == Approx(0.25));
    CHECK(report.yaw_error[4] == Approx(2 * 3.14159265 - 3.5));
    CHECK(report.speed_difference[0] == Approx(-5));
    CHECK(std::isnan(report.speed_difference[4]));
    CHECK(report.simulated_miles[0] == 0);
    CHECK(report.simulated_miles[1] == Approx(0.5 * 0.000621371));
    CHECK(report.recorded_miles[4] == Approx(0.000621371));
  }

  TEST_CASE("values equal a search over random scenes") {
    std::mt19937 random(8);
    const auto number = [&](double size) {
      return (static_cast<double>(random() % 20001) / 10000 - 1) * size;
    };
    for (int round = 0; round < 20; ++round) {
      const auto recorded = straight(30);
      SceneRollout scene;
      scene.first_frame = 4;
      for (int k = 0; k < 20; ++k) {
        add_frame(scene, 4 + k + number(3), number(3), number(7));
        add_agent(scene, 7, number(60), number(5));
        add_agent(scene, 8, number(60), number(5));
      }
      const auto report = compare(scene, recorded, {});
      for (std::size_t k = 0; k < 20; ++k) {
        const double x = scene.ego_x[k], y = scene.ego_y[k];
        const double along = 4 + static_cast<double>(k);
        CHECK(report.displacement[k] == Approx(std::hypot(x - along, y)).epsilon(1e-5));
        double least = 1e9;
        for (int j = 0; j < 20; ++j) least = std::min(least, std::hypot(x - 4 - j, y));
        if (k < 16) CHECK(report.reference_distance[k] == Approx(least).epsilon(1e-5));
        CHECK(std::isnan(report.reference_distance[k]) == (k >= 16));
        const double turn = std::fabs(std::remainder(scene.ego_yaw[k], 6.283185307));
        CHECK(report.yaw_error[k] == Approx(turn).epsilon(1e-5));
        const double away = std::hypot(scene.x[2 * k] - 50, scene.y[2 * k] - 5);
        CHECK(report.agents_displacement[k] == Approx(away));
      }
    }
  }

  TEST_CASE("the recorded frames are found by their time stamps") {
    SceneRollout scene;
    add_frame(scene, 3, 0);
    add_frame(scene, 4, 1);
    scene.timestamps = {1000 + 3 * kStep, 1000 + 4 * kStep};
    const auto report = compare(scene, straight(6), {});
    CHECK(report.first_frame == 3);
    CHECK(report.displacement == std::vector<double>{0, 1});
    scene.timestamps[1] += 1;
    CHECK(refusal(scene, straight(6)) ==
          "rollout of scene 0: its time stamps are not those of the data set's scene");
    scene.timestamps = {1000 + 5 * kStep, 1000 + 6 * kStep};
    CHECK(refusal(scene, straight(6)).find("not those of") != std::string::npos);
    CHECK(refusal(scene, Recorded{}).find("not those of") != std::string::npos);
  }

  TEST_CASE("a rollout has no more frames than the scene") {
    SceneRollout scene;
    for (int k = 0; k < 3; ++k) add_frame(scene, k, 0);
    scene.first_frame = 2;
    CHECK(refusal(scene, straight(4)) ==
          "rollout of scene 0: 3 frames from frame 2 (expected at most 2)");
    scene.first_frame = 4'000'000'000;
    CHECK(refusal(scene, straight(4)).find("expected at most 0") != std::string::npos);
    CHECK(refusal(scene, {}).find("expected at most 0") != std::string::npos);
  }

  TEST_CASE("a collision has a side and a track") {
    SceneRollout scene;
    for (int k = 0; k < 3; ++k) {
      add_frame(scene, k, 0);
      add_agent(scene, 5, 90, 0);
      add_agent(scene, 6, 6, 0);
    }
    const auto report = compare(scene, straight(3), {});
    CHECK(report.collision == std::vector<std::uint8_t>{0, 0, 1});
    CHECK(report.collision_track == std::vector<std::uint64_t>{0, 0, 6});
  }

  TEST_CASE("agents at their recorded places are not reported as moved") {
    SceneRollout scene;
    add_frame(scene, 0, 0);
    add_agent(scene, 7, 50, 5.005);
    add_agent(scene, 9, 50, 5);
    add_frame(scene, 1, 0);
    add_agent(scene, 7, 50, 5.5);
    const auto report = compare(scene, straight(2), {});
    CHECK(report.moved == std::vector<std::uint8_t>{0, 1, 1});
    CHECK(report.agents_displacement[1] == Approx(0.5));
  }

  TEST_CASE("an outline begins in the centre and goes around from the front") {
    SceneRollout scene;
    add_frame(scene, 10, 20, 1.5707963267948966);
    add_agent(scene, 7, 1, 2);
    const auto points = outlines(scene);
    REQUIRE(points.size() == 14);
    CHECK(points[0].x == Approx(10));
    CHECK(points[1].y == Approx(20 + 4.87 / 2));
    CHECK(points[7] == bev::geom::Vec2{1, 2});
    CHECK(points[8] == bev::geom::Vec2{3, 2});
    CHECK(points[9] == bev::geom::Vec2{3, 3});
    CHECK(points[11] == bev::geom::Vec2{-1, 1});
    CHECK(points[13] == points[8]);
  }

  TEST_CASE("the ego vehicle is off the road if no lane contains its centre") {
    SceneRollout scene;
    add_frame(scene, 0, 0);
    add_frame(scene, 1, 3);
    const Roads::Lines left{{-5, 2, 5, 2}, {0, 2}}, right{{-5, -2, 5, -2}, {0, 2}};
    using Values = std::vector<std::uint8_t>;
    CHECK(compare(scene, straight(2), Roads(left, right)).off_road == Values{0, 1});
    CHECK(compare(scene, straight(2), {}).off_road == Values{2, 2});
    CHECK_THROWS_AS(Roads(left, Roads::Lines{}), bev::Error);
    CHECK_THROWS_AS(Roads({{1, 2}, {0, 9}}, {{1, 2}, {0, 9}}), bev::Error);
  }

  TEST_CASE("inconsistent arrays are refused before they are read") {
    SceneRollout scene;
    add_frame(scene, 0, 0);
    auto recorded = straight(2);
    recorded.ego_rotation.pop_back();
    CHECK(refusal(scene, recorded) ==
          "recorded scene: ego_rotation: wrong length (found 17, expected 18)");
    scene.counts[0] = 1;
    CHECK(refusal(scene, straight(2)) ==
          "rollout.agents.track_id: wrong length (found 0, expected 1)");
    scene.counts[0] = 0;
    scene.ego_yaw[0] = std::numeric_limits<double>::infinity();
    CHECK(refusal(scene, straight(2)) ==
          "rollout.ego.yaw: not numbers from -1e9 to 1e9");
  }
}

}  // namespace report_test
