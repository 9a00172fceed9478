#include "core/convert/scenario_index.hpp"

#include <doctest/doctest.h>

#include <map>

#include "core/convert/object_types.hpp"
#include "core/convert/waymo.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/waymo.hpp"

namespace scenario_index_test {

using namespace bev;
using namespace bev::convert;
using test::MemoryStore;

namespace {

/// Returns a scenario of many agents, the more the greater the number; those of odd
/// numbers have no lights.
Scenario crowded(int number, std::uint64_t place) {
  auto source = test::small_waymo();
  source.id = std::to_string(number);
  for (int i = 0; i < 2'200 + 100 * number; ++i) {
    source.tracks.push_back(
        {100 + i, 1, test::states_along(85 + i % 40, i % 13, 0, 4)});
  }
  if (number % 2 == 1) source.lane_states.clear();
  return import_message(source, waymo_tables(), {true, place});
}

std::vector<Scenario> crowd() {
  std::vector<Scenario> out;
  for (int i = 0; i < 5; ++i) out.push_back(crowded(i, static_cast<std::uint64_t>(i)));
  return out;
}

ScenarioWriterOptions options_of_crowd() {
  ScenarioWriterOptions options;
  options.source = "waymo";
#ifdef __EMSCRIPTEN__
  options.layout.codec = "none";
#endif
  return options;
}

}  // namespace

TEST_SUITE("convert/scenario_index") {
  TEST_CASE("index and chunks are the objects that a conversion writes") {
    const auto scenarios = crowd();
    MemoryStore converted, index;
    ScenarioWriter writer(converted, options_of_crowd());
    ScenarioIndexer indexer(index, options_of_crowd());
    for (const auto& one : scenarios) {
      writer.add(one);
      indexer.add(one);
    }
    writer.close();
    const ScenarioChunks chunks(indexer.close(), MaskRule{});
    CHECK(chunks.total().agents > 40'000);  // three chunks of agents
    CHECK(chunks.total().frames == 20);
    std::map<std::size_t, ChunkRows> rows;
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      rows[i] = chunk_rows(scenarios[i], MaskRule{}, chunks.rows()[i]);
    }
#ifndef __EMSCRIPTEN__  // where chunks of Blosc cannot be written
    for (const auto& key : chunks.keys()) {
      CHECK(!index.objects.contains(key));
      const auto chunk = chunks.find(key);
      REQUIRE(chunk.has_value());
      index.objects[key] = chunks.encode(
          *chunk, [&](std::size_t i) -> const ChunkRows& { return rows.at(i); });
    }
    CHECK(index.objects == converted.objects);
#endif
  }

  TEST_CASE("a chunk has the scenarios of its rows only") {
    const ScenarioChunks chunks(
        {{4, 15'000, 0}, {4, 0, 0}, {4, 5'000, 3}, {4, 1, 9'998}}, MaskRule{});
    const auto agents = chunks.find("agents/0");
    REQUIRE(agents.has_value());
    CHECK(agents->first == 0);
    CHECK(agents->last == 3);
    CHECK(chunks.has_rows(*agents, 0));
    CHECK(!chunks.has_rows(*agents, 1));
    CHECK(!chunks.has_rows(*agents, 3));
    CHECK(chunks.find("agents/1")->first == 3);
    CHECK(chunks.find("agents_mask/0.5/1.0")->first == 0);
    CHECK(chunks.find("traffic_light_faces/0")->first == 2);
    CHECK(chunks.find("traffic_light_faces/1")->first == 3);
    CHECK(chunks.keys() ==
          std::vector<std::string>{"agents/0", "agents/1", "traffic_light_faces/0",
                                   "traffic_light_faces/1", "agents_mask/0.5/0.0",
                                   "agents_mask/0.5/1.0", "agents_mask/0.5/2.0"});
  }

  TEST_CASE("other keys are no chunks") {
    const ScenarioChunks chunks({{4, 10, 0}}, MaskRule{});
    for (const char* key :
         {"agents/1", "agents/00", "agents/", "agents/-1", "agents/0.0", "agents/x",
          "agents/99999999999999999999999", "agents/18446744073709551615",
          "traffic_light_faces/0", "agents_mask/0.5/0", "agents_mask/0.5/1.0",
          "frames/0", "agents_mask/0.5/.0", ""}) {
      CAPTURE(key);
      CHECK(!chunks.find(key).has_value());
    }
    CHECK(!ScenarioChunks({{4, 10, 0}}, std::nullopt).find("agents_mask/0.5/0.0"));
    CHECK(ScenarioChunks::is_made("agents/1"));
    CHECK(!ScenarioChunks::is_made("agents/.zarray"));
    CHECK(!ScenarioChunks::is_made("agents_mask/0.5/.zarray"));
    CHECK(!ScenarioChunks::is_made("scenes/0"));
    CHECK(ScenarioChunks({}, MaskRule{}).keys().empty());
  }

  TEST_CASE("a scenario with other rows than the index is changed") {
    const auto one = crowded(0, 0);
    auto rows = rows_of(one);
    CHECK(chunk_rows(one, MaskRule{}, rows).agents.size() == rows.agents);
    CHECK(chunk_rows(one, std::nullopt, rows).mask.empty());
    ++rows.faces;
    CHECK(test::error_code([&] { chunk_rows(one, MaskRule{}, rows); }) ==
          Errc::changed);
  }

  TEST_CASE("sums of rows are limited") {
    constexpr auto kHalf = ScenarioChunks::kMaxRows / 2 + 1;
    CHECK(test::error_code([&] {
            ScenarioChunks({{1, kHalf, 0}, {1, kHalf, 0}}, MaskRule{});
          }) == Errc::limit_exceeded);
  }
}

}  // namespace scenario_index_test
