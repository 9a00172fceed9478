#include "core/convert/commonroad.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "core/convert/city_map.hpp"
#include "core/convert/scenario_records.hpp"
#include "tests/support/commonroad.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"

namespace commonroad_test {

using namespace bev;
using namespace bev::convert;
using test::kXmlBox;
using test::kXmlProblem;
using test::small_commonroad;
using test::xml_obstacle;
using test::xml_of;
using test::xml_scenario;
using test::xml_state;

namespace {

Scenario imported(const std::string& xml, const ImportOptions& options = {}) {
  return import_commonroad(xml, commonroad_tables(), options);
}

/// A scenario of one obstacle with these states.
Scenario with_states(const std::string& states, const std::string& shape = kXmlBox) {
  return imported(xml_scenario(xml_obstacle(1, states, "car", shape)));
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const auto at = text.find(old);
  REQUIRE(at != text.npos);
  return text.replace(at, old.size(), by);
}

nlohmann::json attributes(const Scenario& scenario) {
  return nlohmann::json::parse(scenario.attributes);
}

std::vector<std::string> lit(const Scenario& scenario, std::size_t frame) {
  std::vector<std::string> out;
  for (const auto& face : scenario.faces[frame]) {
    if (face.traffic_light_face_status[0] == 1) out.push_back(face.face_id);
  }
  return out;
}

double length_of(const std::vector<geom::Vec3>& line) {
  double out = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    out += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
  }
  return out;
}

}  // namespace

TEST_SUITE("convert/commonroad") {
  TEST_CASE("obstacles are tracks with their boxes, static ones in every frame") {
    const auto scenario = imported(small_commonroad());
    CHECK(scenario.id == "ZAM_Made-1_1_T-1");
    CHECK(scenario.host == "ZAM_Made");
    CHECK(scenario.times_ns ==
          std::vector<std::int64_t>{0, 100'000'000, 200'000'000, 300'000'000});
    REQUIRE(scenario.tracks.size() == 2);
    CHECK(scenario.tracks[0].name == "42");
    CHECK(scenario.tracks[0].track_id == 42);
    CHECK(scenario.tracks[0].label == 3);
    CHECK(scenario.tracks[1].object_type == "parkedVehicle");
    const auto& states = scenario.states;
    CHECK(states.step == std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1, 2, 3});
    CHECK(states.position[1] == std::array{10.5, 1.5});
    CHECK(states.position[7] == std::array{5.0, 4.5});
    CHECK(states.velocity[0] == std::array{5.F, 0.F});
    CHECK(states.extent[0] == std::array{4.5F, 2.F, 1.6F});
    CHECK(records_of(scenario).agents.size() == 8);
    CHECK(scenario.lost.at("traffic sign") == 1);
    CHECK(scenario.lost.at("stop line") == 1);
    CHECK(scenario.lost.at("goal of a planning problem") == 1);
    const auto found = attributes(scenario);
    CHECK(found["version"] == "2020a");
    CHECK(found["tags"] == "urban critical");
    CHECK(found["latitude"] == 48.5);
    CHECK(found["planning_problems"][0]["last_step"] == 9);
  }

  TEST_CASE(
      "the ego vehicle is an obstacle, stands in a problem's start, or in between") {
    const auto standing = imported(small_commonroad());
    CHECK(standing.ego[3].position == geom::Vec3{1, 2, 0});
    CHECK(standing.repeated_ego_poses == 3);
    CHECK(attributes(standing)["ego"] == "planning problem 900");
    CHECK(attributes(standing)["ego_is_virtual"] == true);
    const auto driving = imported(small_commonroad(), {.ego = "42"});
    CHECK(driving.tracks.size() == 1);
    CHECK(driving.ego[3].position == geom::Vec3{11.5, 1.5, 0});
    CHECK(driving.repeated_ego_poses == 0);
    CHECK(driving.lost.at("planning problem") == 1);
    CHECK(attributes(driving)["ego_extent"][2] == 1.6F);
    CHECK(!attributes(driving).contains("ego_is_virtual"));
    CHECK(test::error_code([] { imported(small_commonroad(), {.ego = "7"}); }) ==
          Errc::not_found);
    const auto between = with_states(xml_state("initialState", 0, 4, 6) +
                                     xml_of("trajectory", xml_state("state", 2, 8, 6)));
    CHECK(between.ego[1].position == geom::Vec3{6, 6, 0});
    CHECK(between.repeated_ego_poses == 3);
    CHECK(attributes(between)["ego"] == "none");
    CHECK(attributes(between)["ego_is_virtual"] == true);
    const auto gap =
        imported(xml_scenario(xml_obstacle(
                     1, xml_state("initialState", 0, 4, 6) +
                            xml_of("trajectory", xml_state("state", 3, 8, 6)))),
                 {.ego = "1"});
    CHECK(gap.ego[1].position.x == 4);
    CHECK(gap.ego[2].position.x == 8);
    CHECK(gap.repeated_ego_poses == 2);
  }

  TEST_CASE("a state has what its elements say, in any order") {
    const auto interval =
        "<velocity><intervalStart>2</intervalStart><intervalEnd>4</intervalEnd>"
        "</velocity>";
    CHECK(
        with_states(xml_state("initialState", 0, 0, 0, interval)).states.velocity[0] ==
        std::array{3.F, 0.F});
    // Across the heading: to the left.
    const auto across = with_states(
        xml_state("initialState", 0, 0, 0,
                  test::xml_exact("velocity", 5) + test::xml_exact("velocityY", 1)));
    CHECK(across.states.velocity[0] == std::array{5.F, 1.F});
    // A point mass has no heading, and its velocity is along x and y.
    const auto mass = with_states("<initialState><time><exact>0</exact></time>" +
                                  test::xml_exact("velocityY", 2) +
                                  test::xml_exact("velocity", 0) + "<position>" +
                                  test::xml_point(1, 1) + "</position></initialState>");
    CHECK(std::abs(mass.states.yaw[0] - 1.5707964F) < 1e-6F);
    CHECK(mass.states.velocity[0] == std::array{0.F, 2.F});
    // The middle of an area.
    const auto area = with_states(
        "<initialState><position><circle><radius>1</radius><center><x>3</x><y>4</y>"
        "</center></circle></position><orientation><exact>-3.1793</exact></orientation>"
        "<time><exact>0</exact></time></initialState>");
    CHECK(area.states.position[0] == std::array{3.0, 4.0});
    CHECK(area.states.yaw[0] == -3.1793F);
    CHECK(area.lost.at("velocity that is unknown") == 1);
    // Again in the same step: the first counts.
    const auto twice = with_states(xml_state("initialState", 0, 1, 1) +
                                   xml_of("trajectory", xml_state("state", 0, 2, 2)));
    CHECK(twice.states.size() == 1);
    CHECK(twice.lost.at("second state of a time step") == 1);
  }

  TEST_CASE("an agent is the box of its shape, or of what it occupies") {
    const auto at = [](const std::string& shape) {
      return with_states(
          xml_of("initialState",
                 xml_of("position", test::xml_point(10, 20)) +
                     test::xml_exact("orientation", std::acos(-1.0) / 2) +
                     xml_of("time", xml_of("exact", "0"))),
          shape);
    };
    const auto moved =
        at("<shape><rectangle><length>4</length><width>2</width><orientation>0.5"
           "</orientation><center><x>1</x><y>0</y></center></rectangle></shape>");
    CHECK(std::abs(moved.states.position[0][0] - 10) < 1e-5);
    CHECK(std::abs(moved.states.position[0][1] - 21) < 1e-5);
    CHECK(std::abs(moved.states.yaw[0] - 2.0707964F) < 1e-5F);
    CHECK(at("<shape><circle><radius>1.5</radius></circle></shape>").states.extent[0] ==
          std::array{3.F, 3.F, 1.6F});
    const auto polygon = at(xml_of(
        "shape", xml_of("polygon", test::xml_point(-1, 0) + test::xml_point(3, 0) +
                                       test::xml_point(3, 1))));
    CHECK(polygon.states.extent[0] == std::array{4.F, 1.F, 1.6F});
    CHECK(polygon.lost.at("outline of a shape") == 1);
    const auto parts = at(
        "<shape><circle><radius>1</radius></circle><circle><radius>1</radius><center>"
        "<x>2</x><y>0</y></center></circle></shape>");
    CHECK(parts.states.extent[0] == std::array{4.F, 2.F, 1.6F});
    const auto occupied = with_states(
        xml_state("initialState", 0, 0, 0) +
        xml_of(
            "occupancySet",
            xml_of("occupancy",
                   "<shape><rectangle><length>6</length><width>3</width><orientation>"
                   "1.5</orientation><center><x>7</x><y>8</y></center></rectangle>"
                   "</shape><time><exact>1</exact></time>")));
    CHECK(occupied.states.position[1] == std::array{7.0, 8.0});
    CHECK(occupied.states.extent[1] == std::array{6.F, 3.F, 1.6F});
    CHECK(occupied.states.yaw[1] == 1.5F);
  }

  TEST_CASE("obstacles of 2018b have a role") {
    const auto scenario = imported(xml_scenario(
        xml_obstacle(1, "<role>static</role>" + xml_state("initialState", 0, 1, 1),
                     "car", kXmlBox, "obstacle") +
            xml_obstacle(2,
                         "<role>dynamic</role>" + xml_state("initialState", 0, 1, 1) +
                             xml_of("trajectory", xml_state("state", 1, 2, 1)),
                         "bicycle", kXmlBox, "obstacle"),
        "2018b"));
    CHECK(scenario.states.size() == 4);
    CHECK(scenario.tracks[1].label == 12);
  }

  TEST_CASE("the cycle of a light is expanded from its offset") {
    const auto scenario = imported(small_commonroad());
    // Red from step 1 for two steps, then red and yellow; green before.
    CHECK(lit(scenario, 0) == std::vector<std::string>{"201/g"});
    CHECK(lit(scenario, 1) == std::vector<std::string>{"201/r"});
    CHECK(lit(scenario, 2) == std::vector<std::string>{"201/r"});
    CHECK(lit(scenario, 3) == std::vector<std::string>{"201/r", "201/y"});
    CHECK(scenario.faces[0].size() == 3);
    const auto off = imported(replaced(small_commonroad(), "<direction>all",
                                       "<active>false</active><direction>"
                                       "left"));
    CHECK(lit(off, 0).empty());
    CHECK(off.faces[0][0].traffic_light_face_status == std::array{0.F, 1.F, 0.F});
    CHECK(off.lost.at("direction of a traffic light") == 1);
    const auto unknown = imported(xml_scenario("<trafficLight id='1'/>" + kXmlProblem));
    CHECK(unknown.faces.size() == 10);
    CHECK(unknown.faces[9][2].traffic_light_face_status == std::array{0.F, 0.F, 1.F});
  }

  TEST_CASE("lanelets are lanes with sides, lines, neighbours and turns") {
    const auto map = *imported(small_commonroad()).map;
    REQUIRE(map.lanes.size() == 3);
    const auto &first = map.lanes[0], &second = map.lanes[1], &third = map.lanes[2];
    CHECK(first.left[1] == geom::Vec3{10, 3, 0});
    CHECK(first.centre[1] == geom::Vec3{10, 1.5, 0});
    CHECK(first.ahead == std::vector<std::string>{"3"});
    CHECK(first.left_neighbour == "2");
    CHECK(first.can_cross_left);
    CHECK(!first.can_cross_right);
    CHECK(first.left_divider == map::Divider::single_white_dashed);
    CHECK(first.faces == std::vector<std::string>{"201/r", "201/y", "201/g"});
    CHECK(second.left_neighbour.empty());
    CHECK(second.access == map::Access::only_bus);
    CHECK(third.in_junction);
    CHECK(third.turn == map::Turn::left);
    CHECK(third.can_cross_left);
    CHECK(!third.can_cross_right);
    REQUIRE(map.crosswalks.size() == 1);
    CHECK(map.crosswalks[0].outline.size() == 6);
    REQUIRE(map.lights.size() == 1);
    CHECK(map.lights[0].position == geom::Vec3{20, -1, 0});
    CHECK(imported(small_commonroad()).lost.at("line marking broad_solid") == 1);
  }

  TEST_CASE("a scenario with a place is moved, with all of its ids") {
    const auto moved = imported(small_commonroad(), {.place = 3});
    const auto& map = *moved.map;
    CHECK(map.lanes[0].id == "3:1");
    CHECK(map.lanes[0].ahead == std::vector<std::string>{"3:3"});
    CHECK(map.lanes[0].left_neighbour == "3:2");
    CHECK(map.lanes[0].faces[0] == "3:201/r");
    CHECK(map.lights[0].id == "3:201/l");
    CHECK(moved.faces[0][0].face_id == "3:201/r");
    const auto by = attributes(moved)["moved_by"];
    CHECK(map.lanes[0].left[1].x == 10 + by[0].get<double>());
    CHECK(moved.states.position[0][1] == 1.5 + by[1].get<double>());
    CHECK(!imported(small_commonroad(), {.with_map = false}).map.has_value());
  }

  TEST_CASE("what is not a scenario is refused, naming what is wrong") {
    const auto code = [](const std::string& old, const std::string& by) {
      return test::error_code([&] { imported(replaced(small_commonroad(), old, by)); });
    };
    CHECK(test::error_code([] { imported("<osm/>"); }) == Errc::unsupported);
    CHECK(test::error_code([] { imported("\xff"); }) == Errc::corrupt_chunk);
    CHECK(code("2020a", "2017a") == Errc::unsupported);
    CHECK(code("timeStepSize='0.1'", "timeStepSize='0'") == Errc::invalid_metadata);
    CHECK(code("id='43'", "id='42'") == Errc::invalid_metadata);
    CHECK(code("id='43'", "id='-3'") == Errc::invalid_metadata);
    CHECK(code("<type>car", "<type>boat") == Errc::invalid_metadata);
    CHECK(code("dashed", "dotted") == Errc::invalid_metadata);
    CHECK(code("<exact>3<", "<exact>3.5<") == Errc::invalid_metadata);
    CHECK(code("<exact>3<", "<exact>100000<") == Errc::invalid_metadata);
    CHECK(code("<x>0.000000</x>", "<x>1e9</x>") == Errc::invalid_metadata);
    CHECK(code("<x>0.000000</x>", "<x>near</x>") == Errc::invalid_metadata);
    CHECK(code("<color>red<", "<color>blue<") == Errc::invalid_metadata);
    CHECK(code("<duration>2<", "<duration>0<") == Errc::invalid_metadata);
    CHECK(code(xml_of("position", test::xml_point(10, 1.5)), "") ==
          Errc::invalid_metadata);
    CHECK(code(kXmlBox, "<shape/>") == Errc::invalid_metadata);
    CHECK(code(test::xml_point(20, 3), "") == Errc::invalid_metadata);
    CHECK(code("id='201'", "id='9223372036854775807'") == Errc::limit_exceeded);
    // A static obstacle is in every frame.
    std::string many;
    for (int i = 0; i < 30; ++i) {
      many += xml_obstacle(i + 10, xml_state("initialState", 0, 1, 1), "car", kXmlBox,
                           "staticObstacle");
    }
    CHECK(test::error_code([&] {
            imported(xml_scenario(
                many + xml_obstacle(1, xml_state("initialState", 99'999, 1, 1))));
          }) == Errc::limit_exceeded);
  }

  TEST_CASE("damaged scenarios are read or refused") {
    const auto whole = small_commonroad();
    std::mt19937 random(5);
    constexpr std::string_view kLikely = "0123456789.-e'<>/ ";
    for (int round = 0; round < 1000; ++round) {
      auto text = whole;
      for (int i = 0; i < 2; ++i) {
        text[random() % text.size()] = kLikely[random() % kLikely.size()];
      }
      const auto code = test::error_code([&] {
        const auto scenario = imported(text);
        records_of(scenario);
        CityMap city;
        city.add(*scenario.map, "a");
        static_cast<void>(city.semantic_map());
      });
      const bool is_expected =
          !code || code == Errc::corrupt_chunk || code == Errc::invalid_metadata ||
          code == Errc::unsupported || code == Errc::limit_exceeded;
      REQUIRE(is_expected);
    }
  }

  TEST_CASE("counts and lengths of public scenarios are those of commonroad-io") {
    const char* const folder = std::getenv("BEV_COMMONROAD");
    if (folder == nullptr) {
      std::printf(
          "[skipped] counts and lengths of public scenarios are those of "
          "commonroad-io\n");
      return;
    }
    struct Expected {
      std::string file;
      std::size_t lanelets;  ///< with crosswalks
      double length;         ///< of the centre lines, crosswalks too
      std::size_t obstacles, states, frames, lights;
    };
    const std::vector<Expected> all = {
        {"USA_Lanker-1_1_T-1", 91, 1689.403, 24, 914, 41, 0},
        {"USA_US101-4_1_T-1", 12, 732.135, 22, 1249, 101, 0},
        {"FRA_Anglet-1_1_T-1", 20, 913.610, 8, 264, 34, 0},
        {"ARG_Carcarana-4_5_T-1", 368, 15741.072, 8, 264, 34, 0},
        {"test_reading_intersection_traffic_sign", 21, 0, 0, 0, 0, 4}};
    for (const auto& one : all) {
      CAPTURE(one.file);
      const auto bytes = test::find_file(std::string(folder) + "/" + one.file + ".xml");
      REQUIRE(bytes.has_value());
      const auto scenario =
          imported({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
      const auto& map = *scenario.map;
      CHECK(map.lanes.size() + map.crosswalks.size() == one.lanelets);
      double length = 0;
      for (const auto& lane : map.lanes) length += length_of(lane.centre);
      if (one.length > 0) CHECK(std::abs(length - one.length) < 0.001);
      CHECK(scenario.tracks.size() == one.obstacles);
      CHECK(scenario.states.size() == one.states + one.obstacles);
      if (one.frames > 0) CHECK(scenario.times_ns.size() == one.frames);
      CHECK(map.lights.size() == one.lights);
    }
  }
}

}  // namespace commonroad_test
