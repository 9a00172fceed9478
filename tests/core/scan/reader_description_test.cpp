#include "core/scan/reader_description.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/reader_rows.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::Errc;
using bev::ReaderDescription;
using namespace bev::test;

namespace {

json described(const MemoryStore& store, const json& plan,
               const std::optional<std::string>& by = std::nullopt) {
  Engine engine;
  ReaderDescription description(engine, bev::reader::plan_from_json(plan.dump()), by);
  do {
    while (true) {
      const auto missing = description.query().missing();
      if (missing.empty()) break;
      for (const auto& request : missing) {
        const auto found = store.objects.find(request.key);
        if (found == store.objects.end()) {
          engine.supply_absent(request.key);
        } else {
          engine.supply(request, part_of(found->second, request.range));
        }
      }
    }
  } while (description.step());
  return json::parse(description.to_json());
}

}  // namespace

TEST_SUITE("scan/reader_description") {
  TEST_CASE("counts, limits and means are those of the rows of a reader") {
    const auto data = random_scenes(3, 9, 20);
    for (const auto* where : {"track_id >= 0", "track_id != 4 and frame > 1"}) {
      const json plan{{"where", where}, {"fields", {"row", "track_id", "centroid"}}};
      const auto rows = read_rows(data, {{"where", where}});
      const auto found = described(data.store, plan);
      CHECK(found["rows"] == rows.size());
      REQUIRE(found["columns"].size() == 4);
      CHECK(found["columns"][0]["min"] ==
            *std::min_element(rows.rows.begin(), rows.rows.end()));
      CHECK(found["columns"][1]["max"] ==
            *std::max_element(rows.tracks.begin(), rows.tracks.end()));
      CHECK(found["columns"][2]["element"] == 0);
      CHECK(found["columns"][2]["min"] ==
            *std::min_element(rows.centroids.begin(), rows.centroids.end()));
    }
  }

  TEST_CASE("groups have the rows of their value, strings too") {
    const auto store = small_store();
    const auto all = described(store, {{"fields", {"yaw"}}}, "scene");
    CHECK(all["by"] == "scene");
    REQUIRE(all["groups"].size() == 2);
    CHECK(all["groups"][0]["rows"] == 15);
    CHECK(all["groups"][1]["columns"][0]["name"] == "yaw");
    const auto hosts = described(store, {{"fields", {"row"}}}, "host");
    REQUIRE(hosts["groups"].size() == 2);
    CHECK(hosts["groups"][0]["value"] == "host-0");
    CHECK(hosts["groups"][1]["columns"][0]["min"] == 15);
    const auto labels = described(store, {{"fields", {"row"}}}, "label");
    CHECK(labels["groups"][0]["name"] == "CAR");
  }

  TEST_CASE("without fields the stored ones are described") {
    const auto found = described(small_store(), json::object());
    std::vector<std::string> names;
    for (const auto& column : found["columns"]) {
      names.push_back(column["name"].get<std::string>());
    }
    CHECK(std::find(names.begin(), names.end(), "yaw") != names.end());
    CHECK(std::find(names.begin(), names.end(), "speed") == names.end());
    const auto grouped = described(small_store(), json::object(), "track_id");
    for (const auto& column : grouped["groups"][0]["columns"]) {
      CHECK(column["name"] != "track_id");
    }
  }

  TEST_CASE("shards are described apart, and order does not matter") {
    const auto store = small_store();
    const json fields{"row"};
    std::size_t rows = 0;
    for (int index = 0; index < 3; ++index) {
      rows += described(store, {{"fields", fields},
                                {"shard", {{"index", index}, {"count", 3}}}})["rows"]
                  .get<std::size_t>();
    }
    CHECK(rows == 30);
    CHECK(described(store, {{"fields", fields}, {"order", {{"mode", "full"}}}}) ==
          described(store, {{"fields", fields}}));
    CHECK(described(store, {{"where", "row < 0"}, {"fields", fields}})["rows"] == 0);
  }

  TEST_CASE("windows, equal shards and unknown columns are refused") {
    const auto store = small_store();
    const auto code = [&](const json& plan, const char* by) {
      return error_code([&] { described(store, plan, by); });
    };
    CHECK(code({{"window", {{"past", 1}}}}, "scene") == Errc::invalid_argument);
    CHECK(code({{"shard", {{"count", 2}, {"equal", "pad"}}}}, "scene") ==
          Errc::invalid_argument);
    CHECK(code(json::object(), "sceen") == Errc::not_found);
    CHECK(code({{"fields", {"sceen"}}}, "scene") == Errc::not_found);
    CHECK(code(json::object(), "yaw") == Errc::invalid_argument);
    CHECK(code(json::object(), "centroid") == Errc::invalid_argument);
  }
}
