#include "core/futures/recorded_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/convert/scenario_records.hpp"
#include "core/convert/tfrecord.hpp"
#include "core/convert/waymo.hpp"
#include "core/futures/scene_futures.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/waymo_futures.hpp"

namespace recorded_scene_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::Errc;

constexpr const char* kAttributes =
    R"({"scenario_id":"a","anchor_frame":1,"ego_track_id":9,"ego_extent":[5,2,1.5],)"
    R"("difficulty":{"7":1,"9":2,"x":3},"moved_by":[100,-200]})";

/// Two frames: track 7 in both, track 8 in the second; the ego vehicle drives along y.
SceneColumns made() {
  SceneColumns out;
  out.timestamps = {1'000'000'000, 1'100'000'000};
  out.ego_translation = {1, 2, 3, 1, 4, 3};
  out.ego_rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 1, 0, 0, 0, 0, 1};
  out.frames = {{40, 41}, {41, 43}};
  out.track_ids = {7, 7, 8};
  out.centroids = {10, 20, 11, 20, 30, 40};
  out.yaws = {0.5F, 0.6F, 0.7F};
  out.extents = {4, 2, 1, 4, 2, 1, 1, 0.5F, 2};
  out.velocities = {1, 0, 2, 0, 0, 3};
  out.label_probabilities.resize(3 * 17);
  out.label_probabilities[3] = out.label_probabilities[17 + 3] = 1;  // CAR
  out.label_probabilities[34 + 14] = 1;                              // PEDESTRIAN
  return out;
}

/// Returns a record of the real file, converted with this place in a joined map.
bev::convert::Scenario converted(std::optional<std::uint64_t> place) {
  const auto record =
      read_file(waymo_files() + "/testdata/motion_data_one_scenario.tfrecord");
  const auto content = bev::convert::record_content(record, 0);
  return bev::convert::import_waymo(
      {reinterpret_cast<const char*>(content.data()), content.size()},
      bev::convert::waymo_tables(), {true, place});
}

TEST_SUITE("futures/recorded_scene") {
  TEST_CASE("tracks have the states of the frames that they are in") {
    const auto found = recorded_scene(made(), kAttributes);
    const auto& scenario = found.scenario;
    CHECK(scenario.id == "a");
    CHECK(scenario.current_time_index == 1);
    CHECK(scenario.times_s == std::vector<double>{0, 0.1});
    CHECK(found.moved_by.x == 100);
    CHECK(found.moved_by.y == -200);
    REQUIRE(scenario.tracks.size() == 3);
    const auto& [car, walker, ego] =
        std::tie(scenario.tracks[0], scenario.tracks[1], scenario.tracks[2]);
    CHECK(car.id == 7);
    CHECK(car.type == 1);
    CHECK(car.states[1].centre.x == 11);
    CHECK(car.states[1].velocity_x == 2);
    CHECK(walker.type == 2);
    CHECK_FALSE(walker.states[0].is_valid);
    CHECK(walker.states[1].height == 2);
    CHECK(ego.id == 9);
    CHECK(ego.states[1].centre.y == 4);
    CHECK(std::fabs(ego.states[0].heading - 1.5707963) < 1e-6);
    CHECK(ego.states[0].length == 5);
    CHECK(scenario.ego_index == 2);
  }

  TEST_CASE("tracks to predict are those with a difficulty, the ego vehicle too") {
    const auto found = recorded_scene(made(), kAttributes).scenario;
    REQUIRE(found.predictions.size() == 2);
    CHECK(found.predictions[0].track_index == 0);
    CHECK(found.predictions[1].track_index == 2);
    const auto scored = recorded_scene(
        made(), R"({"scenario_id":"a","ego_track_id":9,"scored":[8,77,-1]})");
    REQUIRE(scored.scenario.predictions.size() == 1);
    CHECK(scored.scenario.predictions[0].track_index == 1);
  }

  TEST_CASE("tracks whose ids are texts in the source are left out") {
    auto columns = made();
    columns.track_ids[2] = std::uint64_t{1} << 63U;
    CHECK(recorded_scene(columns, kAttributes).scenario.tracks.size() == 2);
  }

  TEST_CASE("arrays and attributes that do not fit are refused by name") {
    auto columns = made();
    columns.yaws.pop_back();
    CHECK_THROWS_WITH_AS(recorded_scene(columns, kAttributes),
                         "scene: yaws: wrong length (found 2, expected 3)", bev::Error);
    columns = made();
    columns.frames[1].begin = 42;
    CHECK_THROWS_WITH_AS(recorded_scene(columns, kAttributes),
                         "scene: rows of agents are not consecutive", bev::Error);
    const auto code = [](const char* attributes) {
      return error_code([&] { recorded_scene(made(), attributes); });
    };
    CHECK(code("[]") == Errc::invalid_metadata);
    CHECK(code("{}") == Errc::invalid_metadata);
    CHECK(code(R"({"scenario_id":"a"})") == Errc::invalid_metadata);
    CHECK(code(R"({"scenario_id":"a","ego_track_id":9,"anchor_frame":2})") ==
          Errc::invalid_metadata);
    CHECK(code(R"({"scenario_id":"a","ego_track_id":9,"moved_by":[1]})") ==
          Errc::invalid_metadata);
    CHECK(code(R"({"scenario_id":"a","ego_track_id":9,"ego_extent":[1,"x",2]})") ==
          Errc::invalid_metadata);
    CHECK(error_code([] { recorded_scene({}, kAttributes); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE(
      "a converted real scene joins as its scenario does, wherever it was moved") {
    BEV_REQUIRE_WAYMO();
    const auto message = real_scenario();
    const auto submitted = futures_of(real_submission());
    const auto expected = join_futures(submitted, SubmissionKind::sim_agents, message);
    for (const auto place :
         {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(1)}) {
      const auto scene = converted(place);
      const auto found =
          recorded_scene(columns_of(bev::convert::records_of(scene)), scene.attributes);
      CHECK((found.moved_by.x != 0) == place.has_value());
      const auto joined = join_futures(submitted, SubmissionKind::sim_agents,
                                       found.scenario, found.moved_by);
      CHECK(joined.report.text() == "");
      CHECK(joined.evaluated == expected.evaluated);
      CHECK(joined.futures.sizes == expected.futures.sizes);
      CHECK(joined.collisions->step == expected.collisions->step);
      for (std::size_t i = 0; i < expected.displacements.ade.size(); ++i) {
        const double difference =
            joined.displacements.ade[i] - expected.displacements.ade[i];
        REQUIRE(std::fabs(difference) < 1e-8);
      }
    }
  }
}

}  // namespace
}  // namespace recorded_scene_test
