#include "core/facts/columns.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "tests/support/files.hpp"

namespace columns_test {

using namespace bev::facts;

TEST_SUITE("facts/columns") {
  TEST_CASE("names are unique, and rows have a value per column") {
    for (const auto kind : {TableKind::scenes, TableKind::tracks}) {
      std::set<std::string_view> names;
      for (const auto& column : columns_of(kind)) names.insert(column.name);
      CHECK(names.size() == columns_of(kind).size());
      FactTable table(kind);
      for (int i = 0; i < 2; ++i) {
        kind == TableKind::scenes ? table.append(SceneFacts{})
                                  : table.append(TrackFacts{});
      }
      CHECK(table.rows == 2);
      const auto schema = schema_of(kind);
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        CHECK(table.columns[i].size() == 2 * schema.columns[i].type.size());
      }
      table.clear();
      CHECK(table.rows == 0);
      CHECK(table.columns[0].empty());
    }
  }

  TEST_CASE("values are those of the facts") {
    TrackFacts facts;
    facts.track_id = 9007199254740993;
    facts.motion.hardest_brake = -4.5;
    facts.cut_in = true;
    FactTable table(TableKind::tracks);
    table.append(facts);
    const auto columns = columns_of(TableKind::tracks);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto* bytes = table.columns[i].data();
      if (columns[i].name == "track_id") {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes, sizeof value);
        CHECK(value == 9007199254740993);
      }
      if (columns[i].name == "hardest_brake") {
        double value = 0;
        std::memcpy(&value, bytes, sizeof value);
        CHECK(value == -4.5);
      }
      if (columns[i].name == "cut_in") CHECK(*bytes == std::byte{1});
    }
  }

  TEST_CASE("a fact names the columns that say where it happens") {
    const auto place = [](TableKind kind, std::string_view name) {
      for (const auto& column : columns_of(kind)) {
        if (column.name == name) return std::pair(column.frame, column.track);
      }
      return std::pair<std::string_view, std::string_view>("absent", "absent");
    };
    using Place = std::pair<std::string_view, std::string_view>;
    const auto scenes = TableKind::scenes;
    CHECK(place(scenes, "min_ttc") == Place("min_ttc_frame", "min_ttc_track"));
    CHECK(place(scenes, "ego_hardest_brake") == Place("ego_hardest_brake_frame", ""));
    CHECK(place(scenes, "unprotected_left") == Place("turn_frame", ""));
    CHECK(place(scenes, "cut_ins") == Place("cut_in_frame", ""));
    CHECK(place(scenes, "pedestrians") == Place("", ""));
    CHECK(place(TableKind::tracks, "cut_in") == Place("cut_in_frame", ""));
    CHECK(place(TableKind::tracks, "closest_ego") == Place("closest_ego_frame", ""));
  }

  TEST_CASE("the description has names, types and units") {
    const auto found = nlohmann::json::parse(describe());
    CHECK(found.at("version") == kVersion);
    CHECK(found.at("scenes").at(0).at("name") == "scene");
    for (const auto& column : found.at("tracks")) {
      if (column.at("name") == "class") CHECK(column.at("names").size() == 4);
      if (column.at("name") == "max_speed") CHECK(column.at("unit") == "m/s");
      if (column.at("name") == "label") CHECK(column.at("names").at(3) == "CAR");
    }
  }

  TEST_CASE("docs/scenarios.md names every fact and every name") {
    const auto bytes =
        bev::test::read_file(bev::test::test_path("../docs/scenarios.md"));
    const std::string_view docs(reinterpret_cast<const char*>(bytes.data()),
                                bytes.size());
    const auto is_documented = [&](std::string_view name) {
      return docs.find("`" + std::string(name) + "`") != std::string_view::npos;
    };
    for (const auto kind : {TableKind::scenes, TableKind::tracks}) {
      for (const auto& column : columns_of(kind)) {
        INFO(column.name);
        const auto end = column.name.rfind('_');
        CHECK(
            (is_documented(column.name) || is_documented(column.name.substr(0, end))));
        if (column.name == "label") continue;  // L5Kit's
        for (const auto name : column.names) CHECK(is_documented(name));
      }
    }
  }

  TEST_CASE("tables have names") {
    CHECK(table_kind("scenes") == TableKind::scenes);
    CHECK(table_kind("tracks") == TableKind::tracks);
    CHECK_THROWS_WITH_AS(table_kind("agents"),
                         "facts: unknown table \"agents\" (expected scenes or tracks)",
                         bev::Error);
  }
}

}  // namespace columns_test
