#include "core/engine/engine.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::test::MemoryStore;
using bev::test::run;
using bev::test::small_store;
using nlohmann::json;

namespace {

Errc open_error(const MemoryStore& store) {
  Engine engine;
  try {
    run(engine, *engine.open(), store);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

const std::set<std::string> kOpening{".zmetadata",
                                     ".zgroup",
                                     ".zattrs",
                                     "scenes/.zarray",
                                     "frames/.zarray",
                                     "agents/.zarray",
                                     "traffic_light_faces/.zarray"};

}  // namespace

TEST_SUITE("engine/engine") {
  TEST_CASE("opening takes one round and no chunk") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.open();
    const auto opened = run(engine, *query, store);
    CHECK(opened.rounds == 1);
    CHECK(opened.keys == kOpening);
    CHECK(opened.arrays.empty());
    CHECK(engine.open()->missing().empty());
  }

  TEST_CASE("only optional documents are not required") {
    Engine engine;
    for (const auto& request : engine.open()->missing()) {
      CAPTURE(request.key);
      const bool array = request.key.ends_with("s/.zarray") &&
                         request.key != "traffic_light_faces/.zarray";
      CHECK(request.required == array);
    }
  }

  TEST_CASE("opening without consolidated metadata gives the same") {
    auto store = small_store();
    store.objects.erase(".zmetadata");
    Engine engine;
    CHECK(run(engine, *engine.open(), store).rounds == 1);
    CHECK(json::parse(engine.describe())["arrays"].size() == 4);
  }

  TEST_CASE("opening with only consolidated metadata gives the same") {
    auto store = small_store();
    for (const auto& key : kOpening) {
      if (key != ".zmetadata") store.objects.erase(key);
    }
    Engine engine;
    CHECK(run(engine, *engine.open(), store).rounds == 1);
    const auto about = json::parse(engine.describe());
    CHECK(about["arrays"].size() == 4);
    CHECK(about["attrs"]["format_version"] == 2);
    CHECK(run(engine, *engine.frame(0, 0), store).rounds == 3);
  }

  TEST_CASE("describe returns the metadata") {
    const auto store = small_store();
    Engine engine;
    run(engine, *engine.open(), store);
    const auto about = json::parse(engine.describe());
    CHECK(about["format"] == "zarr-v2");
    CHECK(about["attrs"]["format_version"] == 2);
    CHECK(about["labels"].size() == 17);
    CHECK(about["labels"][3] == "PERCEPTION_LABEL_CAR");
    CHECK(about["has_traffic_light_faces"] == true);
    const auto& agents = about["arrays"]["agents"];
    CHECK(agents["shape"] == json::array({30}));
    CHECK(agents["chunks"] == json::array({8}));
    CHECK(agents["order"] == "C");
    CHECK(agents["compressor"].is_null());
    CHECK(agents["filters"].is_null());
    CHECK(agents["dtype"][2] == json::array({"yaw", "<f4"}));
  }

  TEST_CASE("no store, a damaged store and a single array are distinguished") {
    MemoryStore store;
    CHECK(open_error(store) == Errc::missing_key);
    store.text("zarr.json", "{}");
    CHECK(open_error(store) == Errc::invalid_metadata);
    store.text(".zarray", R"({"zarr_format": 2, "shape": [3], "chunks": [2],
      "dtype": "<i4", "compressor": null, "fill_value": 7, "order": "C",
      "filters": null})");
    CHECK(open_error(store) == Errc::internal);  // none
    Engine engine;
    const auto query = engine.rows({""});
    CHECK(run(engine, *query, store).values<std::int32_t>("") ==
          std::vector<std::int32_t>{7, 7, 7});
  }

  TEST_CASE("arrays of version 3 stores are read") {
    MemoryStore store;
    const std::string array = R"({"zarr_format": 3, "node_type": "array", "shape": [5],
      "data_type": {"name": "struct", "configuration": {"fields": [
        {"name": "a", "data_type": "int16"}, {"name": "b", "data_type": "uint8"}]}},
      "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3]}},
      "chunk_key_encoding": {"name": "default"}, "fill_value": {"a": 9, "b": 8},
      "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, "crc32c"]})";
    // (1, 2), (3, 4), (5, 6) and the CRC-32C of these nine bytes.
    const std::string chunk("\0\1\2\0\3\4\0\5\6", 9);
    auto bytes = std::as_bytes(std::span(chunk.data(), chunk.size()));
    std::vector<std::byte> stored(bytes.begin(), bytes.end());
    stored.resize(13);
    bev::store_le(stored.data() + 9, bev::zarr::crc32c(bytes));
    store.put("x/c/0", stored);
    for (const bool consolidated : {false, true}) {
      const auto all =
          R"(, "consolidated_metadata": {"metadata": {"x": )" + array + "}}";
      store.text("zarr.json", R"({"zarr_format": 3, "node_type": "group",
        "attributes": {"who": "all"})" +
                                  (consolidated ? all : "") + "}");
      store.objects.erase("x/zarr.json");
      if (!consolidated) store.text("x/zarr.json", array);
      Engine engine;
      run(engine, *engine.open(), store);
      CHECK(json::parse(engine.describe())["attrs"]["who"] == "all");
      const auto query = engine.rows({"x", 1, 5});
      const auto rows = run(engine, *query, store);
      CHECK(rows.values<std::int16_t>("a") == std::vector<std::int16_t>{3, 5, 9, 9});
      CHECK(rows.values<std::uint8_t>("b") == std::vector<std::uint8_t>{4, 6, 8, 8});
      CHECK(rows.keys.contains("x/c/0"));
    }
  }

  TEST_CASE("invalid JSON metadata is an error and can be supplied again") {
    const auto store = small_store();
    auto damaged = store;
    damaged.text("agents/.zarray", "<!doctype html>");
    damaged.objects.erase(".zmetadata");
    Engine engine;
    const auto query = engine.frame(0, 0);
    try {
      run(engine, *query, damaged);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == Errc::invalid_metadata);
      CHECK(std::string(error.what()).starts_with("agents/.zarray: "));
    }
    CHECK(run(engine, *query, store)["agents.row"].shape[0] == 3);
  }

  TEST_CASE("a missing array of the data set is named") {
    auto store = small_store();
    store.objects.erase("agents/.zarray");
    store.objects.erase(".zmetadata");
    Engine engine;
    try {
      run(engine, *engine.summary(), store);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == Errc::missing_key);
      CHECK(std::string(error.what()) ==
            "agents/.zarray: not found (expected in an L5Kit data set)");
    }
  }

  TEST_CASE("cache statistics count bytes, hits and misses") {
    const auto store = small_store();
    Engine engine(1 << 20);
    CHECK(engine.cache().bytes_held == 0);
    CHECK(engine.cache().byte_budget == 1 << 20);
    run(engine, *engine.rows({"scenes"}), store);
    CHECK(engine.cache().bytes_held == store.objects.at("scenes/0").size());
    CHECK(engine.cache().misses == 1);
    CHECK(engine.cache().evictions == 0);
  }
}
