#include "core/scene/scene_edit.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/scene/overlay.hpp"
#include "tests/support/changed_scenes.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_scenes.hpp"

namespace scene_edit_test {

using namespace bev::scene;
using bev::Errc;
using bev::test::error_code;
using Tracks = std::vector<std::uint64_t>;

namespace {

/// Five frames of three agents, tracks 1 to 3, and of two faces.
SceneArrays small_scene() {
  return *bev::test::arrays_in(bev::test::small_store(), 1);
}

Agent car(std::uint64_t track_id, double x) {
  Agent out;
  out.track_id = track_id;
  out.centroid = {x, 0};
  return out;
}

}  // namespace

TEST_SUITE("scene/scene_edit") {
  TEST_CASE("known tracks are replaced, others appended to the frame, in order") {
    auto scene = small_scene();
    const std::vector<Agent> agents{car(9, 1), car(2, 2), car(8, 3)};
    put_agents(scene, 1, agents);
    check_arrays(0, scene);
    CHECK(Tracks(scene.agents.track_id.begin(), scene.agents.track_id.begin() + 9) ==
          Tracks{1, 2, 3, 1, 2, 3, 9, 8, 1});
    CHECK(scene.frames.agent_index_interval ==
          std::vector<Interval>{{0, 3}, {3, 8}, {8, 11}, {11, 14}, {14, 17}});
    CHECK(agent_at(scene.agents, 4) == car(2, 2));
    CHECK(agent_at(scene.agents, 6) == car(9, 1));
    put_agents(scene, 4, std::vector{car(7, 5)});
    CHECK(scene.frames.agent_index_interval.back() == Interval{14, 18});
    CHECK(find_agent(scene, 4, 7) == 17);
    CHECK(find_agent(scene, 3, 7) == std::nullopt);
  }

  TEST_CASE("tracks that occur twice are refused, before anything changes") {
    auto scene = small_scene();
    CHECK(error_code([&] {
            put_agents(scene, 0, std::vector{car(9, 1), car(9, 2)});
          }) == Errc::invalid_argument);
    scene.agents.track_id[1] = 1;
    CHECK(error_code([&] {
            put_agents(scene, 0, std::vector{car(9, 1), car(1, 2)});
          }) == Errc::invalid_argument);
    CHECK(scene.agents.size() == 15);
    CHECK(error_code([&] { put_agents(scene, 5, {}); }) == Errc::out_of_range);
  }

  TEST_CASE("hidden agents keep rows and velocities") {
    auto scene = small_scene();
    scene.agents.velocity[0] = {1, 2};
    hide_agents(scene, Tracks{3});
    CHECK(scene.agents.size() == 15);
    CHECK(scene.agents.centroid[0] == std::array<double, 2>{0, 0});
    CHECK(scene.agents.extent[1] == std::array<float, 3>{});
    CHECK(scene.agents.label_probabilities[1][16] == -1);
    CHECK(scene.agents.velocity[0] == std::array<float, 2>{1, 2});
    CHECK(agent_at(scene.agents, 2) == agent_at(small_scene().agents, 2));
  }

  TEST_CASE("a part of a scene counts from its first rows") {
    const auto scene = frames_subset(small_scene(), {2, 4});
    check_arrays(0, scene);
    CHECK(scene.frames.agent_index_interval == std::vector<Interval>{{0, 3}, {3, 6}});
    CHECK(scene.frames.traffic_light_faces_index_interval ==
          std::vector<Interval>{{0, 2}, {2, 4}});
    CHECK(scene.agents.centroid[0][0] == 1002);
    CHECK(scene.faces.size() == 4);
    CHECK(scene.faces.face_id.size() == small_scene().faces.face_id.size() / 5 * 2);
    CHECK(scene.scenes.frame_index_interval.front() == Interval{0, 2});
    CHECK(scene.scenes.start_time.front() == 700'000'000);
    CHECK(scene.scenes.end_time.front() == 800'000'000);
    for (const Interval range :
         {Interval{-1, 2}, Interval{3, 3}, Interval{4, 3}, Interval{0, 6}}) {
      CHECK(error_code([&] { frames_subset(small_scene(), range); }) ==
            Errc::out_of_range);
    }
  }
}

}  // namespace scene_edit_test
