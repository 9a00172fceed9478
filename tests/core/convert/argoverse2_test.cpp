#include "core/convert/argoverse2.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/support/argoverse2.hpp"
#include "tests/support/error_code.hpp"

namespace argoverse2_test {

using namespace bev;
using namespace bev::convert;
using test::Argoverse2Rows;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Scenario imported(const Argoverse2Rows& rows) {
  return import_argoverse2(rows.table(), argoverse2_tables());
}

/// Returns the message of the error that importing causes, "" if none.
std::string problem(const Argoverse2Rows& rows) {
  try {
    imported(rows);
  } catch (const Error& error) {
    return std::string(to_string(error.code())) + " " + error.what();
  }
  return "";
}

/// Returns the small scenario after a change.
template <class Change>
Argoverse2Rows changed(Change change) {
  Argoverse2Rows rows = test::small_scenario();
  change(rows);
  return rows;
}

}  // namespace

TEST_SUITE("convert/argoverse2") {
  TEST_CASE("the columns are those that are read: without a required one, none is") {
    const auto all = test::small_scenario();
    const auto required = argoverse2_columns(true);
    CHECK(required.size() == 15);
    for (const auto name : required) {
      CAPTURE(name);
      CHECK(all.table().has(name));
    }
    const auto optional = argoverse2_columns(false);
    CHECK(optional.size() == 2);
    CHECK(optional[0] == "map_id");
    CHECK(optional[1] == "slice_id");
  }

  TEST_CASE("tracks keep their order, ids, types and roles; the ego vehicle is none") {
    const Scenario scenario = imported(test::small_scenario());
    REQUIRE(scenario.tracks.size() == 4);
    CHECK(scenario.id == "made-up");
    CHECK(scenario.host == "austin");
    const auto& tracks = scenario.tracks;
    CHECK(tracks[0].track_id == 7);
    CHECK(tracks[0].role == Role::focal);
    CHECK(tracks[0].label == 3);
    CHECK(tracks[1].role == Role::scored);
    CHECK(tracks[1].object_type == "pedestrian");
    CHECK(tracks[2].role == Role::unscored);
    CHECK(tracks[3].role == Role::fragment);
    CHECK(tracks[3].label == 1);
    CHECK(tracks[3].begin == 9);
    CHECK(tracks[3].end == 13);
  }

  TEST_CASE("positions are kept exactly; yaw and velocity become float32") {
    const auto rows = changed([](Argoverse2Rows& all) {
      all.numbers["position_x"][0] = -433.71031511630383;
      all.numbers["heading"][0] = 1.5022921725578375;
      all.numbers["velocity_y"][0] = 5.87024;
    });
    const States states = imported(rows).states;
    CHECK(states.position[0][0] == -433.71031511630383);
    CHECK(states.position[1][0] == 101);
    CHECK(states.yaw[0] == static_cast<float>(1.5022921725578375));
    CHECK(states.velocity[0][1] == static_cast<float>(5.87024));
    CHECK(states.extent[0] == std::array<float, 3>{4.0F, 2.0F, 1.6F});
    CHECK(states.step[4] == 1);  // the pedestrian's first
  }

  TEST_CASE("frames are evenly spaced, rounded to nanoseconds") {
    auto rows = test::small_scenario();
    Scenario scenario = imported(rows);
    CHECK(scenario.times_ns ==
          std::vector<std::int64_t>{1000, 100001000, 200001000, 300001000});
    for (auto& end : rows.numbers["end_timestamp"]) end = 1005;
    CHECK(imported(rows).times_ns == std::vector<std::int64_t>{1000, 1002, 1003, 1005});
    for (auto& start : rows.numbers["start_timestamp"]) start = 315986559459579008.;
    for (auto& end : rows.numbers["end_timestamp"]) end = 315986559759579008.;
    scenario = imported(rows);
    CHECK(scenario.start_ns == 315986559459579008);
    CHECK(scenario.times_ns[1] == 315986559559579008);
    CHECK(scenario.end_ns == 315986559759579008);
  }

  TEST_CASE("stamps may be integers, which are kept exactly") {
    auto rows = test::small_scenario();
    const auto count = rows.integers["timestep"].size();
    for (const char* name : {"start_timestamp", "end_timestamp"})
      rows.numbers.erase(name);
    rows.integers["start_timestamp"].assign(count, 315986559459579001);
    rows.integers["end_timestamp"].assign(count, 315986559459579004);
    CHECK(imported(rows).times_ns[1] == 315986559459579002);
    rows.integers["start_timestamp"].assign(count,
                                            std::numeric_limits<std::int64_t>::min());
    rows.integers["end_timestamp"].assign(count,
                                          std::numeric_limits<std::int64_t>::max());
    CHECK(problem(rows).starts_with(
        "invalid_metadata column end_timestamp: more than an hour"));
  }

  TEST_CASE("the order of rows does not matter inside a track") {
    Argoverse2Rows rows;
    for (const int step : {2, 0, 3, 1}) rows.add({.step = step, .x = 1.0 * step});
    for (const int step : {3, 1, 2}) {
      rows.add({.track = "5", .step = step, .x = 10.0 * step});
    }
    const Scenario scenario = imported(rows);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(scenario.ego[i].position.x == static_cast<double>(i));
    }
    CHECK(scenario.states.step == std::vector<std::uint32_t>{1, 2, 3});
    CHECK(scenario.states.position[2][0] == 30);
  }

  TEST_CASE("a frame without ego pose repeats the nearest one, the earlier of two") {
    Argoverse2Rows rows;
    rows.steps = 6;
    for (const int step : {1, 3}) rows.add({.step = step, .x = 10.0 * step});
    rows.add({.track = "5", .step = 5});
    const Scenario scenario = imported(rows);
    std::vector<double> x;
    for (const auto& pose : scenario.ego) x.push_back(pose.position.x);
    CHECK(x == std::vector<double>{10, 10, 10, 30, 30, 30});
    CHECK(scenario.repeated_ego_poses == 4);
  }

  TEST_CASE("frames after the last row are omitted and counted, as in the test split") {
    auto rows = test::small_scenario();
    for (auto& count : rows.integers["num_timestamps"]) count = 7;
    for (auto& end : rows.numbers["end_timestamp"]) end = 1000 + 6e8;
    const Scenario scenario = imported(rows);
    CHECK(scenario.times_ns.size() == 4);
    CHECK(scenario.times_ns[3] == 300001000);
    CHECK(scenario.absent_frames == 3);
    CHECK(scenario.repeated_ego_poses == 0);
  }

  TEST_CASE("an id that is no decimal number gets one above 2^63") {
    Argoverse2Rows rows;
    rows.steps = 1;
    const char* names[] = {
        "AV", "0", "07", "9223372036854775807", "9223372036854775808", "-1", "", "1 "};
    for (const char* name : names) rows.add({.track = name});
    const Scenario scenario = imported(rows);
    std::vector<std::uint64_t> ids;
    for (const auto& track : scenario.tracks) ids.push_back(track.track_id);
    constexpr std::uint64_t kNamed = std::uint64_t{1} << 63U;
    CHECK(ids == std::vector<std::uint64_t>{0, kNamed, kNamed - 1, kNamed + 1,
                                            kNamed + 2, kNamed + 3, kNamed + 4});
    const auto names_json = nlohmann::json::parse(scenario.attributes)["track_names"];
    CHECK(names_json[std::to_string(kNamed)] == "07");
    CHECK(names_json.size() == 5);
  }

  TEST_CASE("attributes keep what the records have no place for") {
    auto rows = test::small_scenario();
    rows.integers["map_id"].assign(rows.integers["timestep"].size(), 74806);
    for (std::size_t i = 0; i < rows.integers["timestep"].size(); ++i) {
      rows.texts["slice_id"].add("s");
    }
    const auto all = nlohmann::json::parse(imported(rows).attributes);
    CHECK(all["scenario_id"] == "made-up");
    CHECK(all["city"] == "austin");
    CHECK(all["focal_track_id"] == "7");
    CHECK(all["focal"] == 7);
    CHECK(all["scored"] == nlohmann::json{8});
    CHECK(all["unscored"] == nlohmann::json{9});
    CHECK(all["map_id"] == 74806);
    CHECK(all["slice_id"] == "s");
    CHECK(!all.contains("anchor_frame"));

    Argoverse2Rows longer;
    longer.steps = 110;
    longer.add_track({.track = "AV"}, 0, 110);
    CHECK(nlohmann::json::parse(imported(longer).attributes)["anchor_frame"] == 49);
  }

  TEST_CASE("absent columns are all named") {
    const auto rows = changed([](Argoverse2Rows& all) {
      all.texts.erase("track_id");
      all.numbers.erase("heading");
    });
    CHECK(problem(rows).starts_with(
        "not_found columns not found: track_id, heading (found city, "));
  }

  TEST_CASE("an invalid value is an error that names column and row") {
    const auto message = [](auto change) { return problem(changed(change)); };
    CHECK(message([](auto& r) { r.numbers["position_x"][3] = kNan; }) ==
          "invalid_metadata column position_x: not a finite number below 1e7 in row 3");
    CHECK(message([](auto& r) { r.numbers["heading"].back() = 1e9; }) ==
          "invalid_metadata column heading: not a finite number below 1e7 in row 16");
    CHECK(message([](auto& r) { r.integers["timestep"][2] = 4; }) ==
          "invalid_metadata column timestep: outside the scenario in row 2 (found 4, "
          "expected 0 to 3)");
    CHECK(message([](auto& r) {
            r.integers["timestep"][2] = -1;
          }).starts_with("invalid_metadata column timestep"));
    CHECK(
        message([](auto& r) { r.integers["timestep"][2] = 1; }) ==
        "invalid_metadata column timestep: track 7 has two rows of step 1 (found rows "
        "1 and 2)");
    CHECK(message([](auto& r) {
            r.integers["object_category"][0] = 4;
          }).starts_with("invalid_metadata column object_category: unknown category"));
    CHECK(
        message([](auto& r) { r.integers["object_category"][1] = 2; }) ==
        "invalid_metadata column object_category: a track's category changes in row 1");
    CHECK(message([](auto& r) {
            r.numbers["start_timestamp"][1] = 0;
          }).starts_with("invalid_metadata column start_timestamp: value differs"));
    CHECK(message([](auto& r) {
            for (auto& end : r.numbers["end_timestamp"]) end = kNan;
          }) == "invalid_metadata column end_timestamp: not a time in nanoseconds");
    CHECK(message([](auto& r) {
            for (auto& end : r.numbers["end_timestamp"]) end = 999;
          }) == "invalid_metadata column end_timestamp: before start_timestamp");
    CHECK(message([](auto& r) {
            for (auto& end : r.numbers["end_timestamp"]) end = 9e18;
          }).starts_with("invalid_metadata column end_timestamp: more than an hour"));
    CHECK(message([](auto& r) {
            for (auto& count : r.integers["num_timestamps"]) count = 0;
          }).starts_with("invalid_metadata column num_timestamps"));
    CHECK(message([](auto& r) {
            for (auto& count : r.integers["num_timestamps"]) count = kMaxFrames + 1;
          }).starts_with("limit_exceeded column num_timestamps"));
  }

  TEST_CASE("unknown and changing object types are rejected, with printable text") {
    Argoverse2Rows rows;
    rows.add_track({.track = "AV"}, 0, 4);
    rows.add({.track = "5", .type = "ta\x80nk"});
    CHECK(
        problem(rows) ==
        "invalid_metadata column object_type: unknown type in row 4 (found \"ta?nk\"); "
        "add it to the tables");
    rows = {};
    rows.add_track({.track = "AV"}, 0, 4);
    rows.add({.track = "5", .type = "bus"});
    rows.add({.track = "5", .step = 1, .type = "vehicle"});
    CHECK(problem(rows) ==
          "invalid_metadata column object_type: a track's type changes in row 5");
  }

  TEST_CASE("a scenario without rows, ego vehicle or UTF-8 is rejected") {
    CHECK(problem({}).starts_with("not_found"));
    Argoverse2Rows rows;
    rows.add_track({.track = "5"}, 0, 4);
    CHECK(problem(rows) ==
          "invalid_metadata column track_id: no track AV, the ego vehicle");
    rows = test::small_scenario();
    for (auto& byte : rows.texts["city"].bytes) byte = '\xff';
    CHECK(problem(rows) == "invalid_metadata column city: not UTF-8");
  }
}

}  // namespace argoverse2_test
