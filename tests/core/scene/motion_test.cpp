#include "core/scene/motion.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace motion_test {

using bev::scene::motion_of;
using bev::scene::PoseAt;
using doctest::Approx;
using Times = std::vector<std::int64_t>;

namespace {

constexpr std::int64_t kStep = 100'000'000;

}  // namespace

TEST_SUITE("scene/motion") {
  TEST_CASE("a scene's clock starts with its first stored frame") {
    const std::vector<bev::scene::AbsentParts> absent{{.frame = true}, {}, {}, {}};
    const auto clock =
        bev::scene::clock_of(Times{0, 7 * kStep, 8 * kStep, 6 * kStep}, absent);
    CHECK(clock.start == Times{7 * kStep});
    CHECK(std::isnan(clock.seconds[0]));
    CHECK(clock.seconds[1] == 0);
    CHECK(clock.seconds[2] == Approx(0.1));
    CHECK(clock.seconds[3] == Approx(-0.1));
  }

  TEST_CASE("a scene's clock does not overflow, and needs a stored frame") {
    using Limits = std::numeric_limits<std::int64_t>;
    const std::vector<bev::scene::AbsentParts> stored(2);
    const Times extremes{Limits::min(), Limits::max()};
    CHECK(bev::scene::clock_of(extremes, stored).seconds[1] == Approx(1.8446744e10));
    const std::vector<bev::scene::AbsentParts> none{{.frame = true}};
    CHECK(bev::scene::clock_of(Times{0}, none).start.empty());
  }

  TEST_CASE("speed is of the way from the frame before, of the first to the next") {
    const std::vector<PoseAt> poses{{{0, 0}, 0}, {{1, 0}, 0}, {{1, 3}, 0}};
    const auto motion = motion_of(Times{0, kStep, 2 * kStep}, poses);
    CHECK(motion.speed[0] == Approx(10));
    CHECK(motion.speed[1] == Approx(10));
    CHECK(motion.speed[2] == Approx(30));
    CHECK(motion.acceleration[0] == Approx(0));
    CHECK(motion.acceleration[1] == Approx(100));
    CHECK(motion.acceleration[2] == Approx(200));
  }

  TEST_CASE("motion is NaN in and beside frames without an observation") {
    const std::vector<PoseAt> poses{{{0, 0}, 1}, {}, {{2, 0}, 1}, {{3, 0}, 1}};
    const auto motion = motion_of(Times{0, kStep, 2 * kStep, 3 * kStep}, poses);
    CHECK(std::isnan(motion.speed[0]));
    CHECK(std::isnan(motion.speed[1]));
    CHECK(motion.speed[2] == Approx(10));
    CHECK(std::isnan(motion.yaw[1]));
    CHECK(std::isnan(motion.yaw_rate[0]));
    CHECK(motion.yaw_rate[2] == Approx(0));
  }

  TEST_CASE("a yaw goes on beyond half a turn, also behind a gap") {
    const std::vector<PoseAt> poses{{{0, 0}, 3.0}, {{0, 0}, -3.1}, {}, {{0, 0}, -2.9}};
    const auto motion = motion_of(Times{0, kStep, 2 * kStep, 3 * kStep}, poses);
    CHECK(motion.yaw[1] == Approx(-3.1 + 6.283185307179586));
    CHECK(motion.yaw[3] == Approx(-2.9 + 6.283185307179586));
    CHECK(motion.yaw_rate[0] == Approx(1.83185307));
  }

  TEST_CASE("time that stands still gives no speed; a single frame none either") {
    const std::vector<PoseAt> poses{{{0, 0}, 0}, {{1, 0}, 0}};
    CHECK(std::isnan(motion_of(Times{kStep, kStep}, poses).speed[1]));
    CHECK(std::isnan(motion_of(Times{0}, std::vector<PoseAt>(1)).speed[0]));
    CHECK(motion_of(Times{}, {}).speed.empty());
  }

  TEST_CASE("seconds span the whole range of timestamps, backwards there are none") {
    using bev::scene::seconds_between;
    constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
    constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
    CHECK(seconds_between(0, 1'500'000'000) == doctest::Approx(1.5));
    CHECK(seconds_between(kFirst, kLast) == doctest::Approx(18446744073.709551615));
    CHECK(std::isnan(seconds_between(5, 5)));
    CHECK(std::isnan(seconds_between(kLast, kFirst)));
  }

  TEST_CASE("the ego vehicle has a pose in every frame") {
    bev::scene::SceneDataset scene;
    scene.frames.timestamp = {0, kStep};
    scene.frames.ego_translation = {{1, 2, 3}, {4, 5, 6}};
    scene.frames.ego_rotation = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                 {0, 1, 0, -1, 0, 0, 0, 0, 1}};
    const auto poses = bev::scene::ego_poses(scene);
    REQUIRE(poses.size() == 2);
    CHECK(poses[0].at.x == 1);
    CHECK(poses[0].yaw == 0);
    CHECK(poses[1].at.y == 5);
    CHECK(poses[1].yaw == Approx(-1.5707963267948966));
    CHECK(bev::scene::ego_poses({}).empty());
  }

  TEST_CASE("a track has a pose where it is seen, of its first row in a frame") {
    bev::scene::SceneDataset scene;
    scene.frames.timestamp = {0, kStep, 2 * kStep};
    scene.frames.agent_index_interval = {{0, 2}, {2, 2}, {2, 4}};
    scene.agents.track_id = {8, 7, 7, 7};
    scene.agents.centroid = {{1, 1}, {2, 2}, {3, 3}, {4, 4}};
    scene.agents.yaw = {0.5F, 1.5F, 2.5F, 3.5F};
    bev::scene::TrackIndex tracks;
    tracks.rebuild(scene.frames.agent_index_interval, 0, scene.agents.track_id);
    const auto poses = track_poses(scene, tracks, 7);
    REQUIRE(poses.size() == 3);
    CHECK(poses[0].at.x == 2);
    CHECK(poses[0].yaw == 1.5);
    CHECK(std::isnan(poses[1].at.x));
    CHECK(std::isnan(poses[1].yaw));
    CHECK(poses[2].at.y == 3);
    for (const auto& pose : track_poses(scene, tracks, 99)) {
      CHECK(std::isnan(pose.at.x));
    }
  }

  TEST_CASE("the last frame's acceleration is that of the last step") {
    const std::vector<PoseAt> poses{{{0, 0}, 0}, {{1, 0}, 1}, {{3, 0}, 1.5}};
    const auto motion = motion_of(Times{0, kStep, 2 * kStep}, poses);
    CHECK(motion.acceleration[2] == Approx(100));
    CHECK(motion.yaw_rate[0] == Approx(10));
    CHECK(motion.yaw_rate[1] == Approx(7.5));  // over both steps
    CHECK(motion.yaw_rate[2] == Approx(5));
  }

  TEST_CASE("a track seen in a single frame has a heading and no motion") {
    const std::vector<PoseAt> poses{{}, {{5, 5}, 2}, {}};
    const auto motion = motion_of(Times{0, kStep, 2 * kStep}, poses);
    CHECK(motion.yaw[1] == 2);
    CHECK(std::isnan(motion.speed[1]));
    CHECK(std::isnan(motion.acceleration[1]));
    CHECK(std::isnan(motion.yaw_rate[1]));
  }

  TEST_CASE("a heading is unwrapped over several turns") {
    std::vector<PoseAt> poses;
    Times times;
    for (std::int64_t k = 0; k < 20; ++k) {
      const double yaw = static_cast<double>(k);  // one radian per frame, three turns
      poses.push_back({{0, 0}, std::remainder(yaw, 6.283185307179586)});
      times.push_back(k * kStep);
    }
    const auto motion = motion_of(times, poses);
    for (std::size_t k = 0; k < 20; ++k) {
      CHECK(motion.yaw[k] == Approx(static_cast<double>(k)));
      CHECK(motion.yaw_rate[k] == Approx(10));
    }
  }
}

}  // namespace motion_test
