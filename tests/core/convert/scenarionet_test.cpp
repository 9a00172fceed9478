#include "core/convert/scenarionet.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/convert/scenario_records.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/scenarionet.hpp"

namespace scenarionet_test {

using namespace bev;
using namespace bev::convert;
using test::array_of;
using test::small_nuscenes;
using test::small_waymo_scenario;
using test::Tree;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

Scenario imported(const Tree& tree, const ImportOptions& options = {}) {
  const auto pickle = test::pickled(tree);
  return import_scenarionet(bytes_of(pickle), scenarionet_tables(), options);
}

std::string problem(const Tree& tree, Errc code = Errc::invalid_metadata) {
  try {
    imported(tree);
  } catch (const Error& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  return {};
}

nlohmann::json attributes(const Scenario& scenario) {
  return nlohmann::json::parse(scenario.attributes);
}

}  // namespace

TEST_SUITE("convert/scenarionet") {
  TEST_CASE("valid states become agents, in the file's values") {
    const auto scenario = imported(small_nuscenes());
    CHECK(scenario.id == "scene-0001");
    CHECK(scenario.host == "singapore-onenor");
    CHECK(scenario.times_ns ==
          std::vector<std::int64_t>{0, 100'000'000, 200'000'000, 300'000'000});
    REQUIRE(scenario.tracks.size() == 3);
    CHECK(scenario.tracks[0].name == "b0b0");
    CHECK(scenario.tracks[0].track_id == std::uint64_t{1} << 63U);
    CHECK(scenario.tracks[0].object_type == "vehicle.bus.rigid");
    CHECK(scenario.tracks[0].label == 6);
    CHECK(scenario.tracks[2].track_id == (std::uint64_t{1} << 63U) + 2);
    CHECK(scenario.states.size() == 4 + 3 + 1);
    CHECK(scenario.states.position[1] == std::array{101.0, 5.0});
    CHECK(scenario.states.extent[0] == std::array{4.5F, 2.25F, 1.5F});
    CHECK(scenario.states.yaw[0] == 0.25F);
    CHECK(scenario.ego[3].position == geom::Vec3{83, 0, 1});
    CHECK(scenario.ego[3].yaw_rad == 0.25);
    CHECK(records_of(scenario).agents.size() == 8);
    const auto found = attributes(scenario);
    CHECK(found["scenario_id"] == "scene-0001");
    CHECK(found["map"] == "singapore-onenorth");
    CHECK(found["track_names"]["9223372036854775809"] == "a0a0");
    CHECK(!found.contains("anchor_frame"));
  }

  TEST_CASE("what nuScenes' converter has wrong is corrected and counted") {
    const auto scenario = imported(small_nuscenes());
    CHECK(attributes(scenario)["ego_extent"] == nlohmann::json{4.5, 2.25, 1.5});
    // The last velocity is that of the state before; a single state has none.
    CHECK(scenario.states.velocity[3] == std::array{10.F, 0.F});
    CHECK(scenario.states.velocity[7] == std::array{0.F, 0.F});
    CHECK(scenario.corrected ==
          std::map<std::string, std::uint64_t>{
              {"exchanged length and width of the ego vehicle", 1},
              {"heading in place of the height of a centre line", 2},
              {"lane ahead by position", 1},
              {"repeated point of a centre line", 1},
              {"zero velocity of a last state", 2}});
    CHECK(scenario.lost.at("velocity of a single state") == 1);
    for (const auto& lane : scenario.map->lanes) {
      for (const auto& p : lane.centre) CHECK(p.z == 0);
    }
    // Other data sets have neither.
    auto other = small_nuscenes();
    other["metadata"]["dataset"] = "nuplan";
    const auto kept = imported(other);
    CHECK(attributes(kept)["ego_extent"] == nlohmann::json{2.25, 4.5, 1.5});
    CHECK(kept.states.velocity[3] == std::array{0.F, 0.F});
    CHECK(kept.map->lanes[1].centre[2].z == 0.1);
    CHECK(kept.corrected.empty());
  }

  TEST_CASE("an outline becomes the sides of a lane, whose width its connector has") {
    const auto scenario = imported(small_nuscenes());
    REQUIRE(scenario.map->lanes.size() == 2);
    const auto& lane = scenario.map->lanes[0];
    CHECK(lane.id == "one");
    CHECK(lane.left == std::vector<geom::Vec3>{{80, 2, 0}, {85, 2, 0}, {90, 2, 0}});
    CHECK(lane.right == std::vector<geom::Vec3>{{80, -1.5, 0}, {90, -1.5, 0}});
    CHECK(lane.centre.size() == 11);
    CHECK(lane.ahead == std::vector<std::string>{"two"});
    CHECK(!lane.in_junction);
    const auto& connector = scenario.map->lanes[1];
    CHECK(connector.in_junction);
    CHECK(connector.left[0].y - connector.right[0].y == doctest::Approx(3.5));
    CHECK(scenario.map->lost.at("sidewalk") == 1);
    CHECK(scenario.map->lost.at("road line") == 1);
    CHECK(attributes(scenario)["lane_sides_from_width"] ==
          nlohmann::json{"two/left", "two/right"});
  }

  TEST_CASE("Waymo's lanes have their lines, links and neighbours") {
    const auto scenario = imported(small_waymo_scenario());
    CHECK(scenario.host == "waymo");
    REQUIRE(scenario.map->lanes.size() == 2);
    const auto& lane = scenario.map->lanes[0];
    CHECK(lane.left[1] == geom::Vec3{85, 2, 1});
    CHECK(lane.right[1] == geom::Vec3{85, -1.5, 1});
    CHECK(lane.left_divider == map::Divider::single_white_dashed);
    CHECK(lane.right_divider == map::Divider::curb);
    CHECK(lane.ahead == std::vector<std::string>{"2", "9"});
    CHECK(lane.left_neighbour == "2");
    CHECK(lane.can_cross_left);
    CHECK(lane.in_junction);
    CHECK(scenario.map->lanes[1].access == map::Access::only_bike);
    CHECK(scenario.map->crosswalks[0].outline.size() == 3);
    CHECK(scenario.map->lost.at("stop sign") == 1);
    CHECK(scenario.corrected.empty());
  }

  TEST_CASE("lights have faces in frames with a state") {
    const auto scenario = imported(small_waymo_scenario());
    REQUIRE(scenario.faces.size() == 4);
    CHECK(scenario.faces[0].size() == 3);
    CHECK(scenario.faces[1].empty());
    CHECK(scenario.faces[0][0].face_id == "1/r");
    CHECK(scenario.faces[0][0].traffic_light_face_status == std::array{1.F, 0.F, 0.F});
    CHECK(scenario.faces[2][2].traffic_light_face_status == std::array{1.F, 0.F, 0.F});
    CHECK(scenario.faces[3][1].traffic_light_face_status == std::array{1.F, 0.F, 0.F});
    CHECK(scenario.map->lights[0].position == geom::Vec3{90, 0, 0.5});
    CHECK(scenario.map->lanes[0].faces.size() == 3);
    // A long name gives way to a number.
    auto tree = small_waymo_scenario();
    tree["dynamic_map_states"]["1"]["lane"] = "a-lane-with-a-long-name";
    CHECK(imported(tree).faces[0][0].face_id == "#0/r");
  }

  TEST_CASE("tracks to predict are scored by their names") {
    const auto scenario = imported(small_waymo_scenario());
    CHECK(scenario.tracks[0].role == Role::focal);
    CHECK(scenario.tracks[1].role == Role::fragment);
    const auto found = attributes(scenario);
    CHECK(found["anchor_frame"] == 1);
    CHECK(found["scored"] == nlohmann::json{7});
    CHECK(found["difficulty"]["7"] == 2);
    CHECK(found["objects_of_interest"] == nlohmann::json{7});
    CHECK(scenario.lost.at("object of interest without a track") == 1);
  }

  TEST_CASE("a scenario with a place is moved, and its names have a prefix") {
    ImportOptions options;
    options.place = 3;
    const auto scenario = imported(small_nuscenes(), options);
    CHECK(scenario.map->lanes[0].id == "3:one");
    CHECK(scenario.map->lanes[0].ahead[0] == "3:two");
    CHECK(scenario.ego[0].position.x == 8192);
  }

  TEST_CASE("values that are not a scenario's are refused by name") {
    const auto changed = [](auto change) {
      auto tree = small_nuscenes();
      change(tree);
      return problem(tree);
    };
    CHECK(problem(Tree::array()).find("no metadata") != std::string::npos);
    CHECK(changed([](Tree& t) { t.erase("tracks"); }).find("no tracks") !=
          std::string::npos);
    CHECK(changed([](Tree& t) {
            t["metadata"]["ts"] = "now";
          }).find("metadata.ts: not the times") != std::string::npos);
    CHECK(changed([](Tree& t) {
            t["metadata"]["sdc_id"] = "other";
          }).find("no ego vehicle other") != std::string::npos);
    CHECK(changed([](Tree& t) {
            t["tracks"]["a0a0"]["state"]["heading"] = array_of("f8", {3}, {1, 2, 3});
          }) ==
          "scenario: track a0a0: heading: wrong number of steps (found 3, expected "
          "4)");
    CHECK(changed([](Tree& t) { t["tracks"]["a0a0"]["state"].erase("valid"); }) ==
          "scenario: track a0a0: valid: no numbers of a row per step");
    CHECK(changed([](Tree& t) {
            t["tracks"]["a0a0"]["type"] = "SHIP";
            t["tracks"]["a0a0"]["metadata"]["type"] = "ship";
          }).find("unknown type (found \"SHIP\"); add it") != std::string::npos);
    CHECK(changed([](Tree& t) {
            t["tracks"]["a0a0"]["state"]["position"]["values"][3] = 1e9;
          }).find("track a0a0, step 1: a value is not a finite number") !=
          std::string::npos);
    CHECK(changed([](Tree& t) {
            t["metadata"]["tracks_to_predict"] = {{"none", {{"difficulty", 0}}}};
          }).find("no track none") != std::string::npos);
    CHECK(changed([](Tree& t) { t["map_features"]["one"]["polyline"] = 5; }) ==
          "map_features: one: polyline: not points (found an integer)");
  }

  TEST_CASE("a pickle that names anything else is refused by that name") {
    const std::string hostile =
        "\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x02id\x85R.";
    const auto import = [&] {
      import_scenarionet(bytes_of(hostile), scenarionet_tables());
    };
    CHECK(test::error_code(import) == Errc::unsupported);
    CHECK_THROWS_WITH_AS(import(), doctest::Contains("posix.system is not admitted"),
                         Error);
  }

  TEST_CASE("an array that is referred to again and again is read to a limit") {
    // One list of 200,000 values, 2,000 times.
    std::string pickle = "\x80\x04}(";
    const auto text = [](std::string_view of) {
      return "\x8c" + std::string(1, static_cast<char>(of.size())) + std::string(of);
    };
    pickle += text("map_features") + "](" + std::string(200'000, 'N') + "e\x94" +
              text("more") + "](";
    for (int i = 0; i < 2000; ++i) pickle += std::string("h\0", 2);
    pickle += "eu.";
    CHECK(test::error_code([&] {
            import_scenarionet(bytes_of(pickle), scenarionet_tables());
          }) == Errc::limit_exceeded);
  }

  TEST_CASE("a folder's files are those of its summary, where its mapping says") {
    const auto summary = test::pickled({{"a.pkl", Tree::object()}, {"b.pkl", 1}});
    const auto mapping =
        test::pickled({{"b.pkl", "x/y"}, {"a.pkl", ""}, {"c.pkl", ""}});
    CHECK(scenarionet_files(bytes_of(summary), bytes_of(mapping)) ==
          std::vector<std::string>{"a.pkl", "x/y/b.pkl"});
    CHECK(scenarionet_files(bytes_of(summary), std::nullopt) ==
          std::vector<std::string>{"a.pkl", "b.pkl"});
    CHECK(scenarionet_files(std::nullopt, bytes_of(mapping)) ==
          std::vector<std::string>{"x/y/b.pkl", "a.pkl", "c.pkl"});
  }

  TEST_CASE("files outside the folder are refused") {
    for (const char* folder : {"..", "a/../..", "/etc", "a\\..\\b"}) {
      CAPTURE(folder);
      const auto mapping = test::pickled({{"a.pkl", folder}});
      CHECK(test::error_code([&] {
              scenarionet_files(std::nullopt, bytes_of(mapping));
            }) == Errc::invalid_metadata);
    }
    const auto summary = test::pickled({{"../a.pkl", 1}});
    CHECK(test::error_code([&] {
            scenarionet_files(bytes_of(summary), std::nullopt);
          }) == Errc::invalid_metadata);
  }
}

}  // namespace scenarionet_test
