#include "core/convert/nuscenes.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/convert/scenario_records.hpp"
#include "core/scene/labels.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/nuscenes.hpp"

using namespace bev;
using namespace bev::convert;

namespace nuscenes_test {

namespace {

Scenario imported(const test::NuscenesTables& tables, std::size_t scene = 0,
                  const NuscenesOptions& options = {}) {
  nuscenes::Version version;
  tables.pass(version, 1000);
  return import_nuscenes(version, scene, nuscenes_tables(), options);
}

std::string label_of(const Track& track) {
  return std::string(scene::kPerceptionLabels[track.label]);
}

}  // namespace

TEST_SUITE("convert/nuscenes") {
  TEST_CASE("frames are the key frames, with the lidar's poses") {
    const auto scenario = imported({});
    CHECK(scenario.id == "s0");
    CHECK(scenario.host == "boston-seaport");
    CHECK(scenario.times_ns == std::vector<std::int64_t>{1'532'000'000'000'000'000,
                                                         1'532'000'000'500'000'000,
                                                         1'532'000'001'000'000'000});
    CHECK(scenario.ego[1].position == geom::Vec3{401, 1100.5, 0});
    CHECK(scenario.ego[1].yaw_rad == doctest::Approx(1.5707963267948966));
    CHECK(imported({}, 1).host == "singapore-onenor");
    const auto attributes = nlohmann::json::parse(scenario.attributes);
    CHECK(attributes["scene"] == "scene-0000");
    CHECK(attributes["track_names"] == nlohmann::json({{"1", "i00"}, {"2", "i01"}}));
  }

  TEST_CASE("attributes name the splits of published scenes") {
    test::NuscenesTables tables;
    tables.tables["scene"][0]["name"] = "scene-0061";
    const auto attributes = nlohmann::json::parse(imported(tables).attributes);
    CHECK(attributes["split"] == "train");
    CHECK(attributes["prediction_split"] == "train_val");
    CHECK(attributes["mini_split"] == "mini_train");
    const auto none = nlohmann::json::array();
    CHECK(attributes["tags"] == nlohmann::json({{"split:train", none},
                                                {"prediction_split:train_val", none},
                                                {"mini_split:mini_train", none}}));
    CHECK(!nlohmann::json::parse(imported({}).attributes).contains("split"));
  }

  TEST_CASE("links of records are not followed") {
    test::NuscenesTables tables;
    for (auto& row : tables.tables["sample_annotation"]) {
      row["next"] = row["token"];
      row["prev"] = row["token"];
    }
    for (auto& row : tables.tables["sample"]) row["next"] = "f00";
    CHECK(imported(tables).attributes == imported({}).attributes);
    CHECK(imported(tables).states.velocity == imported({}).states.velocity);
  }

  TEST_CASE("a key frame without a pose repeats the nearest") {
    test::NuscenesTables tables;
    tables.tables["sample_data"][1]["is_key_frame"] = false;
    const auto scenario = imported(tables);
    CHECK(scenario.repeated_ego_poses == 1);
    CHECK(scenario.ego[0].position.x == 401);
    for (auto& row : tables.tables["sample_data"]) row["is_key_frame"] = false;
    CHECK(test::error_code([&] { imported(tables); }) == Errc::invalid_metadata);
  }

  TEST_CASE("tracks have categories, of riders with the attribute") {
    const auto scenario = imported({});
    REQUIRE(scenario.tracks.size() == 2);
    CHECK(label_of(scenario.tracks[0]) == "PERCEPTION_LABEL_CAR");
    CHECK(scenario.tracks[1].object_type == "vehicle.bicycle/cycle.with_rider");
    CHECK(label_of(scenario.tracks[1]) == "PERCEPTION_LABEL_CYCLIST");
    CHECK(scenario.states.extent[0] == std::array<float, 3>{4.25, 1.75, 1.5});
    test::NuscenesTables alone;
    for (auto& row : alone.tables["sample_annotation"])
      row["attribute_tokens"] = {"a0"};
    CHECK(label_of(imported(alone).tracks[1]) == "PERCEPTION_LABEL_BICYCLE");
    alone.tables["category"][0]["name"] = "vehicle.boat";
    CHECK(test::error_code([&] { imported(alone); }) == Errc::invalid_metadata);
  }

  TEST_CASE("velocities are those of the boxes around, within their limits") {
    // Reference  nuscenes-devkit, nuscenes.py: box_velocity()
    const auto scenario = imported({});
    for (const auto row : {0U, 1U, 2U}) {
      CHECK(scenario.states.velocity[row] == std::array<float, 2>{2, 0});
    }
    CHECK(scenario.states.velocity[3] == std::array<float, 2>{4, 0});
    CHECK(!scenario.lost.contains("velocity that is unknown"));
    test::NuscenesTables slow;
    slow.tables["sample"][2]["timestamp"] = 1'532'000'000'000'000 + 2'500'000;
    const auto found = imported(slow);
    CHECK(found.states.velocity[1][0] == doctest::Approx(0.8));     // 2 m in 2.5 s
    CHECK(found.states.velocity[2] == std::array<float, 2>{0, 0});  // 2 s apart
    CHECK(found.lost.at("velocity that is unknown") == 2);
  }

  TEST_CASE("the challenge's instances are scored, in its frames only") {
    const auto scenario = imported({});
    CHECK(scenario.tracks[0].role == Role::scored);
    CHECK(scenario.tracks[1].role == Role::fragment);
    CHECK(scenario.states.is_item ==
          std::vector<bool>{false, true, true, false, false, false});
    const auto records = records_of(scenario);
    CHECK(mask_of(scenario, records, {}) ==
          std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 0, 0, 2, 0, 0, 0});
    CHECK(mask_of(scenario, records, {Role::fragment}) ==
          std::vector<std::uint32_t>{0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2, 0});
    const auto attributes = nlohmann::json::parse(scenario.attributes);
    CHECK(attributes["predicted"]["i00"] == std::vector<int>{1, 2});
  }

  TEST_CASE("headings may turn by 30 degrees per 0.1 s") {
    test::NuscenesTables tables;
    // By 100 degrees in 0.5 s.
    tables.tables["sample_annotation"][2]["rotation"] = {0.9961946980917455, 0, 0,
                                                         -0.08715574274765817};
    const auto scenario = imported(tables);
    const auto mask = mask_of(scenario, records_of(scenario), {Role::fragment});
    CHECK(mask[0 * 2 + 1] == 2);
  }

  TEST_CASE("two boxes of an instance in a key frame are refused") {
    test::NuscenesTables tables;
    tables.tables["sample_annotation"][2]["sample_token"] = "f00";
    try {
      imported(tables);
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(std::string(error.what()) ==
            "scene-0000: instance i00: two boxes in key frame 0");
    }
  }

  TEST_CASE("of several locations, each has a place") {
    const NuscenesMap map(test::nuscenes_map().dump(), nuscenes_tables());
    const auto own = imported({}, 0, {&map, {}});
    CHECK(own.map->frame.lat_e7 == 423368492);
    const auto moved = imported({}, 1, {&map, 1});
    CHECK(moved.map->frame.lat_e7 == 0);
    CHECK(moved.ego[0].position.x == 100'400);
    CHECK(moved.states.position[0][0] == 100'410);
    CHECK(moved.map->lanes[0].centre[0].x == 100'400);
    CHECK(moved.map->lanes.size() == 3);
    CHECK(nlohmann::json::parse(moved.attributes)["moved_by"][0] == 100'000);
    test::NuscenesTables far;
    far.tables["ego_pose"][1]["translation"][0] = 50'000;
    CHECK(test::error_code([&] {
            imported(far, 0, {&map, 1});
          }) == Errc::limit_exceeded);
    far.tables["log"][0]["location"] = "here";
    CHECK(test::error_code([&] { imported(far, 0, {&map, {}}); }) == Errc::not_found);
    CHECK(test::error_code([&] { imported({}, 2); }) == Errc::out_of_range);
    const nuscenes::Version empty;
    CHECK(test::error_code([&] { import_nuscenes(empty, 0, nuscenes_tables()); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("cut and damaged tables are errors, or scenes") {
    const test::NuscenesTables tables;
    std::uint64_t refused = 0;
    std::uint32_t random = 1;
    for (const auto* table : nuscenes::Version::files()) {
      const auto whole = tables.tables.at(table).dump();
      for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 60) {
        for (const bool is_cut : {true, false}) {
          random = random * 1664525 + 1013904223;
          auto text = is_cut ? whole.substr(0, at) : whole;
          if (!is_cut) text[at] = static_cast<char>(' ' + random % 96);
          const auto code = test::error_code([&] {
            nuscenes::Version version;
            for (const auto* one : nuscenes::Version::files()) {
              const auto content = one == table ? text : tables.tables.at(one).dump();
              tables.pass(version, one, content, 1000);
            }
            for (std::size_t i = 0; i < version.scenes().size(); ++i) {
              records_of(import_nuscenes(version, i, nuscenes_tables()));
            }
          });
          if (code) {
            CHECK(*code == Errc::invalid_metadata);
            ++refused;
          }
        }
      }
    }
    CHECK(refused > 500);
  }
}

}  // namespace nuscenes_test
