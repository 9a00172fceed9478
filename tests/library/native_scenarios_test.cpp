#include <doctest/doctest.h>

#include <atomic>
#include <bevscope/convert.hpp>
#include <bevscope/error.hpp>
#include <bevscope/native.hpp>
#include <map>

#include "tests/support/argoverse2.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/nuscenes_files.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/waymo.hpp"

namespace native_scenarios_test {

using namespace bev;

namespace {

using Objects = std::map<std::string, std::vector<std::byte>, std::less<>>;

Argoverse2Files columns_of(const test::Argoverse2Rows& rows) {
  Argoverse2Files files;
  for (const auto& [name, text] : rows.texts) {
    files.columns.push_back({name, TextValues{text.offsets, text.bytes}});
  }
  for (const auto& [name, values] : rows.integers) {
    files.columns.push_back({name, std::span<const std::int64_t>(values)});
  }
  for (const auto& [name, values] : rows.numbers) {
    files.columns.push_back({name, std::span<const double>(values)});
  }
  return files;
}

/// Reads the made-up scenario of Argoverse 2.
Scenario own_scenario(bool with_map) {
  const auto rows = test::small_scenario();
  const std::string map = test::map_json({test::lane_json(1, 0, 0)}).dump();
  auto files = columns_of(rows);
  if (with_map) files.map_json = map;
  return Argoverse2Importer().read(files);
}

ScenarioOptions options_in(const test::TempFolder& folder, bool with_map) {
  ScenarioOptions options;
  options.with_map = with_map;
  options.index_folder = folder.at("indices");
  return options;
}

}  // namespace

TEST_SUITE("library/native_scenarios") {
  TEST_CASE("versions of nuScenes are opened as they are converted") {
    const test::TempFolder folder;
    const auto version = test::write_nuscenes(folder);
    for (const bool with_map : {false, true}) {
      Objects expected;
      ScenarioWriter writer(
          [&](std::string_view key, std::span<const std::byte> bytes) {
            expected[std::string(key)].assign(bytes.begin(), bytes.end());
          },
          "all", "nuscenes");
      NuscenesVersions versions(find_scenarios("nuscenes", {folder.at("n")}));
      REQUIRE(versions.scene_count(0) == 2);
      CHECK(versions.read(0, 0).city() == "boston-seaport");
      for (std::size_t i = 0; i < 2; ++i) writer.add(versions.read(0, i, with_map));
      writer.close();
      const auto source = open_scenarios(version, options_in(folder, with_map));
      for (const auto& one : expected) {
        CAPTURE(one.first);
        CHECK(source->read(one.first, std::nullopt) == one.second);
      }
    }
  }

  TEST_CASE("versions, scenes, maps and tables that are absent are errors") {
    const test::TempFolder folder;
    const auto version = test::write_nuscenes(folder);
    NuscenesVersions versions({version}, folder.at("elsewhere"));
    CHECK(test::error_code([&] { versions.scene_count(1); }) == Errc::out_of_range);
    CHECK(test::error_code([&] { versions.read(0, 2); }) == Errc::out_of_range);
    CHECK(versions.read(0, 1).frame_count() == 3);
    CHECK(test::error_code([&] { versions.read(0, 1, true); }) == Errc::not_found);
    CHECK(test::error_code([] { NuscenesVersions({}, "", "{"); }) ==
          Errc::invalid_argument);
    NuscenesVersions absent({folder.at("absent")});
    CHECK(test::error_code([&] { absent.scene_count(0); }) == Errc::not_found);
  }

  TEST_CASE("a program's scenarios are the objects of their conversion") {
    const test::TempFolder folder;
    for (const bool with_map : {false, true}) {
      Objects expected;
      ScenarioWriter writer(
          [&](std::string_view key, std::span<const std::byte> bytes) {
            expected[std::string(key)].assign(bytes.begin(), bytes.end());
          });
      for (int i = 0; i < 3; ++i) writer.add(own_scenario(with_map));
      writer.close();
      std::atomic<int> reads = 0;
      OwnScenarios own;
      own.names = {"a", "b", "c"};
      std::string state = "1";
      own.state = [&](std::size_t i) { return i == 1 ? state : "1"; };
      own.read = [&](std::size_t, bool is_map) {
        ++reads;
        return own_scenario(is_map);
      };
      const auto source = open_scenarios(own, options_in(folder, with_map));
      for (const auto& one : expected) {
        CAPTURE(one.first);
        CHECK(source->read(one.first, std::nullopt) == one.second);
      }
      reads = 0;
      CHECK(open_scenarios(own, options_in(folder, with_map))->read("frames/0", {}) ==
            expected["frames/0"]);
      CHECK(reads == 0);  // of the index
      state = "2";
      CHECK(test::error_code([&] { source->check_unchanged(); }) == Errc::changed);
      const auto again = open_scenarios(own, options_in(folder, with_map));
      CHECK(reads == 3);
      state = "3";
      CHECK(test::error_code([&] { again->read("agents/0", std::nullopt); }) ==
            Errc::changed);
    }
  }

  TEST_CASE("the map of many scenarios is read in parts") {
    const test::TempFolder folder;
    std::string records;
    for (int i = 0; i < 3; ++i) {
      auto scenario = test::small_waymo();
      scenario.id = std::to_string(i);
      records += test::tfrecord(test::encoded(scenario));
    }
    const auto source =
        open_scenarios(folder.write("x.tfrecord", records), options_in(folder, true));
    const auto* const native = dynamic_cast<const NativeSource*>(source.get());
    REQUIRE(native != nullptr);
    const auto at = *native->beside();
    const auto path = at + "/semantic_map/semantic_map.pb";
    const auto map = read_map(path, at + "/meta.json");
    REQUIRE(map->part_count() == 3);
    Dataset dataset(source);
    std::size_t lanes = 0;
    for (std::size_t scene = 0; scene < 3; ++scene) {
      const auto ego = dataset.frame(scene, 0).ego.centroid;
      const auto index = map->find_part(ego[0], ego[1]);
      REQUIRE(index == scene);
      const auto part = map->part(*index);
      CHECK(part.part_count() == 0);
      CHECK(part.lane_count() > 0);
      CHECK(part.lane(0).id.starts_with(std::to_string(scene) + ":"));
      CHECK(part.lane(0).left.points[0] == map->lane(lanes).left.points[0]);
      lanes += part.lane_count();
    }
    CHECK(map->lane_count() == lanes);
    CHECK(!map->find_part(1e7, 0));
    CHECK(test::error_code([&] { map->part(3); }) == Errc::out_of_range);
    CHECK(test::error_code([&] { map->part(0).part(0); }) == Errc::out_of_range);
    CHECK(test::error_code([&] { read_map(path + "x", at + "/meta.json"); }) ==
          Errc::not_found);
  }

  TEST_CASE("a file is opened by its path, with rows and map") {
    const test::TempFolder folder;
    const auto file =
        folder.write("x.tfrecord", test::tfrecord(test::encoded(test::small_waymo())));
    CHECK(scenario_format(file) == "waymo");
    CHECK(!scenario_format(folder.at("absent")).has_value());
    const auto source = open_scenarios(file, options_in(folder, true));
    Dataset dataset(source);
    CHECK(dataset.agent_count() == 9);
    const auto map = source->read("semantic_map/semantic_map.pb", std::nullopt);
    const auto meta = source->read("meta.json", std::nullopt);
    REQUIRE(map.has_value());
    REQUIRE(meta.has_value());
    const SemanticMap lanes(
        *map, {reinterpret_cast<const char*>(meta->data()), meta->size()});
    const auto* const native = dynamic_cast<const NativeSource*>(source.get());
    REQUIRE(native != nullptr);
    CHECK(native->beside()->starts_with(folder.at("indices")));
  }

  TEST_CASE("what is not scenarios is refused") {
    const test::TempFolder folder;
    CHECK(test::error_code([&] { open_scenarios(folder.at("absent")); }) ==
          Errc::not_found);
    CHECK(test::error_code([&] { open_scenarios(OwnScenarios{}); }) ==
          Errc::invalid_argument);
    OwnScenarios own;
    own.names = {"a"};
    own.state = [](std::size_t) { return std::string(); };
    own.read = [](std::size_t, bool is_map) { return own_scenario(is_map); };
    const auto unknown = open_scenarios(own, options_in(folder, false));
    CHECK(dynamic_cast<const NativeSource&>(*unknown).beside() == "");
    own.format = "zarr";
    CHECK(test::error_code([&] { open_scenarios(own, options_in(folder, false)); }) ==
          Errc::invalid_argument);
  }
}

}  // namespace native_scenarios_test
