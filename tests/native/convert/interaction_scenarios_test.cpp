#include "native/convert/interaction_scenarios.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/engine/engine.hpp"
#include "core/engine/host_loop.hpp"
#include "native/convert/scenario_conversion.hpp"
#include "native/convert/scenario_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/interaction.hpp"
#include "tests/support/lanelet2.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/object_server.hpp"
#include "tests/support/temp_folder.hpp"

namespace interaction_scenarios_test {

namespace fs = std::filesystem;

using namespace bev;
using namespace bev::native;
using test::TempFolder;

namespace {

/// A folder as of the data set: recordings and a file of the challenge, of two locations.
void write_all(const TempFolder& folder) {
  folder.write("maps/A.osm", test::small_lanelet2().text());
  folder.write("maps/A_B.osm", test::small_lanelet2().text());
  folder.write("recorded_trackfiles/A/vehicle_tracks_000.csv", test::small_tracks());
  folder.write("recorded_trackfiles/A/pedestrian_tracks_000.csv",
               test::small_pedestrians());
  folder.write("val/A_B_val.csv", test::small_cases());
}

InteractionScenarios scenarios(const std::vector<std::string>& paths,
                               NuplanSettings settings = {}) {
  return {paths, convert::interaction_tables(), std::move(settings)};
}

}  // namespace

TEST_SUITE("convert/interaction_scenarios") {
  TEST_CASE("track files are found by their columns, pedestrians with their vehicles") {
    const TempFolder folder;
    write_all(folder);
    folder.write("val/notes.csv", "a,b\n1,2\n");
    CHECK(scenario_format(folder.at(".")) == ScenarioFormat::interaction);
    CHECK(scenario_format(folder.at("val/A_B_val.csv")) == ScenarioFormat::interaction);
    CHECK(!scenario_format(folder.at("val/notes.csv")));
    CHECK(!scenario_format(folder.at("maps")));
    const auto found = find_scenarios(ScenarioFormat::interaction, {folder.at(".")});
    REQUIRE(found.size() == 2);
    CHECK(found[0].ends_with("vehicle_tracks_000.csv"));
    CHECK(found[1].ends_with("A_B_val.csv"));
    const auto walkers = folder.at("recorded_trackfiles/A/pedestrian_tracks_000.csv");
    CHECK(find_scenarios(ScenarioFormat::interaction, {walkers}).size() == 1);
    CHECK(scenario_format_of_address("https://a/b/A_val.csv?c") ==
          ScenarioFormat::interaction);
  }

  TEST_CASE("a scene is a recording with its pedestrians, or a case") {
    const TempFolder folder;
    write_all(folder);
    auto files = scenarios({folder.at("recorded_trackfiles/A/vehicle_tracks_000.csv"),
                            folder.at("val/A_B_val.csv")});
    const auto items = files.find();
    REQUIRE(items.size() == 3);
    const auto recording = files.read(items[0], {false, {}});
    CHECK(recording.tracks.size() == 4);
    CHECK(recording.host == "A");
    CHECK(recording.file == "vehicle_tracks_000.csv");
    const auto second = files.read(items[2], {false, {}});
    CHECK(second.id == "A_B_val_2");
    CHECK(second.record == 1);
    CHECK(second.states.position[0] == std::array<double, 2>{20, 2});
  }

  TEST_CASE("maps are found by name; those of several locations are moved") {
    const TempFolder folder;
    write_all(folder);
    const auto recorded = folder.at("recorded_trackfiles/A/vehicle_tracks_000.csv");
    const auto challenge = folder.at("val/A_B_val.csv");
    auto both = scenarios({recorded, challenge});
    auto items = both.find();
    CHECK(both.read(items[0], {true, 0}).map->lanes[0].id == "20");
    const auto moved = both.read(items[1], {true, 1});
    CHECK(moved.map->lanes[0].id == "1:20");
    CHECK(moved.host == "A_B");
    const auto rows = both.read(items[1], {false, 1});  // as of chunks
    CHECK(!rows.map);
    CHECK(rows.states.position == moved.states.position);
    auto alone = scenarios({challenge});
    CHECK(alone.read(alone.find()[0], {true, {}}).map->lanes[0].id == "20");
    auto named = scenarios({challenge}, {folder.at("maps/A.osm")});
    CHECK(named.read(named.find()[0], {true, {}}).host == "A");
    fs::remove(folder.at("maps/A.osm"));
    auto absent = scenarios({recorded});
    CHECK(test::error_code([&] {
            absent.read(absent.find()[0], {true, {}});
          }) == Errc::not_found);
    folder.write("maps/A.osm", "<osm/>");
    CHECK(test::error_code([&] {
            auto broken = scenarios({recorded});
            broken.read(broken.find()[0], {true, {}});
          }) == Errc::unsupported);
  }

  TEST_CASE("states tell when tracks, pedestrians or the map change") {
    const TempFolder folder;
    write_all(folder);
    auto files = scenarios({folder.at("recorded_trackfiles/A/vehicle_tracks_000.csv")});
    const auto items = files.find();
    const auto before = files.states();
    files.expect(before);
    CHECK(files.states() == before);
    CHECK(files.read(items[0], {false, {}}).tracks.size() == 4);
    folder.write("recorded_trackfiles/A/pedestrian_tracks_000.csv",
                 test::small_pedestrians() + "\n\n");
    CHECK(files.states() != before);
    CHECK(test::error_code([&] {
            files.read(items[0], {false, {}});
          }) == Errc::changed);
    auto gone = scenarios({folder.at("none.csv")});
    CHECK(test::error_code([&] { gone.states(); }) == Errc::not_found);
    CHECK(test::error_code([&] { gone.find(); }) == Errc::not_found);
  }

  TEST_CASE("scenarios that are opened are those of the conversion, byte by byte") {
    const TempFolder folder;
    write_all(folder);
    for (const bool with_map : {false, true}) {
      ScenarioConversion conversion;
      conversion.format = ScenarioFormat::interaction;
      conversion.files = find_scenarios(conversion.format, {folder.at(".")});
      conversion.tables = tables_of(conversion.format);
      conversion.mask = convert::MaskRule{convert::Role::fragment};
      conversion.with_map = with_map;
      test::MemoryStore store;
      convert_scenarios(conversion, store, {});
      ReadOptions options;
      options.scenarios.with_map = with_map;
      options.scenarios.index_folder = folder.at("index");
      const auto source = open_scenarios(folder.at("."), options);
      REQUIRE(source);
      std::size_t count = 0;
      for (const auto& one : store.objects) {
        CAPTURE(one.first);
        CHECK(source->read(one.first, std::nullopt) == one.second);
        ++count;
      }
      CHECK(count > 10);
    }
  }

  TEST_CASE("a file at an address is read by ranges, with its pedestrians") {
    const std::string tag = "ETag: \"1\"\r\n";
    test::ObjectServer server(
        {{"/d/A/vehicle_tracks_000.csv", {test::small_tracks(), tag}},
         {"/d/A/pedestrian_tracks_000.csv", {test::small_pedestrians(), tag}},
         {"/d/val/A_B_val.csv", {test::small_cases(), tag}}});
    const TempFolder folder;
    ReadOptions options;
    options.scenarios.index_folder = folder.at("index");
    const auto recording =
        open_scenarios(server.origin() + "/d/A/vehicle_tracks_000.csv", options);
    REQUIRE(recording);
    write_all(folder);
    const auto local = open_scenarios(
        folder.at("recorded_trackfiles/A/vehicle_tracks_000.csv"), options);
    for (const char* key : {".zattrs", "agents/0", "frames/0", "agents_mask/0.5/0.0"}) {
      CAPTURE(key);
      CHECK(recording->read(key, std::nullopt) == local->read(key, std::nullopt));
    }
    options.scenarios.with_map = true;
    CHECK(test::error_code([&] {
            open_scenarios(server.origin() + "/d/val/A_B_val.csv", options);
          }) == Errc::not_found);
  }
}

}  // namespace interaction_scenarios_test
