#include "core/simulation/scene_run.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace simulation_scene_run_test {
namespace {

using doctest::Approx;
using namespace bev::simulation;

constexpr const char* kScene =
    R"({"scenario_id":"5c","log":"log1","moved_by":[-664000,-3999000]})";

/// Four frames at 10 Hz from 1 s on, of the ego vehicle driving along x with 10 m/s. A box
/// drives ahead of it, another one is in the first frame only.
Simulation driven() {
  Simulation out;
  out.scenario = "ab12";
  out.log = "log1";
  out.vehicle = {5, 2, 1.5};
  out.tracks = {"0a", "cone"};
  for (int i = 0; i < 4; ++i) {
    auto& frame = out.frames.emplace_back();
    frame.time_us = 1'000'000 + 100'000 * i;
    frame.ego = {664'001.5 + i, 3'999'000, 0};
    frame.boxes.push_back(
        {0, ObjectType::vehicle, false, {664'020. + 2 * i, 3'999'001, 0.25}, 4, 2, 20});
    if (i == 0) {
      frame.boxes.push_back(
          {1, ObjectType::traffic_cone, true, {664'030, 3'999'000, 0}, 1, 1, 0});
    }
    for (int k = 0; k < 2; ++k) {
      frame.plan.push_back({std::nullopt, {664'001.5 + i + k, 3'999'000.0 + k, 0}});
    }
  }
  out.expert = {{664'001.5, 3'999'000, 0}, {664'002.5, 3'999'000.5, 0}};
  return out;
}

/// Times of `count` frames, 0.1 s apart, in nanoseconds.
std::vector<std::int64_t> times(std::int64_t first_us, int count) {
  std::vector<std::int64_t> out;
  for (int i = 0; i < count; ++i) out.push_back((first_us + 100'000 * i) * 1000);
  return out;
}

std::string refusal(const Simulation& from, const std::vector<std::int64_t>& at,
                    const char* attributes = kScene) {
  try {
    scene_run(from, at, attributes);
  } catch (const bev::Error& error) {
    return error.what();
  }
  return {};
}

TEST_SUITE("simulation/scene_run") {
  TEST_CASE("frames of the same time are joined, moved to the scene's world") {
    const auto found = scene_run(driven(), times(800'000, 10), kScene);
    const auto& rollout = found.rollout;
    check(rollout, "made");
    CHECK(rollout.first_frame == 2);
    CHECK(rollout.timestamps == times(1'000'000, 4));
    CHECK(rollout.ego_x == std::vector<double>{0, 1, 2, 3});
    CHECK(rollout.ego_y == std::vector<double>{0, 0, 0, 0});
    CHECK(rollout.ego_box == std::vector<double>{5, 2, 1.5});
    CHECK(rollout.counts == std::vector<std::uint32_t>{2, 1, 1, 1});
    CHECK(rollout.track_id[0] == 10);
    CHECK(rollout.x == std::vector<double>{20, 30, 22, 24, 26});
    CHECK(rollout.length == std::vector<double>{4, 1, 4, 4, 4});
    CHECK(found.frames == std::vector<std::uint32_t>{0, 1, 2, 3});
    CHECK(found.interpolated == 0);
    CHECK(found.plan_first == std::vector<std::uint32_t>{0, 2, 4, 6, 8});
    CHECK(std::vector<double>(found.plan.begin(), found.plan.begin() + 8) ==
          std::vector<double>{0, 0, 1, 1, 1, 0, 2, 1});
    CHECK(found.expert == std::vector<double>{0, 0, 1, 0.5});
  }

  TEST_CASE("a part of the simulation is joined with a scene that ends earlier") {
    const auto found = scene_run(driven(), times(1'200'000, 1), kScene);
    CHECK(found.rollout.ego_x == std::vector<double>{2});
    CHECK(found.frames == std::vector<std::uint32_t>{2});
  }

  TEST_CASE("frames between two simulated ones have poses between theirs") {
    auto from = driven();
    from.frames[1].ego.yaw = 6.4;  // a turn more
    const auto found = scene_run(from, times(850'000, 10), kScene);
    CHECK(found.rollout.first_frame == 2);
    CHECK(found.rollout.timestamps == times(1'050'000, 3));
    CHECK(found.interpolated == 3);
    CHECK(found.rollout.ego_yaw[0] == Approx((6.4 - 6.283185307179586) / 2));
    CHECK(found.rollout.ego_x[1] == Approx(1.5).epsilon(0.02));
    CHECK(found.rollout.ego_x[2] == Approx(2.5));
    CHECK(found.rollout.x == std::vector<double>{21, 23, 25});
    CHECK(found.frames == std::vector<std::uint32_t>{1, 2, 3});
    from.frames.erase(from.frames.begin() + 1, from.frames.begin() + 3);
    CHECK(refusal(from, times(1'050'000, 2)) ==
          "simulation of scenario ab12 has no frames from 1000000 to 1300000 us "
          "(expected at most 250000 us apart)");
  }

  TEST_CASE("what does not join is named") {
    auto from = driven();
    const auto at = times(1'000'000, 2);
    CHECK(
        refusal(from, times(2'000'000, 2)) ==
        "simulation of scenario ab12 is from 1000000 to 1300000 us, at which the scene "
        "has no frame (found 2000000 to 2100000 us)");
    CHECK(refusal(from, at, R"({"scenario_id":"5c","log":"log2","moved_by":[0,0]})") ==
          "simulation of scenario ab12 is of log log1, the scene of log log2");
    CHECK(refusal(from, at, R"({"scenario_id":"5c"})").find("not of nuPlan") !=
          std::string::npos);
    CHECK(refusal(from, at, "[]").find("not a JSON object") != std::string::npos);
    from.log.clear();
    CHECK(refusal(from, at).find("names no log (the scene is 5c of log log1)") !=
          std::string::npos);
    from.frames.front().time_us = -1;
    CHECK(refusal(from, at) == "simulation: invalid time (found -1 us)");
    CHECK(refusal({}, at) == "simulation: no frames");
  }

  TEST_CASE("two simulations of a scenario are joined by its id, if no log is named") {
    auto from = driven();
    from.log.clear();
    const auto* const other =
        R"({"scenario_id":"ab12","log":"","simulated":true,"moved_by":[0,0]})";
    CHECK(scene_run(from, times(1'000'000, 4), other).frames.size() == 4);
  }

  TEST_CASE("scenes are found by log and time") {
    const auto from = driven();
    const std::int64_t s = 1'000'000'000;
    const std::vector<std::int64_t> spans{0, s - 1'000'000, s,     2 * s, s,
                                          s, 2 * s,         3 * s, 0,     9 * s};
    const std::vector<std::string> logs{"log1", "log1", "", "log1", "log2"};
    CHECK(scenes_of(from, spans, logs) == std::vector<std::uint32_t>{1, 2});
    CHECK_THROWS_AS(scenes_of(from, spans, std::vector<std::string>{"a"}), bev::Error);
  }

  TEST_CASE("scenes are named by their folders") {
    Simulation out;
    name_by_folder(out, "/runs/simulation/idm/following/log1/ab12/");
    CHECK(out.scenario == "ab12");
    CHECK(out.log == "log1");
    CHECK(out.type == "following");
    CHECK(out.planner == "idm");
    Simulation other;
    other.scenario = "kept";
    name_by_folder(other, "log1/ab12");
    CHECK(other.scenario == "kept");
    CHECK(other.log == "log1");
    CHECK(other.planner.empty());
  }
}

}  // namespace
}  // namespace simulation_scene_run_test
