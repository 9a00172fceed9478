#include "core/scan/statistics_query.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::StatisticsOptions;
using bev::StatisticsQuery;
using bev::reader::Statistics;
using bev::test::error_code;
using bev::test::MemoryStore;
using bev::test::small_store;

namespace {

struct Result {
  Statistics statistics;
  std::vector<StatisticsQuery::Array> arrays;
  std::vector<std::string> keys;  ///< of the chunks read
  std::size_t steps = 0;
};

Result index(const MemoryStore& store, StatisticsOptions options = {}) {
  Engine engine;
  const auto query = engine.statistics(std::move(options));
  Result out;
  while (query->next()) {
    ++out.steps;
    const auto run = bev::test::run(engine, *query, store);
    for (const auto& key : run.keys) {
      if (key.find(".z") == key.npos && key != "zarr.json") out.keys.push_back(key);
    }
    CHECK(run.arrays.empty());
    CHECK(query->done_count() <= query->chunk_count());
  }
  CHECK_FALSE(query->next());
  CHECK(query->done_count() == query->chunk_count());
  out.statistics = query->statistics();
  out.arrays = query->arrays();
  return out;
}

// Objects' versions, by their checksums.
std::function<std::string(const std::string&)> versions_of(const MemoryStore& store) {
  return [&store](const std::string& key) {
    const auto found = store.objects.find(key);
    if (found == store.objects.end()) return std::string();
    return "v" + std::to_string(bev::zarr::crc32c(found->second));
  };
}

double real_max(const Statistics& statistics, std::uint64_t chunk,
                std::string_view field, std::size_t element) {
  return statistics.range("agents", chunk, field, element)->max.as_real();
}

}  // namespace

TEST_SUITE("scan/statistics_query") {
  TEST_CASE("ranges of chunks together are all chunks, each read once") {
    const auto store = small_store();
    const auto whole = index(store);
    Statistics joined;
    std::vector<std::string> keys;
    for (std::uint64_t begin = 0; begin < 5; begin += 2) {
      Engine engine;
      StatisticsOptions options;
      options.begin_chunk = begin;
      options.end_chunk = begin + 2;
      const auto query = engine.statistics(std::move(options));
      while (query->next()) {
        for (const auto& key : bev::test::run(engine, *query, store).keys) {
          if (key.find(".z") == key.npos && key != "zarr.json") keys.push_back(key);
        }
      }
      joined.merge(query->statistics());
    }
    CHECK(joined.to_json() == whole.statistics.to_json());
    std::sort(keys.begin(), keys.end());
    CHECK(std::adjacent_find(keys.begin(), keys.end()) == keys.end());
    CHECK(keys.size() == whole.keys.size());
  }

  TEST_CASE("every chunk of a data set is read once, and its limits are known") {
    const auto store = small_store();
    const auto [statistics, arrays, keys, steps] = index(store);
    // 30 agents in chunks of 8, 10 frames in chunks of 4.
    REQUIRE(arrays.size() == 4);
    CHECK(arrays[2].path == "agents");
    CHECK(arrays[2].chunk_count == 4);
    CHECK(arrays[2].read_count == 4);
    CHECK(arrays[2].encoded_bytes > 0);
    CHECK(statistics.chunk_count("frames") == 3);
    CHECK(keys.size() == steps);
    // Rows 8 to 15: frame 2 (agents 2, 3) to frame 5, the first of scene 1 (agent 1).
    CHECK(real_max(statistics, 1, "centroid", 0) == 1000.0);
    CHECK(real_max(statistics, 1, "centroid", 1) == 2.0);
    const auto ids = statistics.range("agents", 1, "track_id", 0);
    CHECK(ids->min.bits == 1);
    CHECK(ids->max.bits == 3);
    // 17 probabilities per agent are too many.
    CHECK_FALSE(statistics.range("agents", 1, "label_probabilities", 0));
    CHECK(statistics.range("agents", 1, "label", 0)->codes != 0);
    CHECK(statistics.range("traffic_light_faces", 0, "state", 0)->codes != 0);
    CHECK(*statistics.texts("traffic_light_faces", 0, "face_id") ==
          std::vector<std::string>{"green", "red"});
    const auto identity = statistics.identity("agents", 3);
    CHECK(identity->size == store.objects.at("agents/3").size());
    CHECK(identity->checksum == bev::zarr::crc32c(store.objects.at("agents/3")));
    CHECK(identity->validator.empty());
  }

  TEST_CASE("unchanged chunks are not read again") {
    auto store = small_store();
    StatisticsOptions options;
    options.version = versions_of(store);
    const auto first = index(store, options);
    options.earlier = Statistics::parse(first.statistics.to_json());
    const auto second = index(store, options);
    CHECK(second.keys.empty());
    CHECK(second.statistics.to_json() == first.statistics.to_json());
    store.objects["agents/2"] = store.objects.at("agents/1");
    const auto third = index(store, options);
    CHECK(third.keys == std::vector<std::string>{"agents/2"});
    CHECK(third.statistics.differences(first.statistics, "agents") ==
          std::vector<std::uint64_t>{2});
    CHECK(third.statistics.differences(first.statistics, "frames").empty());
  }

  TEST_CASE("chunks of an earlier version, without derived columns, are read again") {
    const auto store = small_store();
    StatisticsOptions options;
    options.arrays = {"agents"};
    options.version = versions_of(store);
    const auto first = index(store, options);
    auto earlier = nlohmann::json::parse(first.statistics.to_json());
    earlier.erase("crc32c");
    auto& agents = earlier["arrays"]["agents"];
    agents["fields"].erase(5);
    for (auto& chunk : agents["chunks"]) chunk["limits"].erase(5);
    options.earlier = Statistics::parse(earlier.dump());
    CHECK(options.earlier.chunk_count("agents") == 4);
    const auto second = index(store, options);
    CHECK(second.keys.size() == 4);
    CHECK(second.statistics.to_json() == first.statistics.to_json());
  }

  TEST_CASE("without versions every chunk is read again") {
    const auto store = small_store();
    const auto first = index(store);
    StatisticsOptions options;
    options.earlier = first.statistics;
    CHECK(index(store, options).keys.size() == first.keys.size());
  }

  TEST_CASE("after an append only the last and the new chunks are read") {
    bev::test::SmallScenes small;
    small.scenes = 3;
    const auto longer = small_store(small);
    const auto shorter = small_store();
    StatisticsOptions options;
    options.version = versions_of(shorter);
    options.arrays = {"agents"};
    options.earlier = index(shorter, options).statistics;
    options.version = versions_of(longer);
    const auto after = index(longer, options);
    // 30 agents fill three chunks of 8; 45 agents are in six.
    CHECK(after.keys == std::vector<std::string>{"agents/3", "agents/4", "agents/5"});
    StatisticsOptions anew;
    anew.arrays = {"agents"};
    anew.version = versions_of(longer);
    CHECK(after.statistics.to_json() == index(longer, anew).statistics.to_json());
  }

  TEST_CASE("an absent chunk has the limits of the fill value") {
    auto store = small_store();
    store.objects.erase("agents/1");
    Engine engine(Engine::kByteBudget, bev::store::Missing::fill);
    const auto query = engine.statistics({.arrays = {"agents"}});
    while (query->next()) bev::test::run(engine, *query, store);
    CHECK(query->statistics().identity("agents", 1)->size == 0);
    CHECK(query->statistics().range("agents", 1, "track_id", 0)->max.bits == 0);
    CHECK(error_code([&] { index(store); }) == Errc::missing_key);
  }

  TEST_CASE("a damaged chunk is an error") {
    bev::test::SmallScenes small;
    small.codec = "none";
    auto store = small_store(small);
    store.objects["agents/1"].resize(7);
    CHECK(error_code([&] { index(store); }) == Errc::corrupt_chunk);
  }

  TEST_CASE("shards and arrays without fields have statistics") {
    const bev::test::Fixture fixture("version3.zip");
    MemoryStore store;
    for (const auto& [key, bytes] : fixture.objects) store.put(key, bytes);
    const auto found = index(store, {.arrays = {"shards_long"}});
    const auto chunks = found.arrays[0].chunk_count;
    CHECK(chunks > 1);
    CHECK(found.statistics.chunk_count("shards_long") == chunks);
    CHECK(found.statistics.range("shards_long", chunks - 1, "", 0)->has_value);
  }

  TEST_CASE("arrays that do not exist or have several axes are refused") {
    const auto store = small_store();
    CHECK_THROWS_WITH_AS(index(store, {.arrays = {"x"}}), "unknown array \"x\"", Error);
    CHECK(error_code([] { index(MemoryStore()); }).has_value());
    auto flat = small_store();
    flat.text("a/.zarray",
              R"({"zarr_format": 2, "shape": [6, 2], "chunks": [2, 2], "dtype": "|u1",
                  "order": "C", "compressor": null, "fill_value": 9, "filters": null})");
    CHECK_THROWS_WITH_AS(
        index(flat, {.arrays = {"a"}}),
        "statistics of a: unsupported number of axes (found 2, expected 1)", Error);
    Engine engine;
    const auto query = engine.statistics({});
    CHECK(query->next());
    CHECK(error_code([&] { query->next(); }) == Errc::invalid_argument);
  }
}
