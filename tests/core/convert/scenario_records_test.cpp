#include "core/convert/scenario_records.hpp"

#include <doctest/doctest.h>

#include "core/convert/argoverse2.hpp"
#include "core/geom/trig.hpp"
#include "tests/support/argoverse2.hpp"
#include "tests/support/error_code.hpp"

namespace scenario_records_test {

using namespace bev;
using namespace bev::convert;

namespace {

Scenario imported(const test::Argoverse2Rows& rows) {
  return import_argoverse2(rows.table(), argoverse2_tables());
}

/// Returns (track, past, future) of the agents with a mask, frame by frame.
std::vector<std::array<std::uint64_t, 3>> kept(const Scenario& scenario, Role least) {
  const auto records = records_of(scenario);
  const auto mask = mask_of(scenario, records, {least});
  REQUIRE(mask.size() == 2 * records.agents.size());
  std::vector<std::array<std::uint64_t, 3>> out;
  for (std::size_t i = 0; i < records.agents.size(); ++i) {
    if (mask[2 * i] + mask[2 * i + 1] == 0) continue;
    out.push_back({records.agents[i].track_id, mask[2 * i], mask[2 * i + 1]});
  }
  return out;
}

}  // namespace

TEST_SUITE("convert/scenario_records") {
  TEST_CASE("a scenario becomes a scene with its frames and agents") {
    const Scenario scenario = imported(test::small_scenario());
    const auto records = records_of(scenario);
    CHECK(records.scene.host == "austin");
    CHECK(records.scene.start_time == 1000);
    CHECK(records.scene.end_time == 300001000);
    CHECK(records.scene.frame_index_interval == scene::Interval{0, 4});
    REQUIRE(records.frames.size() == 4);
    CHECK(records.frames[2].timestamp == 200001000);
    CHECK(records.frames[0].agent_index_interval == scene::Interval{0, 3});
    CHECK(records.frames[1].agent_index_interval == scene::Interval{3, 7});
    CHECK(records.frames[2].agent_index_interval == scene::Interval{7, 10});
    CHECK(records.frames[3].agent_index_interval == scene::Interval{10, 13});
    CHECK(records.frames[1].traffic_light_faces_index_interval ==
          scene::Interval{0, 0});
    CHECK(records.faces.empty());
  }

  TEST_CASE("agents of a frame have the order of their tracks and all fields") {
    const auto records = records_of(imported(test::small_scenario()));
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 3; i < 7; ++i) ids.push_back(records.agents[i].track_id);
    CHECK(ids == std::vector<std::uint64_t>{7, 8, 9, std::uint64_t{1} << 63U});
    const scene::Agent& walker = records.agents[4];
    CHECK(walker.centroid == std::array<double, 2>{201, 2});
    CHECK(walker.extent == std::array<float, 3>{0.7F, 0.7F, 1.75F});
    CHECK(walker.velocity == std::array<float, 2>{100.5F, 1});
    CHECK(walker.label_probabilities[14] == 1);
    CHECK(walker.label_probabilities[3] == 0);
  }

  TEST_CASE("the ego vehicle's rotation is its heading") {
    const auto records = records_of(imported(test::small_scenario()));
    const auto [sin, cos] = geom::sincos(0.5);
    CHECK(records.frames[1].ego_rotation ==
          std::array<double, 9>{cos, -sin, 0, sin, cos, 0, 0, 0, 1});
    CHECK(records.frames[1].ego_translation == std::array<double, 3>{1, 2, 0});
  }

  TEST_CASE("faces belong to their frames") {
    Scenario scenario = imported(test::small_scenario());
    scenario.faces.resize(4);
    scenario.faces[1] = {{"a", "l", {1, 0, 0}}, {"b", "l", {0, 1, 0}}};
    scenario.faces[3] = {{"c", "l", {0, 0, 1}}};
    const auto records = records_of(scenario);
    REQUIRE(records.faces.size() == 3);
    const auto rows = [&](std::size_t i) {
      return records.frames[i].traffic_light_faces_index_interval;
    };
    CHECK(rows(0) == scene::Interval{0, 0});
    CHECK(rows(1) == scene::Interval{0, 2});
    CHECK(rows(2) == scene::Interval{2, 2});
    CHECK(rows(3) == scene::Interval{2, 3});
  }

  TEST_CASE("the mask selects roles, at any distance from the ego vehicle") {
    using Rows = std::vector<std::array<std::uint64_t, 3>>;
    const Scenario scenario = imported(test::small_scenario());
    CHECK(kept(scenario, Role::focal) ==
          Rows{{7, 0, 3}, {7, 1, 2}, {7, 2, 1}, {7, 3, 0}});
    CHECK(kept(scenario, Role::scored) == Rows{{7, 0, 3},
                                               {7, 1, 2},
                                               {8, 0, 2},
                                               {7, 2, 1},
                                               {8, 1, 1},
                                               {7, 3, 0},
                                               {8, 2, 0}});
    // The static track is not one of the labels that L5Kit keeps.
    CHECK(kept(scenario, Role::fragment).size() == 9);
  }

  TEST_CASE("a jump of the heading divides only tracks that are not evaluated") {
    test::Argoverse2Rows rows;
    rows.add_track({.track = "AV"}, 0, 4);
    rows.add_track({.track = "7", .category = 3}, 0, 2);
    rows.add({.track = "7", .step = 2, .category = 3, .heading = 2});
    rows.add_track({.track = "9", .category = 0}, 0, 2);
    rows.add({.track = "9", .step = 2, .category = 0, .heading = 2});
    const auto all = kept(imported(rows), Role::fragment);
    CHECK(all == std::vector<std::array<std::uint64_t, 3>>{
                     {7, 0, 2}, {9, 0, 1}, {7, 1, 1}, {9, 1, 0}, {7, 2, 0}});
  }

  TEST_CASE("columns that do not belong together are rejected") {
    const Scenario whole = imported(test::small_scenario());
    const auto code = [&](auto change) {
      Scenario scenario = whole;
      change(scenario);
      return test::error_code([&] { records_of(scenario); });
    };
    CHECK(code([](Scenario&) {}) == std::nullopt);
    const auto invalid = Errc::invalid_argument;
    CHECK(code([](Scenario& s) { s.ego.pop_back(); }) == invalid);
    CHECK(code([](Scenario& s) { s.times_ns.clear(); }) == invalid);
    CHECK(code([](Scenario& s) { s.states.yaw.pop_back(); }) == invalid);
    CHECK(code([](Scenario& s) { s.states.step[3] = 4; }) == invalid);
    CHECK(code([](Scenario& s) { s.tracks[1].begin += 1; }) == invalid);
    CHECK(code([](Scenario& s) { s.tracks.back().end += 1; }) == invalid);
    CHECK(code([](Scenario& s) { s.tracks.pop_back(); }) == invalid);
    CHECK(code([](Scenario& s) { s.tracks[0].label = 17; }) == invalid);
    CHECK(code([](Scenario& s) { s.faces.resize(3); }) == invalid);
  }
}

}  // namespace scenario_records_test
