#include "native/convert/scenario_source.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "core/engine/engine.hpp"
#include "core/engine/host_loop.hpp"
#include "native/convert/scenario_conversion.hpp"
#include "tests/support/commonroad.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/interaction.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/nuplan.hpp"
#include "tests/support/nuscenes_files.hpp"
#include "tests/support/object_server.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/waymo.hpp"
#include "tests/support/waymo_files.hpp"

namespace scenario_source_test {

namespace fs = std::filesystem;

using namespace bev;
using namespace bev::native;
using test::MemoryStore;

namespace {

/// Returns a record of a scenario with its own number of agents.
std::string record(int number, int more_tracks = 0) {
  auto scenario = test::small_waymo();
  scenario.id = std::to_string(number);
  for (int i = 0; i < number % 5 + more_tracks; ++i) {
    scenario.tracks.push_back(
        {100 + i, 1, test::states_along(85 + i % 40, i % 13, 0, 4)});
  }
  if (number % 3 == 2) scenario.lane_states.clear();
  return test::tfrecord(test::encoded(scenario));
}

std::string records(int count, int more_tracks = 0) {
  std::string out;
  for (int i = 0; i < count; ++i) out += record(i, more_tracks);
  return out;
}

MemoryStore converted(const std::vector<std::string>& files, bool with_map) {
  ScenarioConversion conversion;
  conversion.files = files;
  conversion.with_map = with_map;
  MemoryStore store;
  convert_scenarios(conversion, store, {});
  return store;
}

MemoryStore converted_logs(const std::vector<std::string>& files,
                           const std::string& maps) {
  ScenarioConversion conversion;
  conversion.format = ScenarioFormat::nuplan;
  conversion.tables = tables_of(conversion.format);
  conversion.mask = convert::MaskRule{convert::Role::fragment};
  conversion.files = files;
  conversion.nuplan.maps = maps;
  conversion.with_map = !maps.empty();
  MemoryStore store;
  convert_scenarios(conversion, store, {});
  return store;
}

ReadOptions reading(const test::TempFolder& folder, bool with_map = false) {
  ReadOptions out;
  out.scenarios.with_map = with_map;
  out.scenarios.index_folder = folder.at("indices");
  return out;
}

/// Checks that a source has every object of a conversion.
void check_equal(native::Source& source, const MemoryStore& expected) {
  for (const auto& one : expected.objects) {
    CAPTURE(one.first);
    const auto found = source.read(one.first, std::nullopt);
    REQUIRE(found.has_value());
    CHECK(*found == one.second);
  }
}

std::string problem(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::size_t indices_in(const test::TempFolder& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.at("indices"))) {
    count += entry.path().filename() == "scenarios.json" ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_SUITE("convert/scenario_source") {
  TEST_CASE("every object is that of a conversion, with and without maps") {
    const test::TempFolder folder;
    const std::vector<std::string> files = {
        folder.write("in/a.tfrecord", records(7, 900)),
        folder.write("in/b.tfrecord", record(7))};
    for (const bool with_map : {false, true}) {
      CAPTURE(with_map);
      const auto expected = converted(files, with_map);
      const auto source = open_source(folder.at("in"), reading(folder, with_map));
      check_equal(*source, expected);
      // The second opening reads the index.
      const auto again = open_source(folder.at("in"), reading(folder, with_map));
      check_equal(*again, expected);
      source->check_unchanged();
    }
    CHECK(indices_in(folder) == 2);
  }

  TEST_CASE("a single scenario is not moved, and options belong to scenarios") {
    const test::TempFolder folder;
    const auto file = folder.write("x.tfrecord", record(1));
    check_equal(*open_source(file, reading(folder, true)), converted({file}, true));
    fs::create_directories(folder.at("empty"));
    CHECK(test::error_code([&] {
            open_source(folder.at("empty"), reading(folder, true));
          }) == Errc::invalid_argument);
  }

  TEST_CASE("the ego vehicle of tracks without one is that of a conversion") {
    const test::TempFolder folder;
    const auto file = folder.write("val/A_val.csv", test::small_cases());
    const auto with_ego = [&](const std::string& id) {
      auto out = reading(folder);
      out.scenarios.ego = id;
      return out;
    };
    for (const std::string ego : {"", "1"}) {
      CAPTURE(ego);
      ScenarioConversion conversion;
      conversion.format = ScenarioFormat::interaction;
      conversion.tables = tables_of(conversion.format);
      conversion.mask = convert::MaskRule{convert::Role::fragment};
      conversion.files = {file};
      conversion.nuplan.ego = ego;
      MemoryStore expected;
      convert_scenarios(conversion, expected, {});
      check_equal(*open_source(file, with_ego(ego)), expected);
      check_equal(*open_source(file, with_ego(ego)), expected);  // of the index
    }
    const auto obstacle = test::xml_scenario(
        test::xml_obstacle(5, test::xml_state("initialState", 0, 4, 6)));
    const auto road = folder.write("a.xml", obstacle);
    CHECK_NOTHROW(open_source(road, with_ego("5")));
    CHECK(test::error_code([&] { open_source(road, with_ego("6")); }) ==
          Errc::not_found);
    CHECK(test::error_code([&] { open_source(file, with_ego("9")); }) ==
          Errc::not_found);
    const auto other = folder.write("x.tfrecord", record(1));
    CHECK(test::error_code([&] { open_source(other, with_ego("1")); }) ==
          Errc::invalid_argument);
    fs::create_directories(folder.at("empty"));
    CHECK(test::error_code([&] { open_source(folder.at("empty"), with_ego("1")); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("logs of nuPlan are read, with the maps that are named") {
    const test::TempFolder folder;
    const auto map = folder.write("maps/us-nv-las-vegas-strip/9.15/map.gpkg",
                                  test::nuplan_map_file());
    const std::vector<std::string> files = {
        folder.write("in/a.db", test::NuplanRows().file()),
        folder.write("in/b.db", test::NuplanRows().file())};
    const auto source = folder.at("in");
    for (const auto& maps : {std::string(), folder.at("maps"), map}) {
      CAPTURE(maps);
      const auto expected = converted_logs(files, maps);
      CHECK(expected.objects.contains("meta.json") == !maps.empty());
      auto options = reading(folder);
      options.scenarios.maps = maps;
      for (int round = 0; round < 2; ++round) {
        check_equal(*open_source(source, options), expected);
      }
    }
    CHECK(indices_in(folder) == 3);
    CHECK(problem([&] {
            open_source(source, reading(folder, true));
          }).find("other files (expected the folder of CITY/*/map.gpkg") !=
          std::string::npos);
  }

  TEST_CASE("a map of nuPlan that changes, and an absent one, are found") {
    const test::TempFolder folder;
    const auto log = folder.write("a.db", test::NuplanRows().file());
    auto options = reading(folder);
    options.scenarios.maps = folder.at("maps");
    CHECK(test::error_code([&] { open_source(log, options); }) == Errc::not_found);
    const auto* const path = "maps/us-nv-las-vegas-strip/9.15/map.gpkg";
    const auto whole = test::nuplan_map_file();
    folder.write(path, whole);
    const auto source = open_source(log, options);
    folder.write(path, whole + std::string(4096, '\0'));
    CHECK(test::error_code([&] { source->check_unchanged(); }) == Errc::changed);
    check_equal(*open_source(log, options), converted_logs({log}, folder.at("maps")));
    CHECK(indices_in(folder) == 1);
    folder.write(path, whole.substr(0, whole.size() / 2));
    CHECK(problem([&] { open_source(log, options); }).find("9.15/map.gpkg: ") !=
          std::string::npos);
    options.scenarios.maps = folder.write("other.gpkg", "no map");
    CHECK(test::error_code([&] { open_source(log, options); }) == Errc::corrupt_chunk);
    const auto waymo = folder.write("x.tfrecord", record(1));
    CHECK(test::error_code([&] { open_source(waymo, options); }) ==
          Errc::invalid_argument);
    CHECK(test::error_code([&] { open_source(folder.at("maps"), options); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("a log of nuPlan at an address is read by ranges") {
    const test::TempFolder folder;
    test::NuplanRows rows;
    const auto boxes = rows.boxes;
    for (int i = 0; i < 3000; ++i) {  // of no scene, after those of all
      rows.boxes.push_back(boxes.back());
      rows.boxes.back()[0] = test::NuplanRows::token('x', 0);
    }
    rows.has_index = true;
    const auto content = rows.file();
    const auto map = folder.write("map.gpkg", test::nuplan_map_file());
    const auto file = folder.write("a.db", content);
    test::ObjectServer server({{"/d/a.db", {content, "ETag: \"1\"\r\n"}}});
    const auto url = server.origin() + "/d/a.db";
    for (const auto& maps : {std::string(), map}) {
      auto options = reading(folder);
      options.scenarios.maps = maps;
      const auto expected = converted_logs({file}, maps);
      server.taken();
      check_equal(*open_source(url, options), expected);
      CHECK(server.taken().bytes < content.size());
      const auto again = open_source(url, options);
      CHECK(server.taken().gets == 0);
      check_equal(*again, expected);
    }
    const auto source = open_source(url, reading(folder));
    server.set("/d/a.db", {test::NuplanRows().file(), "ETag: \"2\"\r\n"});
    CHECK(test::error_code([&] { source->read("agents/0", std::nullopt); }) ==
          Errc::changed);
    CHECK(test::error_code([&] { source->check_unchanged(); }) == Errc::changed);
    server.set("/d/a.db", {"no log", "ETag: \"3\"\r\n"});
    CHECK(problem([&] { open_source(url, reading(folder)); }) ==
          url + ": SQLite file: no SQLite header");
  }

  TEST_CASE("versions of nuScenes are read, with the maps beside them") {
    const test::TempFolder folder;
    const test::NuscenesTables made;
    test::write_nuscenes(folder, made);
    ScenarioConversion conversion;
    conversion.format = ScenarioFormat::nuscenes;
    conversion.tables = tables_of(conversion.format);
    conversion.mask = convert::MaskRule{convert::Role::fragment};
    conversion.files = find_scenarios(conversion.format, {folder.at("n")});
    CHECK(conversion.files == std::vector<std::string>{folder.at("n/v1.0-mini")});
    for (const bool with_map : {false, true}) {
      CAPTURE(with_map);
      conversion.with_map = with_map;
      MemoryStore expected;
      convert_scenarios(conversion, expected, {});
      CHECK(expected.objects.contains("semantic_map/semantic_map.pb") == with_map);
      for (int round = 0; round < 2; ++round) {
        check_equal(*open_source(folder.at("n"), reading(folder, with_map)), expected);
      }
      check_equal(*open_source(folder.at("n/v1.0-mini"), reading(folder, with_map)),
                  expected);
    }
    const auto source = open_source(folder.at("n"), reading(folder));
    folder.write("n/v1.0-mini/log.json", "[]");
    CHECK(test::error_code([&] { source->read("agents/0", std::nullopt); }) ==
          Errc::changed);
    CHECK(problem([&] {
            open_source(folder.at("n"), reading(folder));
          }).ends_with("v1.0-mini: scene.json: record 0: log_token: not in table log"));
    folder.write("n/v1.0-mini/log.json", made.tables.at("log").dump() + "x");
    CHECK(test::error_code([&] { open_source(folder.at("n"), reading(folder)); }) ==
          Errc::invalid_metadata);
  }

  TEST_CASE("ranges of objects are parts of them") {
    const test::TempFolder folder;
    const auto file = folder.write("x.tfrecord", records(3));
    const auto source = open_source(file, reading(folder));
    for (const char* key : {"agents/0", "frames/0"}) {
      const auto whole = source->read(key, std::nullopt);
      REQUIRE(whole.has_value());
      CHECK(source->read(key, ByteRange{3, 10}) ==
            std::vector<std::byte>(whole->begin() + 3, whole->begin() + 10));
      CHECK(source->read(key, ByteRange{whole->size(), whole->size() + 5})->empty());
      CHECK(source->size(key) == whole->size());
    }
    CHECK(!source->read("agents/1", std::nullopt).has_value());
    CHECK(source->version("agents/1") == "absent");
    CHECK(source->version("agents/0") != "absent");
    bool lists_chunk = false;
    const auto listed = source->list("agents/");
    for (const auto& one : *listed) {
      lists_chunk |= one.key == "agents/0" && one.size == 0;
    }
    CHECK(lists_chunk);
  }

  TEST_CASE("an array of scenarios is found by its path") {
    const test::TempFolder folder;
    const auto file = folder.write("in/x.tfrecord", records(2));
    const auto options = reading(folder);
    CHECK(find_array(file + "/agents", options).array == "agents");
    CHECK(find_array(folder.at("in/frames"), options).array == "frames");
    CHECK(find_array(folder.at("in/frames"), options).dataset == folder.at("in"));
    CHECK(test::error_code([&] { find_array(file + "/absent", options); }) ==
          Errc::not_found);
  }

  TEST_CASE("a file that changed has a new index, and none is left of the old one") {
    const test::TempFolder folder;
    const auto file = folder.write("x.tfrecord", records(3));
    const auto source = open_source(file, reading(folder));
    CHECK(source->read("scenes/0", std::nullopt).has_value());
    folder.write("x.tfrecord", records(4));
    CHECK(test::error_code([&] { source->read("agents/0", std::nullopt); }) ==
          Errc::changed);
    CHECK(test::error_code([&] { source->check_unchanged(); }) == Errc::changed);
    check_equal(*open_source(file, reading(folder)), converted({file}, false));
    CHECK(indices_in(folder) == 1);
    fs::remove(file);
    folder.write("other.tfrecord", "");
    CHECK(test::error_code([&] { open_source(file, reading(folder)); }) ==
          Errc::not_found);
  }

  TEST_CASE("a damaged record is an error that names it, and leaves no index") {
    const test::TempFolder folder;
    auto content = records(4);
    content[record(0).size() + 40] ^= 1;
    const auto file = folder.write("x.tfrecord", content);
    CHECK(problem([&] { open_source(file, reading(folder)); }) ==
          file + ": record at byte " + std::to_string(record(0).size()) +
              ": wrong checksum of the content");
    CHECK(fs::is_empty(folder.at("indices")));
    CHECK(test::error_code([&] {
            open_source(folder.write("y.tfrecord", ""), reading(folder));
          }) == Errc::not_found);
  }

  TEST_CASE("damage that keeps size and time is found when it is read") {
    const test::TempFolder folder;
    auto content = records(4);
    const auto file = folder.write("x.tfrecord", content);
    const auto source = open_source(file, reading(folder));
    const auto time = fs::last_write_time(file);
    content[content.size() - 40] ^= 1;
    folder.write("x.tfrecord", content);
    fs::last_write_time(file, time);
    CHECK(test::error_code([&] { source->read("agents/0", std::nullopt); }) ==
          Errc::corrupt_chunk);
  }

  TEST_CASE("a damaged index is written anew") {
    const test::TempFolder folder;
    const auto file = folder.write("x.tfrecord", records(3));
    const auto place = open_source(file, reading(folder))->beside();
    REQUIRE(place.has_value());
    const auto path = *place + "/.bevscope/scenarios.json";
    const auto whole = test::file_text(path);
    const auto expected = converted({file}, false);
    std::vector<std::string> damaged = {"", "{}", "[]", "{\"digest\":1}",
                                        whole.substr(0, whole.size() / 2)};
    for (std::size_t i = 0; i < whole.size(); i += 7) {
      damaged.push_back(whole);
      damaged.back()[i] ^= static_cast<char>(1U << (i % 7));
    }
    for (const auto& text : damaged) {
      CAPTURE(text);
      std::ofstream(path) << text;
      check_equal(*open_source(file, reading(folder)), expected);
      CHECK(test::file_text(path) == whole);
    }
  }

  TEST_CASE("an index that is removed is not a data set without chunks") {
    const test::TempFolder folder;
    const auto source =
        open_source(folder.write("x.tfrecord", records(3)), reading(folder));
    fs::remove_all(folder.at("indices"));
    CHECK(test::error_code([&] { source->read("frames/0", std::nullopt); }) ==
          Errc::changed);
    CHECK(source->read("agents/0", std::nullopt).has_value());
    CHECK(!source->read(".bevscope/facts.zip", std::nullopt).has_value());
  }

  TEST_CASE("two openings at once share one index, and both read") {
    const test::TempFolder folder;
    const auto file = folder.write("x.tfrecord", records(40));
    const auto expected = converted({file}, true);
    std::vector<std::string> problems(4);
    std::vector<std::thread> threads;
    for (auto& one : problems) {
      threads.emplace_back([&] {
        one = problem([&] {
          const auto source = open_source(file, reading(folder, true));
          for (const auto& [key, bytes] : expected.objects) {
            if (source->read(key, std::nullopt) != bytes) fail(Errc::internal, {key});
          }
        });
      });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& one : problems) CHECK(one == "");
    CHECK(indices_in(folder) == 1);
  }

  TEST_CASE("without a folder for indices, nothing is left") {
    const test::TempFolder folder;
    const auto file = folder.write("x.tfrecord", records(3));
    auto options = reading(folder);
    options.scenarios.index_folder = folder.write("file", "") + "/indices";
    const auto source = open_source(file, options);
    CHECK(source->beside() == "");
    check_equal(*source, converted({file}, false));
  }

  TEST_CASE("a file at an address is read by ranges, and bound to its ETag") {
    const test::TempFolder folder;
    const auto content = records(9, 50);
    const auto file = folder.write("x.tfrecord", content);
    const auto expected = converted({file}, true);
    test::ObjectServer server({{"/d/x.tfrecord", {content, "ETag: \"1\"\r\n"}}});
    const auto url = server.origin() + "/d/x.tfrecord";
    const auto first = open_source(url, reading(folder, true));
    CHECK(server.taken().gets == 19);  // the size, head and content of each record
    check_equal(*first, expected);
    const auto reread = server.taken();
    CHECK(reread.bytes <= content.size() + 1000);
    const auto again = open_source(url, reading(folder, true));
    CHECK(server.taken().gets == 0);
    check_equal(*again, expected);
    CHECK(indices_in(folder) == 1);
    server.set("/d/x.tfrecord", {records(2), "ETag: \"2\"\r\n"});
    CHECK(test::error_code([&] { again->check_unchanged(); }) == Errc::changed);
    check_equal(*open_source(url, reading(folder, true)),
                converted({folder.write("x.tfrecord", records(2))}, true));
  }

  TEST_CASE("an address without a state has no lasting index") {
    const test::TempFolder folder;
    const auto content = records(3);
    const auto file = folder.write("x.tfrecord", content);
    test::ObjectServer server({{"/x.tfrecord", {content, ""}}});
    const auto source = open_source(server.origin() + "/x.tfrecord", reading(folder));
    check_equal(*source, converted({file}, false));
    CHECK(source->beside() == "");
  }

  TEST_CASE("engines read it as any data set") {
    const test::TempFolder folder;
    const auto file = folder.write("x.tfrecord", records(6));
    const auto source = open_source(file, reading(folder));
    Engine engine(Engine::kByteBudget, source->missing());
    const auto opened = engine.open();
    run(engine, *opened, *source);
    opened->build();
    const auto frame = engine.frame(3, 2);
    run(engine, *frame, *source);
    CHECK(!frame->build().empty());
  }

  TEST_CASE("Waymo's own file is read as it is converted") {
    BEV_REQUIRE_WAYMO();
    const test::TempFolder folder;
    const auto file =
        test::waymo_files() + "/testdata/motion_data_one_scenario.tfrecord";
    for (const bool with_map : {false, true}) {
      check_equal(*open_source(file, reading(folder, with_map)),
                  converted({file}, with_map));
    }
  }
}

}  // namespace scenario_source_test
