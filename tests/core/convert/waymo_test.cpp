#include "core/convert/waymo.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/convert/city_map.hpp"
#include "core/convert/map_cell.hpp"
#include "core/convert/scenario_records.hpp"
#include "core/map/lane_lights.hpp"
#include "core/map/meta.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/waymo.hpp"

namespace waymo_test {

using namespace bev;
using namespace bev::convert;
using test::small_waymo;

namespace {

Scenario imported(const waymo::Message& source, const ImportOptions& options = {}) {
  return import_waymo(test::encoded(source), waymo_tables(), options);
}

std::string problem(const waymo::Message& source) {
  try {
    imported(source);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::invalid_metadata);
    return error.what();
  }
  return {};
}

ImportOptions at_place(std::uint64_t place) {
  ImportOptions out;
  out.place = place;
  return out;
}

map::SemanticMap written(const Scenario& scenario) {
  CityMap city;
  city.add(*scenario.map, scenario.id);
  const std::string bytes = city.semantic_map();
  return map::SemanticMap::parse(std::as_bytes(std::span(bytes)),
                                 map::parse_meta(city.meta_json()));
}

}  // namespace

TEST_SUITE("convert/waymo") {
  TEST_CASE("valid states become agents of their frames") {
    const auto scenario = imported(small_waymo());
    CHECK(scenario.id == "made-up");
    CHECK(scenario.host == "waymo");
    CHECK(scenario.times_ns ==
          std::vector<std::int64_t>{0, 100'000'000, 200'010'000, 300'000'000});
    const auto records = records_of(scenario);
    REQUIRE(records.agents.size() == 4 + 3 + 2);
    CHECK(records.frames[0].agent_index_interval == scene::Interval{0, 2});
    CHECK(records.frames[1].agent_index_interval == scene::Interval{2, 5});
    const auto& agent = records.agents[3];  // the pedestrian in frame 1
    CHECK(agent.track_id == 8);
    CHECK(agent.centroid == std::array<double, 2>{121, -5});
    CHECK(agent.extent == std::array<float, 3>{4.5F, 2.25F, 1.5F});
    CHECK(agent.yaw == 0.25F);
    CHECK(agent.velocity == std::array<float, 2>{10, 0.5F});
    CHECK(agent.label_probabilities[14] == 1);
    CHECK(records.frames[2].ego_translation == std::array<double, 3>{82, 0, 1});
  }

  TEST_CASE("roles follow from tracks to predict and objects of interest") {
    const auto scenario = imported(small_waymo());
    REQUIRE(scenario.tracks.size() == 3);
    CHECK(scenario.tracks[0].role == Role::focal);
    CHECK(scenario.tracks[1].role == Role::scored);
    CHECK(scenario.tracks[2].role == Role::fragment);
    const auto attributes = nlohmann::json::parse(scenario.attributes);
    CHECK(attributes["scored"] == nlohmann::json{7, 8});
    CHECK(attributes["objects_of_interest"] == nlohmann::json{7});
    CHECK(attributes["difficulty"] == nlohmann::json{{"7", 1}, {"8", 2}});
    CHECK(attributes["anchor_frame"] == 1);
    CHECK(attributes["ego_track_id"] == 20);
    CHECK(attributes["lane_sides_from_width"] == nlohmann::json{"2/left", "2/right"});
  }

  TEST_CASE("a frame without the ego vehicle repeats the nearest pose") {
    auto source = small_waymo();
    for (const std::size_t step : {0U, 2U}) source.tracks[2].states[step] = {};
    const auto scenario = imported(source);
    CHECK(scenario.repeated_ego_poses == 2);
    CHECK(scenario.ego[0].position.x == 81);
    CHECK(scenario.ego[2].position.x == 81);
    CHECK(scenario.ego[3].position.x == 83);
  }

  TEST_CASE("a lane's signal has three faces, one of which is active") {
    const auto scenario = imported(small_waymo());
    REQUIRE(scenario.faces.size() == 4);
    const auto status = [&](std::size_t step, std::size_t face) {
      return scenario.faces[step][face].traffic_light_face_status;
    };
    using Status = std::array<float, 3>;
    constexpr Status kActive{1, 0, 0}, kInactive{0, 1, 0}, kUnknown{0, 0, 1};
    const Status expected[4][3] = {{kActive, kInactive, kInactive},
                                   {kInactive, kActive, kInactive},
                                   {kInactive, kInactive, kActive},
                                   {kUnknown, kUnknown, kUnknown}};
    for (std::size_t step = 0; step < 4; ++step) {
      REQUIRE(scenario.faces[step].size() == 3);
      for (std::size_t i = 0; i < 3; ++i) CHECK(status(step, i) == expected[step][i]);
    }
    CHECK(scenario.faces[0][0].face_id == "1/r");
    CHECK(scenario.faces[0][1].face_id == "1/y");
    CHECK(scenario.faces[0][2].face_id == "1/g");
    CHECK(scenario.faces[0][2].traffic_light_id == "1/l");
  }

  TEST_CASE("arrow and flashing states have the colour of round ones") {
    auto source = small_waymo();
    source.lane_states.assign(4, {});
    for (const std::uint64_t state : {1U, 2U, 3U, 7U, 8U, 9U}) {
      source.lane_states[0].push_back({static_cast<std::int64_t>(state), state, {}});
    }
    const auto scenario = imported(source);
    std::string active;
    for (const auto& face : scenario.faces[0]) {
      if (face.traffic_light_face_status[0] == 1) active += face.face_id + " ";
    }
    CHECK(active == "1/r 2/y 3/g 7/r 8/y ");
    CHECK(scenario.lost.at("arrow of a light state") == 3);
    CHECK(scenario.lost.at("flashing of a light state") == 2);
    CHECK(scenario.lost.at("unknown light state") == 1);
    CHECK(scenario.lost.at("light of a lane that the map lacks") == 5 - 1);
  }

  TEST_CASE("the written map colours the lane whose face is active") {
    const auto scenario = imported(small_waymo());
    const auto map = written(scenario);
    const map::LaneLights lights(map);
    const auto lane = map.lane_row("1").value();
    const auto colour = [&](std::size_t step) {
      std::vector<std::string_view> active;
      for (const auto& face : scenario.faces[step]) {
        if (face.traffic_light_face_status[0] == 1) active.push_back(face.face_id);
      }
      return lights.colours(active)[lane];
    };
    CHECK(colour(0) == map::LaneLight::red);
    CHECK(colour(1) == map::LaneLight::yellow);
    CHECK(colour(2) == map::LaneLight::green);
    CHECK(colour(3) == map::LaneLight::none);
    REQUIRE(map.lights().size() == 1);
    CHECK(map.lights()[0].faces == std::vector<std::string>{"1/r", "1/y", "1/g"});
    CHECK(std::abs(map.lights()[0].position.x - 90) < 1e-8);
  }

  TEST_CASE("what the records lack is counted") {
    auto source = small_waymo();
    source.lidar_frames = 2;
    source.camera_frames = 1;
    source.predictions.push_back({2, 0});
    source.tracks[0].states[0].length = 0;
    source.lane_states[1][0].stop_point->x = 91;
    const auto scenario = imported(source);
    CHECK(scenario.lost ==
          std::map<std::string, std::uint64_t>{{"agent height above ground", 9},
                                               {"camera token frame", 1},
                                               {"further stop point", 1},
                                               {"lidar frame", 2},
                                               {"prediction of the ego vehicle", 1},
                                               {"state without extent", 1}});
    CHECK(scenario.states.extent[0] == std::array<float, 3>{4, 2, 1.6F});
  }

  TEST_CASE("scenarios with a place are moved by whole metres to cells of their own") {
    auto source = small_waymo();
    for (auto& state : source.tracks[0].states) state.centre.x += 0.1;
    const auto alone = imported(source);
    std::set<std::pair<double, double>> cells;
    for (std::uint64_t place = 0; place < 30; ++place) {
      const auto scenario = imported(source, at_place(place));
      const auto by = nlohmann::json::parse(scenario.attributes)["moved_by"];
      const double dx = by[0], dy = by[1];
      CHECK(dx == std::floor(dx));
      CHECK(cells.emplace(dx, dy).second);
      CHECK(std::abs(scenario.states.position[0][0] - dx -
                     alone.states.position[0][0]) < 1e-9);
      CHECK(std::fmod(scenario.ego[1].position.x, 8192) == 0);
      CHECK(std::fmod(scenario.ego[1].position.y, 8192) == 0);
      const auto prefix = std::to_string(place) + ":";
      CHECK(scenario.faces[0][0].face_id == prefix + "1/r");
      CHECK(scenario.map->lanes[0].faces[0] == prefix + "1/r");
      CHECK(scenario.map->lanes[0].left[0].x == 80 + dx);
    }
  }

  TEST_CASE("a place is limited, and a scenario must fit in its cell") {
    CHECK(imported(small_waymo(), at_place(kMaxPlace)).ego.size() == 4);
    CHECK(test::error_code([] { imported(small_waymo(), at_place(kMaxPlace + 1)); }) ==
          Errc::limit_exceeded);
    auto source = small_waymo();
    source.tracks[0].states[1].centre.x += 3100;
    CHECK(imported(source).ego.size() == 4);
    CHECK(test::error_code([&] { imported(source, at_place(0)); }) ==
          Errc::limit_exceeded);
    source = small_waymo();
    source.features[1].points[2].y = 3100;
    CHECK(test::error_code([&] { imported(source, at_place(0)); }) ==
          Errc::limit_exceeded);
  }

  TEST_CASE("an id that is too long for a face is above a limit") {
    auto source = small_waymo();
    source.lane_states[0][0].lane = 100'000'000'000'000;
    CHECK(test::error_code([&] { imported(source); }) == Errc::limit_exceeded);
    source.lane_states[0][0].lane = 10'000'000'000'000;
    CHECK(imported(source).faces[0][0].face_id == "10000000000000/r");
  }

  TEST_CASE("without a map only the tracks and lights are converted") {
    ImportOptions options;
    options.with_map = false;
    const auto scenario = imported(small_waymo(), options);
    CHECK(!scenario.map);
    CHECK(scenario.faces[0].size() == 3);
    CHECK(
        !nlohmann::json::parse(scenario.attributes).contains("lane_sides_from_width"));
  }

  TEST_CASE("invalid values are named") {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const auto changed = [](auto change) {
      auto source = small_waymo();
      change(source);
      return problem(source);
    };
    CHECK(changed([](auto& s) { s.times_s.clear(); }) ==
          "scenario: no timestamps_seconds");
    CHECK(changed([](auto& s) { s.times_s[2] = 0.1; }) ==
          "scenario: timestamp 2 is not after the one before");
    CHECK(changed([&](auto& s) { s.times_s[1] = kNan; }) ==
          "scenario: timestamp 1 is not a time in seconds");
    CHECK(changed([](auto& s) { s.ego_index = 4; }) ==
          "scenario: sdc_track_index is outside (found 4, expected 0 to 3)");
    CHECK(changed([](auto& s) { s.ego_index = -1; }) ==
          "scenario: sdc_track_index is outside (found -1, expected 0 to 3)");
    CHECK(changed([](auto& s) { s.current_time_index = 4; }) ==
          "scenario: current_time_index is outside (found 4, expected 0 to 3)");
    CHECK(changed([](auto& s) { s.predictions[0].track_index = 9; }) ==
          "scenario: track_index of tracks_to_predict is outside (found 9, expected 0 "
          "to 3)");
    CHECK(changed([](auto& s) { s.lane_states.pop_back(); }) ==
          "scenario: dynamic_map_states: wrong length (found 3, expected 4)");
    CHECK(changed([](auto& s) { s.tracks[1].id = 7; }) ==
          "scenario: track id is not unique (found 7)");
    CHECK(changed([](auto& s) { s.tracks[1].id = -7; }) ==
          "scenario: track id is negative (found -7)");
    CHECK(changed([](auto& s) { s.tracks[1].type = 5; }) ==
          "scenario: track 8: unknown type (found 5, expected 0 to 4)");
    CHECK(changed([](auto& s) { s.tracks[1].states.pop_back(); }) ==
          "scenario: track 8: wrong number of states (found 3, expected 4)");
    CHECK(changed([&](auto& s) { s.tracks[1].states[2].centre.y = kNan; }) ==
          "scenario: track 8, step 2: a value is not a finite number below 1e7");
    CHECK(changed([](auto& s) { s.lane_states[1].push_back(s.lane_states[1][0]); }) ==
          "scenario: step 1: two light states of lane 1");
    CHECK(changed([&](auto& s) { s.lane_states[1][0].stop_point->x = kNan; }) ==
          "scenario: lane 1: the stop point is not a finite position");
    CHECK(changed([](auto& s) { s.tracks[2].states.assign(4, {}); }) ==
          "scenario: the ego vehicle has no valid state");
  }

  TEST_CASE("values of invalid states do not matter") {
    auto source = small_waymo();
    source.tracks[1].states[0].centre.x = std::numeric_limits<double>::infinity();
    CHECK(imported(source).states.size() == 9);
  }
}

}  // namespace waymo_test
