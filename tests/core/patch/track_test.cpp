#include "core/patch/track.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "tests/support/changed_scenes.hpp"
#include "tests/support/driven_scenes.hpp"
#include "tests/support/small_scenes.hpp"

namespace patch_track_test {

using bev::patch::Track;
using bev::test::arrays_in;
using bev::test::small_store;

TEST_SUITE("patch/track") {
  TEST_CASE("a track has a step per frame, and velocities by its neighbours") {
    const auto scene = arrays_in(small_store(), 0);
    const Track track(*scene, 3);  // 3 m per frame of 100 ms
    REQUIRE(track.size() == 5);
    CHECK(track.at(2).x == 6);
    CHECK(track.seconds(1, 3) == doctest::Approx(0.2));
    CHECK(std::isnan(track.seconds(1, 1)));
    for (std::size_t k = 0; k < 5; ++k) {
      CHECK(track.velocity(k).x == doctest::Approx(30));
      CHECK(track.velocity(k).y == 0);
    }
    CHECK(track.first_from(0) == 0);
    CHECK(track.first_from(4) == 4);
    CHECK(track.first_from(5) == 5);
    CHECK(Track(*scene, 99).size() == 0);
  }

  TEST_CASE("frames without the track are skipped") {
    const auto store = small_store();
    auto records = bev::test::records_in(store);
    bev::test::remove_agents(records[0], [](const bev::scene::Agent& agent) {
      return agent.track_id == 2 && agent.centroid[0] == 4;
    });
    const auto scene = arrays_in(bev::test::store_of(records), 0);
    const Track track(*scene, 2);
    REQUIRE(track.size() == 4);
    CHECK(track.frame(2) == 3);
    CHECK(track.first_from(2) == 2);
    CHECK(track.velocity(2).x == doctest::Approx(20));
  }

  TEST_CASE("the ego vehicle is a track, whose turns keep roll and pitch") {
    const auto scene = arrays_in(small_store(), 0);
    auto& rotation = scene->frames.ego_rotation[1];
    rotation = {1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8};  // rolled
    Track ego(*scene, std::nullopt);
    REQUIRE(ego.size() == 5);
    CHECK(ego.yaw(1) == 0);
    ego.put(1, {{{7, 8, 9}, 1, std::acos(-1.0) / 2}});
    CHECK(scene->frames.ego_translation[1] == std::array<double, 3>{7, 8, 9});
    const std::array<double, 9> turned{0, -0.8, 0.6, 1, 0, 0, 0, 0.6, 0.8};
    for (std::size_t i = 0; i < 9; ++i)
      CHECK(rotation[i] == doctest::Approx(turned[i]));
    CHECK(ego.yaw(1) == doctest::Approx(std::acos(-1.0) / 2));
  }

  TEST_CASE("headings are in [-pi, pi), and those that do not turn keep their bits") {
    const auto scene = arrays_in(small_store(), 0);
    for (std::size_t row = 0; row < scene->agents.size(); ++row)
      scene->agents.yaw[row] = 3;
    Track track(*scene, 1);
    scene->agents.yaw[0] = 3;
    track.put(0, {{{0, 0, 0}, 0, 1}, {{1, 0, 0}, 1, 0}});
    CHECK(scene->agents.yaw[0] == static_cast<float>(4 - 2 * std::acos(-1.0)));
    CHECK(scene->agents.yaw[3] == 3);
    CHECK(bev::patch::wrapped(-std::acos(-1.0)) == -std::acos(-1.0));
  }

  TEST_CASE("a track that occurs twice in a frame is refused") {
    const auto scene = arrays_in(bev::test::driven_store(7, 1, 40), 0);
    CHECK_THROWS_WITH_AS(Track(*scene, 0), doctest::Contains("track 0 occurs twice"),
                         bev::Error);
  }
}

}  // namespace patch_track_test
