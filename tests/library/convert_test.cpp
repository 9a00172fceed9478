#include <doctest/doctest.h>

#include <algorithm>
#include <bevscope/convert.hpp>
#include <bevscope/error.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/argoverse2.hpp"
#include "tests/support/commonroad.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/waymo.hpp"

namespace convert_test {

using namespace bev;

namespace {

using Objects = std::map<std::string, std::vector<std::byte>, std::less<>>;

ScenarioWriter::Write into(Objects& objects) {
  return [&](std::string_view key, std::span<const std::byte> bytes) {
    objects[std::string(key)].assign(bytes.begin(), bytes.end());
  };
}

Argoverse2Files files_of(const test::Argoverse2Rows& rows) {
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

}  // namespace

TEST_SUITE("library/convert") {
  TEST_CASE("a scenario and its map become a data set") {
    const auto rows = test::small_scenario();
    const std::string map = test::map_json({test::lane_json(1, 0, 0)}).dump();
    auto files = files_of(rows);
    files.map_json = map;
    files.file = "made-up.parquet";
    const Scenario scenario = Argoverse2Importer().read(files);
    CHECK(scenario.id() == "made-up");
    CHECK(scenario.city() == "austin");
    CHECK(scenario.frame_count() == 4);
    CHECK(scenario.agent_count() == 13);
    Objects objects;
    ScenarioWriter writer(into(objects));
    writer.add(scenario);
    CHECK(writer.scene_count() == 1);
    const auto report = nlohmann::json::parse(writer.close());
    CHECK(report["counts"]["agents"] == 13);
    CHECK(report["map"]["lanes"] == 1);
    for (const char* key : {".zgroup", ".zmetadata", "agents/0", "agents_mask/0.5/0.0",
                            "semantic_map/semantic_map.pb", "meta.json"}) {
      CHECK(objects.contains(key));
    }
  }

  TEST_CASE("tables of a user are applied") {
    const auto rows = test::small_scenario();
    const Argoverse2Importer importer(R"({"cities": {"austin": [0, 0]}})");
    CHECK(importer.read(files_of(rows)).id() == "made-up");
    CHECK(test::error_code([] { Argoverse2Importer("{"); }) == Errc::invalid_argument);
  }

  TEST_CASE("masks have four names") {
    Objects objects;
    for (const char* name : {"focal", "scored", "all", "none"}) {
      CHECK(test::error_code([&] { ScenarioWriter(into(objects), name); }) ==
            std::nullopt);
    }
    CHECK(test::error_code([&] { ScenarioWriter(into(objects), "far"); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("a writer continues from a state") {
    const auto rows = test::small_scenario();
    const Scenario scenario = Argoverse2Importer().read(files_of(rows));
    Objects whole, parts;
    ScenarioWriter straight(into(whole));
    straight.add(scenario);
    straight.add(scenario);
    straight.close();
    ScenarioWriter first(into(parts));
    first.add(scenario);
    ScenarioWriter second(into(parts));
    second.restore(first.state());
    second.add(scenario);
    second.close();
    CHECK(parts == whole);
  }

  TEST_CASE("an error of the function that stores is passed on") {
    const auto rows = test::small_scenario();
    ScenarioWriter writer([](std::string_view, std::span<const std::byte>) {
      throw Error(Errc::io, "disk full");
    });
    writer.add(Argoverse2Importer().read(files_of(rows)));
    CHECK(test::error_code([&] { writer.close(); }) == Errc::io);
  }

  TEST_CASE("records of a TFRecord file become scenes") {
    const std::string file =
        test::tfrecord(test::encoded(test::small_waymo())) + test::tfrecord("");
    const auto bytes = std::as_bytes(std::span(file));
    const auto ranges = find_records(file.size(), [&](std::uint64_t at,
                                                      std::span<std::byte> out) {
      const auto count =
          std::min(out.size(), bytes.size() - static_cast<std::size_t>(at));
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), count, out.begin());
      return count;
    });
    REQUIRE(ranges.size() == 2);
    const auto record_of = [&](const RecordRange& range) {
      WaymoRecord record;
      record.bytes = bytes.subspan(static_cast<std::size_t>(range.offset),
                                   static_cast<std::size_t>(range.size));
      record.range = range;
      record.with_map = true;
      record.file = "a.tfrecord";
      return record;
    };
    const WaymoImporter importer;
    const Scenario scenario = importer.read(record_of(ranges[0]));
    CHECK(scenario.id() == "made-up");
    CHECK(scenario.city() == "waymo");
    CHECK(scenario.agent_count() == 9);
    CHECK(test::error_code([&] { importer.read(record_of(ranges[1])); }) ==
          Errc::invalid_metadata);
    Objects objects;
    ScenarioWriter writer(into(objects), "focal", "waymo");
    writer.add(scenario);
    const auto report = nlohmann::json::parse(writer.close());
    CHECK(report["counts"]["faces"] == 12);
    CHECK(report["map"]["lanes"] == 2);
    CHECK(test::error_code([&] { ScenarioWriter(into(objects), "all", "kitti"); }) ==
          Errc::invalid_argument);
    CHECK(test::error_code([] { WaymoImporter("{"); }) == Errc::invalid_argument);
  }

  TEST_CASE("a file of CommonRoad is converted, with an obstacle as ego vehicle") {
    const auto xml = test::small_commonroad();
    CommonroadFile file;
    file.xml = xml;
    file.with_map = true;
    file.ego = "42";
    const CommonroadImporter importer;
    const Scenario scenario = importer.read(file);
    CHECK(scenario.city() == "ZAM_Made");
    CHECK(scenario.agent_count() == 4);
    Objects objects;
    ScenarioWriter writer(into(objects), "all", "commonroad");
    writer.add(scenario);
    CHECK(nlohmann::json::parse(writer.close())["map"]["lanes"] == 3);
    file.ego = "7";
    CHECK(test::error_code([&] { importer.read(file); }) == Errc::not_found);
  }
}

}  // namespace convert_test
