#include "core/simulation/scenario.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace simulation_scenario_test {

using namespace bev::simulation;

Simulation made() {
  Simulation out;
  out.scenario = "ab12";
  out.planner = "idm";
  out.vehicle = {5, 2, 1.5};
  out.tracks = {"0a", ""};
  for (int i = 0; i < 2; ++i) {
    auto& frame = out.frames.emplace_back();
    frame.time_us = 1'000'000 + 100'000 * i;
    frame.ego = {664'001.5 + i, 3'999'002, 0};
    frame.boxes.push_back(
        {0, ObjectType::vehicle, false, {664'011, 3'999'002, 0}, 4.5, 2, 3});
  }
  out.frames[1].boxes.push_back({0, ObjectType::vehicle, false, {}, 4, 2, 0});
  out.frames[1].boxes.push_back(
      {1, ObjectType::traffic_cone, true, {664'020, 3'999'000, 1}, 0.5, 0.4, 0});
  out.frames[0].lights = {{7, 2}};
  return out;
}

TEST_SUITE("simulation/scenario") {
  TEST_CASE("a simulation is a scenario without map") {
    const auto found = scenario_of(made(), bev::convert::nuplan_tables());
    CHECK(found.id == "ab12");
    CHECK(found.times_ns == std::vector<std::int64_t>{1'000'000'000, 1'100'000'000});
    CHECK(found.ego[1].position.x == doctest::Approx(1.0));
    CHECK(found.ego[1].position.y == doctest::Approx(2.0));
    REQUIRE(found.tracks.size() == 2);
    CHECK(found.tracks[0].track_id == 10);
    CHECK(found.tracks[0].label == 3);
    CHECK(found.states.size() == 3);
    CHECK(found.states.velocity[0][0] == 3);
    CHECK(found.states.extent[0] == std::array{4.5F, 2.F, 1.6F});
    CHECK(found.states.position[2][0] == doctest::Approx(20));
    CHECK(found.lost.at("second box of a track in a frame") == 1);
    REQUIRE(found.faces.size() == 2);
    REQUIRE(found.faces[0].size() == 3);
    CHECK(found.faces[0][2].face_id == "7/r");
    CHECK(found.faces[0][2].traffic_light_face_status[0] == 1);
    CHECK(found.faces[0][0].traffic_light_face_status[1] == 1);
    CHECK_FALSE(found.map);
    const auto attributes = nlohmann::json::parse(found.attributes);
    CHECK(attributes["planner"] == "idm");
    CHECK(attributes["moved_by"] == nlohmann::json({-664'000, -3'999'000}));
    CHECK(attributes["ego_centre_ahead_m"] == 1.5);
  }

  TEST_CASE("positions that are too far are refused") {
    auto from = made();
    from.frames[0].boxes[0].pose.x = 2e7;
    CHECK_THROWS_WITH(scenario_of(from, bev::convert::nuplan_tables()),
                      "simulation: box: too large a number");
    CHECK_THROWS(scenario_of({}, bev::convert::nuplan_tables()));
  }
}

}  // namespace simulation_scenario_test
