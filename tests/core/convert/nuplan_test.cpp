#include "core/convert/nuplan.hpp"

#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "core/convert/city_map.hpp"
#include "core/convert/scenario_records.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/nuplan.hpp"

using namespace bev;
using namespace bev::convert;

namespace {

/// A log in memory, open.
struct OpenLog {
  explicit OpenLog(const std::string& bytes)
      : file(bytes), pages(test::reader_of(file), file.size()), log(pages) {
    log.open();
  }

  std::string file;
  sqlite::Pages pages;
  nuplan::Log log;
};

Scenario imported(const test::NuplanRows& rows, std::size_t scene = 0,
                  const NuplanOptions& options = {}) {
  OpenLog open(rows.file());
  return import_nuplan(open.log, scene, nuplan_tables(), options);
}

NuplanMap map_of(const std::string& bytes) {
  sqlite::Pages pages(test::reader_of(bytes), bytes.size());
  return {sqlite::Database(pages), 32611, nuplan_tables()};
}

std::optional<Errc> refusal(const test::NuplanRows& rows) {
  return test::error_code([&] { imported(rows); });
}

}  // namespace

TEST_SUITE("convert/nuplan") {
  TEST_CASE("scenes are listed, by their first sweep") {
    test::NuplanRows rows;
    std::reverse(rows.sweeps.begin(), rows.sweeps.end());
    OpenLog open(rows.file());
    const auto scenes = nuplan_scenes(open.log);
    REQUIRE(scenes.size() == 2);
    CHECK(scenes[0].name == "scene-1");
    CHECK(scenes[1].frames == 2);
    CHECK(scenes[0].start_ns == 1'620'000'000'000'000'000);
    CHECK(nuplan_scenes(open.log, {.all_sweeps = true})[1].frames == 4);
  }

  TEST_CASE("a scene has every second sweep, or all") {
    const auto half = imported({}, 1);
    CHECK(half.times_ns == std::vector<std::int64_t>{1'620'000'000'200'000'000,
                                                     1'620'000'000'300'000'000});
    CHECK(half.states.size() == 4);
    CHECK(imported({}, 1, {.all_sweeps = true}).times_ns.size() == 4);
  }

  TEST_CASE("positions are UTM from the city's origin, tokens are numbers") {
    const auto scenario = imported({});
    const auto json = nlohmann::json::parse(scenario.attributes);
    const double dx = json["moved_by"][0], dy = json["moved_by"][1];
    CHECK(dx == std::floor(dx));
    CHECK(scenario.ego[1].position == geom::Vec3{664'434 + dx, 3'998'249 + dy, 600});
    CHECK(scenario.states.position[0] ==
          std::array<double, 2>{664'440.5 + dx, 3'998'250.25 + dy});
    CHECK(scenario.states.extent[0] == std::array<float, 3>{4, 2, 1.5});
    REQUIRE(scenario.tracks.size() == 2);
    CHECK(scenario.tracks[0].track_id == 0x7474747474747430);
    CHECK(scenario.tracks[1].object_type == "pedestrian");
    CHECK(json["tags"] == nlohmann::json{{"stopping", {1}}});
    CHECK(json["roadblock_ids"] == "1 2");
  }

  TEST_CASE("rows are the same however they are found") {
    test::NuplanRows rows;
    const auto expected = imported(rows).states;
    rows.has_index = true;
    CHECK(imported(rows).states.position == expected.position);
    rows.has_index = false;
    std::rotate(rows.boxes.begin(), rows.boxes.begin() + 5, rows.boxes.end());
    std::rotate(rows.poses.begin(), rows.poses.begin() + 3, rows.poses.end());
    const auto turned = imported(rows).states;
    CHECK(turned.position == expected.position);
    CHECK(turned.step == expected.step);
  }

  TEST_CASE("a light has a face of each colour") {
    const auto scenario = imported({});
    REQUIRE(scenario.faces.size() == 2);
    REQUIRE(scenario.faces[0].size() == 3);
    CHECK(scenario.faces[0][2].face_id == "100/g");
    CHECK(scenario.faces[0][2].traffic_light_face_status ==
          std::array<float, 3>{1, 0, 0});
    CHECK(scenario.faces[0][0].traffic_light_face_status ==
          std::array<float, 3>{0, 1, 0});
  }

  TEST_CASE("absent poses repeat the nearest one") {
    test::NuplanRows rows;
    rows.poses.erase(rows.poses.begin() + 2);
    const auto scenario = imported(rows);
    CHECK(scenario.repeated_ego_poses == 1);
    CHECK(scenario.ego[1].position == scenario.ego[0].position);
  }

  TEST_CASE("lanes, connectors and crosswalks become a map") {
    const auto map = map_of(test::nuplan_map_file());
    const auto scenario = imported({}, 0, {.map = &map});
    REQUIRE(scenario.map);
    REQUIRE(scenario.map->lanes.size() == 4);
    const auto& right = scenario.map->lanes[1];
    CHECK(right.id == "11");
    CHECK(right.left.front().x < right.left.back().x);
    CHECK(right.left_divider == map::Divider::single_white_dashed);
    CHECK(right.left_neighbour == "10");
    CHECK(right.can_cross_left);
    CHECK(right.ahead == std::vector<std::string>{"c100"});
    const auto& connector = scenario.map->lanes[3];
    CHECK(connector.in_junction);
    CHECK(connector.ahead == std::vector<std::string>{"12"});
    CHECK(connector.faces.size() == 3);
    CHECK(scenario.map->crosswalks.size() == 1);
    CHECK(scenario.map->lost.at("lane side from width") == 2);
    CityMap city;
    city.add(*scenario.map, "a");
    CHECK(!city.semantic_map().empty());
  }

  TEST_CASE("an unknown city has an origin of its own, but no map") {
    test::NuplanRows rows;
    rows.location = "atlantis";
    const auto json = nlohmann::json::parse(imported(rows).attributes);
    CHECK(json["moved_by"] == nlohmann::json{-664'000.0, -3'998'000.0});
    const auto map = map_of(test::nuplan_map_file());
    CHECK(test::error_code([&] { imported(rows, 0, {.map = &map}); }) ==
          Errc::not_found);
  }

  TEST_CASE("what is not a log is refused") {
    test::NuplanRows rows;
    rows.boxes[1][1] = rows.boxes[0][1];  // a track twice
    CHECK(refusal(rows) == Errc::invalid_metadata);
    rows = {};
    rows.tracks.pop_back();
    CHECK(refusal(rows) == Errc::invalid_metadata);
    rows = {};
    rows.boxes[0][2] = std::string("x");
    CHECK(refusal(rows) == Errc::invalid_metadata);
    rows = {};
    rows.poses[0][9] = std::int64_t{4326};
    CHECK(refusal(rows) == Errc::unsupported);
    rows = {};
    rows.sweeps[1][3] = rows.sweeps[0][3];
    CHECK(refusal(rows) == Errc::invalid_metadata);
    rows = {};
    rows.poses.clear();
    CHECK(refusal(rows) == Errc::invalid_metadata);
    CHECK(test::error_code([] { imported({}, 2); }) == Errc::out_of_range);
  }

  TEST_CASE("a log is read piece by piece") {
    const auto file = test::NuplanRows().file();
    const auto read = test::reader_of(file);
    std::optional<sqlite::Missing> given;
    sqlite::Pages pages(
        [&](std::uint64_t at, std::span<std::byte> out) {
          const bool has =
              at == 0 || (given && given->offset == at && given->size == out.size());
          if (!has) throw sqlite::Missing{at, out.size()};
          return read(at, out);
        },
        file.size());
    nuplan::Log log(pages);
    std::optional<Scenario> scenario;
    int rounds = 0;
    while (!scenario) {
      REQUIRE(++rounds < 100);
      try {
        log.open();
        scenario = import_nuplan(log, 0, nuplan_tables());
      } catch (const sqlite::Missing& missing) {
        given = missing;
      }
    }
    CHECK(scenario->states.position == imported({}).states.position);
  }

  TEST_CASE("a map is read piece by piece, each row once") {
    const auto file = test::nuplan_map_file();
    const auto read = test::reader_of(file);
    std::optional<sqlite::Missing> given;
    std::uint64_t bytes = 0;
    sqlite::Pages pages(
        [&](std::uint64_t at, std::span<std::byte> out) {
          const bool has =
              at == 0 || (given && given->offset == at && given->size == out.size());
          if (!has) throw sqlite::Missing{at, out.size()};
          bytes += out.size();
          return read(at, out);
        },
        file.size(), {.max_cached = 0, .max_read = 0});
    std::optional<sqlite::Database> database;
    std::optional<NuplanMapReader> reader;
    std::optional<NuplanMap> map;
    int rounds = 0;
    while (!map) {
      REQUIRE(++rounds < 100);
      try {
        if (!database) database.emplace(pages);
        if (!reader) reader.emplace(*database, 32611, nuplan_tables());
        map.emplace(reader->read());
      } catch (const sqlite::Missing& missing) {
        given = missing;
      }
    }
    CHECK(rounds > 1);
    CHECK(bytes <= 2 * file.size());
    const auto whole = map_of(file);
    const auto found = imported({}, 0, {.map = &*map}).map.value();
    const auto expected = imported({}, 0, {.map = &whole}).map.value();
    CityMap pieces, once;
    pieces.add(found, "a");
    once.add(expected, "a");
    CHECK(pieces.semantic_map() == once.semantic_map());
    CHECK(found.lost == expected.lost);
  }

  TEST_CASE("damaged logs and maps are read or refused") {
    std::mt19937 random(11);
    std::map<std::optional<Errc>, int> codes;
    test::NuplanRows rows;
    for (int round = 0; round < 600; ++round) {
      rows.has_index = round % 2 == 0;
      auto file = round % 3 == 0 ? test::nuplan_map_file() : rows.file();
      for (int i = 0; i < 4; ++i) {
        file[100 + random() % (file.size() - 100)] = static_cast<char>(random());
      }
      ++codes[test::error_code([&] {
        if (round % 3 == 0) {
          const auto map = map_of(file);
          CityMap city;
          city.add(imported({}, 0, {.map = &map}).map.value(), "a");
          static_cast<void>(city.semantic_map());
          return;
        }
        OpenLog open(file);
        const auto scenario = import_nuplan(open.log, 0, nuplan_tables());
        static_cast<void>(records_of(scenario));
      })];
    }
    for (const auto& [code, count] : codes) {
      const bool is_expected =
          !code || *code == Errc::corrupt_chunk || *code == Errc::unsupported ||
          *code == Errc::invalid_metadata || *code == Errc::limit_exceeded ||
          *code == Errc::not_found || *code == Errc::out_of_range;
      CHECK(is_expected);
      CHECK(count > 0);
    }
  }
}
