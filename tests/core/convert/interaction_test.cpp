#include "core/convert/interaction.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <string>

#include "core/convert/city_map.hpp"
#include "core/convert/lanelet2.hpp"
#include "core/convert/scenario_records.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/interaction.hpp"
#include "tests/support/lanelet2.hpp"

namespace interaction_test {

using namespace bev;
using namespace bev::convert;
using nlohmann::json;

namespace {

ReadAt reading(const std::string& text, std::size_t most = 1 << 20) {
  return [&text, most](std::uint64_t at, std::span<std::byte> out) {
    const auto count = std::min({out.size(), text.size() - std::size_t(at), most});
    std::memcpy(out.data(), text.data() + at, count);
    return count;
  };
}

InteractionCases cases_of(const std::string& text) {
  return find_cases(text.size(), reading(text));
}

/// Imports a scenario of a file.
Scenario imported(const std::string& text, std::size_t index = 0,
                  const InteractionOptions& options = {},
                  const std::string& pedestrians = "") {
  const auto found = cases_of(text);
  const auto& range = found.cases.at(index);
  InteractionTracks tracks;
  tracks.header = found.header;
  tracks.rows = std::string_view(text).substr(static_cast<std::size_t>(range.offset),
                                              static_cast<std::size_t>(range.size));
  tracks.pedestrians = pedestrians;
  tracks.name = "DR_USA_Intersection_EP0_val";
  tracks.location = "DR_USA_Intersection_EP0";
  return import_interaction(tracks, interaction_tables(), options);
}

std::optional<Errc> code_of(const std::string& rows) {
  return test::error_code([&] { imported(test::kTrackHeader + rows); });
}

InteractionOptions with_ego(const std::string& id) {
  InteractionOptions out;
  out.ego = id;
  return out;
}

}  // namespace

TEST_SUITE("convert/interaction") {
  TEST_CASE("a recording is a scene with a frame per 100 ms") {
    const auto scenario = imported(test::small_tracks());
    CHECK(scenario.id == "DR_USA_Intersection_EP0_val");
    CHECK(scenario.host == "DR_USA_Intersect");
    REQUIRE(scenario.times_ns.size() == 10);
    CHECK(scenario.times_ns[0] == 100'000'000);
    CHECK(scenario.times_ns[9] == 1'000'000'000);
    REQUIRE(scenario.tracks.size() == 2);
    CHECK(scenario.tracks[1].track_id == 2);
    CHECK(scenario.states.step[scenario.tracks[1].begin] == 2);
    CHECK(scenario.states.position[1] == std::array<double, 2>{2, 2});
    CHECK(scenario.states.velocity[0] == std::array<float, 2>{10, 0});
    CHECK(scenario.states.extent[0] == std::array<float, 3>{4, 1.8F, 1.6F});
    CHECK(records_of(scenario).agents.size() == 16);
  }

  TEST_CASE("without a track for it, the ego vehicle stands at the centroid") {
    const auto scenario = imported(test::small_tracks());
    // 10 states of mean (5.5, 2) and 6 of mean (5.5, 6).
    CHECK(scenario.ego[0].position == geom::Vec3{5.5, 3.5, 0});
    CHECK(scenario.ego[9].position == scenario.ego[0].position);
    CHECK(scenario.ego[0].yaw_rad == 0);
    CHECK(scenario.lost.at("ego vehicle (fixed at the centroid)") == 1);
    CHECK(json::parse(scenario.attributes)["ego"] ==
          "fixed at the centroid of all states");
    CHECK(json::parse(scenario.attributes)["ego_is_virtual"] == true);
  }

  TEST_CASE("a track that is the ego vehicle is no agent") {
    const auto scenario = imported(test::small_tracks(), 0, with_ego("2"));
    CHECK(scenario.tracks.size() == 1);
    CHECK(scenario.ego[0].position == geom::Vec3{3, 6, 0});  // its first row
    CHECK(scenario.ego[4].position == geom::Vec3{5, 6, 0});
    CHECK(scenario.ego[9].position == geom::Vec3{8, 6, 0});
    CHECK(scenario.repeated_ego_poses == 4);
    CHECK(!scenario.lost.contains("ego vehicle (fixed at the centroid)"));
    CHECK(json::parse(scenario.attributes)["ego"] == "track 2");
    CHECK(!json::parse(scenario.attributes).contains("ego_is_virtual"));
    CHECK(test::error_code([] { imported(test::small_tracks(), 0, with_ego("3")); }) ==
          Errc::not_found);
  }

  TEST_CASE("pedestrians have headings of their velocities, and usual extents") {
    const auto scenario =
        imported(test::small_tracks(), 0, {}, test::small_pedestrians());
    REQUIRE(scenario.tracks.size() == 4);
    const auto& walking = scenario.tracks[2];
    CHECK(walking.name == "P1");
    CHECK(walking.track_id == std::uint64_t{1} << 63U);
    CHECK(walking.label == 14);
    for (auto row = walking.begin; row < walking.end; ++row) {
      CHECK(scenario.states.yaw[row] == static_cast<float>(std::numbers::pi / 2));
      CHECK(scenario.states.extent[row] == std::array<float, 3>{0.7F, 0.7F, 1.75F});
    }
    CHECK(scenario.states.yaw[scenario.tracks[3].begin] == 0);
    CHECK(scenario.lost.at("heading of a track that stands") == 1);
    CHECK(scenario.lost.at("whether a pedestrian or a bicycle") == 2);
    const auto names = json::parse(scenario.attributes)["track_names"];
    CHECK(names["9223372036854775809"] == "P2");
  }

  TEST_CASE("each case of a file is a scene, with ids of its own") {
    const auto text = test::small_cases();
    CHECK(cases_of(text).cases.size() == 2);
    const auto first = imported(text, 0), second = imported(text, 1);
    CHECK(first.id == "DR_USA_Intersection_EP0_val_1");
    CHECK(second.id == "DR_USA_Intersection_EP0_val_2");
    CHECK(first.times_ns.size() == 4);
    CHECK(second.times_ns.size() == 3);
    CHECK(first.tracks[0].track_id == 1);
    CHECK(second.tracks[0].track_id == 1);
    CHECK(second.states.position[0] == std::array<double, 2>{20, 2});
    CHECK(second.tracks[1].object_type == "pedestrian/bicycle");
    CHECK(json::parse(second.attributes)["case_id"] == "2");
  }

  TEST_CASE("cases are the same, however the file is read") {
    const auto text = test::small_cases();
    const auto whole = cases_of(text);
    std::string crlf;
    for (const char c : text)
      crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    CHECK(cases_of(crlf).header == whole.header);
    CHECK(imported(crlf, 1).states.position == imported(text, 1).states.position);
    auto open = text;
    open.pop_back();  // without a last line end
    CHECK(cases_of(open).cases.back().size == whole.cases.back().size - 1);
    CHECK(imported(open, 1).states.size() == imported(text, 1).states.size());
    CHECK(cases_of("\xEF\xBB\xBF" + text).cases.size() == 2);
  }

  TEST_CASE("a large file is read in windows") {
    std::string text = "case_id," + test::kTrackHeader;
    std::size_t count = 0;
    for (; text.size() < (std::size_t{5} << 19U); ++count) {
      text += test::car_rows("1", 40, 1, 2, 1, std::to_string(count) + ",");
    }
    const auto found = cases_of(text);
    REQUIRE(found.cases.size() == count);
    auto end = found.cases.front().offset;
    for (const auto& one : found.cases) {
      CHECK(one.offset == end);
      end += one.size;
    }
    CHECK(end == text.size());
    CHECK(imported(text, count - 1).states.size() == 40);
  }

  TEST_CASE("a file is known by its columns, in any order") {
    CHECK(is_interaction(test::small_tracks()));
    CHECK(is_interaction(test::small_cases()));
    CHECK(is_interaction("vy,vx,y,x,agent_type,timestamp_ms,track_id\r\n"));
    CHECK(!is_interaction(""));
    CHECK(!is_interaction("track_id,timestamp_ms,x,y"));
    CHECK(!is_interaction("timestamp,track_id,avail_0,coord_x000\n"));
    CHECK(!is_interaction("x,x,y,vx,vy,track_id,timestamp_ms,agent_type"));
    CHECK(!is_interaction(std::string(5000, 'x')));
    const auto scenario = imported(
        "agent_type,note,vy,vx,y,x,timestamp_ms,track_id\ncar,,0,1,2,3,100,7\n");
    CHECK(scenario.states.position[0] == std::array<double, 2>{3, 2});
    CHECK(scenario.states.extent[0] == std::array<float, 3>{4.5F, 1.8F, 1.6F});
    CHECK(scenario.lost.at("column") == 1);
  }

  TEST_CASE("paths tell location, pedestrians and map of tracks") {
    const std::string recording = "t/DR_A/vehicle_tracks_003.csv";
    CHECK(interaction_location(recording) == "DR_A");
    CHECK(interaction_location("vehicle_tracks_003.csv").empty());
    CHECK(interaction_location("val/DR_A_val.csv") == "DR_A");
    CHECK(interaction_pedestrians(recording) == "t/DR_A/pedestrian_tracks_003.csv");
    CHECK(interaction_pedestrians("val/DR_A_val.csv").empty());
    const std::vector<std::string> maps = {"m/DR.osm", "m/DR_A.osm", "m/DR_A0.osm",
                                           "m/DR_A_val.csv"};
    CHECK(interaction_map(recording, maps) == "m/DR_A.osm");
    CHECK(interaction_map("val/DR_A_val.csv", maps) == "m/DR_A.osm");
    CHECK(interaction_map("val/DR_A_test_condition.csv", maps) == "m/DR_A.osm");
    CHECK(interaction_map("val/DR_A.csv", maps) == "m/DR_A.osm");
    CHECK(interaction_map("val/D_val.csv", maps).empty());
    CHECK(interaction_map("val/DR_A_val.csv", {}).empty());
  }

  TEST_CASE("rows may be in any order") {
    const auto scenario = imported(
        test::kTrackHeader + "1,2,200,car,2,0,1,0,0,4,2\n1,1,100,car,1,0,1,0,0,4,2\n");
    CHECK(scenario.states.step == std::vector<std::uint32_t>{0, 1});
    CHECK(scenario.states.position[0][0] == 1);
  }

  TEST_CASE("the map is that of the tracks; another location's is moved") {
    const auto map =
        import_lanelet2(test::small_lanelet2().text(), geom::Geodetic{0, 0, 0});
    InteractionOptions options;
    options.map = &map;
    const auto here = imported(test::small_tracks(), 0, options);
    CHECK(here.map->lanes[0].id == "20");
    options.place = 2;
    const auto there = imported(test::small_tracks(), 0, options);
    CHECK(there.states.position[0] == std::array<double, 2>{200'001, 2});
    CHECK(there.ego[0].position.x == 200'005.5);
    CHECK(there.map->lanes[0].id == "2:20");
    CHECK(there.map->lanes[0].ahead == std::vector<std::string>{"2:22"});
    CHECK(there.map->lanes[0].left_neighbour == "2:21");
    CHECK(std::abs(there.map->lanes[0].left[0].x - 200'000) < 1e-3);
    CHECK(there.map->lights[0].faces[0].id == "2:15/r");
    CHECK(there.map->lanes[2].faces[0] == "2:15/r");
    CityMap city;
    city.add(*here.map, "a");
    city.add(*here.map, "b");  // of another case
    city.add(*there.map, "c");
    CHECK(city.counts().lanes == 6);
    CHECK(city.counts().renamed == 0);
    CHECK(test::error_code([&] {
            imported(test::kTrackHeader + "1,1,100,car,50000,0,1,0,0,4,2\n", 0,
                     options);
          }) == Errc::limit_exceeded);
  }

  TEST_CASE("invalid files are refused, naming row and column") {
    CHECK(test::error_code([] { cases_of(""); }) == Errc::unsupported);
    CHECK(test::error_code([] { cases_of("a,b\n1,2\n"); }) == Errc::unsupported);
    CHECK(test::error_code([] { cases_of(std::string(5000, 'x')); }) ==
          Errc::limit_exceeded);
    CHECK(test::error_code([] {
            cases_of(test::kTrackHeader + std::string(5000, '1'));
          }) == Errc::limit_exceeded);
    CHECK(test::error_code([] {
            cases_of(test::small_cases() + "1.0,9,1,100,car,1,2,0,0,0,4,2\n");
          }) == Errc::invalid_metadata);
    CHECK(cases_of(test::kTrackHeader).cases.empty());
    CHECK(code_of("1,1,100,car,1,2,10,0,0,4\n") == Errc::invalid_metadata);
    CHECK(code_of("1,1,100,car,1,2,10,0,0,4,1.8,\n") == Errc::invalid_metadata);
    CHECK(code_of("1,1,100,car,nan,2,10,0,0,4,1.8\n") == Errc::invalid_metadata);
    CHECK(code_of("1,1,100,car,1e8,2,10,0,0,4,1.8\n") == Errc::invalid_metadata);
    CHECK(code_of("1,1,100,car,\"1\",2,10,0,0,4,1.8\n") == Errc::invalid_metadata);
    CHECK(code_of("1,1,1.5,car,1,2,10,0,0,4,1.8\n") == Errc::invalid_metadata);
    CHECK(code_of("1,1,99999999999999999999,car,1,2,10,0,0,4,1.8\n") ==
          Errc::invalid_metadata);
    CHECK(code_of("1,1,100,car,1,2,10,0,0,-4,1.8\n") == Errc::invalid_metadata);
    CHECK(code_of("1,1,100,plane,1,2,10,0,0,4,1.8\n") == Errc::invalid_metadata);
    CHECK(code_of(",1,100,car,1,2,10,0,0,4,1.8\n") == Errc::invalid_metadata);
    const std::string row = "1,1,100,car,1,2,10,0,0,4,1.8\n";
    CHECK(code_of(row) == std::nullopt);
    CHECK(code_of(row + row) == Errc::invalid_metadata);
    CHECK(code_of(row + "1,2,150,car,1,2,10,0,0,4,1.8\n") == Errc::invalid_metadata);
    CHECK(code_of(row + "1,2,200,pedestrian/bicycle,1,2,10,0,0,4,1.8\n") ==
          Errc::invalid_metadata);
    CHECK(code_of(row + "1,2,90000000000,car,1,2,10,0,0,4,1.8\n") ==
          Errc::limit_exceeded);
    try {
      imported(test::kTrackHeader + row + "1,2,200,car,1,x,10,0,0,4,1.8\n");
    } catch (const Error& error) {
      CHECK(std::string_view(error.what()) ==
            "column y: row 2: not a number in its range (found \"x\")");
    }
  }

  TEST_CASE("damaged files are read or refused") {
    const auto whole = test::small_cases();
    std::mt19937 random(5);
    constexpr std::string_view kLikely = "0123456789.-e,\n\r\"x ";
    for (int round = 0; round < 1000; ++round) {
      auto text = whole;
      for (int i = 0; i < 2; ++i) {
        text[random() % text.size()] = kLikely[random() % kLikely.size()];
      }
      const auto code = test::error_code([&] {
        for (std::size_t i = 0; i < cases_of(text).cases.size(); ++i) {
          static_cast<void>(records_of(imported(text, i)));
        }
      });
      const bool is_expected = !code || code == Errc::invalid_metadata ||
                               code == Errc::unsupported ||
                               code == Errc::limit_exceeded;
      REQUIRE(is_expected);
    }
  }
}

}  // namespace interaction_test
