#include "core/scan/chunk_ranges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scan/reader_query.hpp"
#include "core/scan/statistics_query.hpp"
#include "core/scene/dataset.hpp"
#include "core/scene/label_names.hpp"
#include "core/scene/labels.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/reader_rows.hpp"
#include "tests/support/rounds.hpp"

using bev::Engine;
using bev::Errc;
using bev::reader::Statistics;
using namespace bev::test;

namespace {

constexpr std::size_t kChunk = 10;

/// Returns the statistics of track_id and centroid in the chunks of agents.
///
/// @param longer   bytes that the chunks had more then
/// @param version  of the chunks then
Statistics statistics_of(const RandomScenes& data, std::uint64_t longer = 0,
                         const std::string& version = "") {
  MemoryDataset open(data.store);
  const auto& array = (*open).agents_array();
  Statistics out;
  out.set_array("agents", {array.length(), array.meta.chunk_rows(),
                           bev::zarr::to_json(array.meta.dtype).dump()});
  for (std::size_t begin = 0; begin < data.agents.size(); begin += kChunk) {
    std::vector<std::uint64_t> tracks;
    std::vector<double> centroids;
    for (auto i = begin; i < std::min(begin + kChunk, data.agents.size()); ++i) {
      tracks.push_back(data.agents[i].agent.track_id);
      for (const auto value : data.agents[i].agent.centroid) centroids.push_back(value);
    }
    const auto chunk = begin / kChunk;
    const auto& object = data.store.objects.at("agents/" + std::to_string(chunk));
    bev::zarr::DType whole, real;
    for (auto* type : {&whole, &real}) {
      type->order = bev::zarr::ByteOrder::little;
      type->item_size = 8;
    }
    whole.kind = bev::zarr::Kind::unsigned_int;
    real.kind = bev::zarr::Kind::real;
    const std::vector<Statistics::Field> fields{
        {"centroid", {real, 2, std::as_bytes(std::span(centroids))}},
        {"track_id", {whole, 1, std::as_bytes(std::span(tracks))}}};
    out.add("agents", chunk, {object.size() + longer, 0, version}, fields);
  }
  return out;
}

/// Rows of a filter, and the chunks requested for them.
struct Found {
  std::vector<std::int64_t> rows;
  std::set<std::string> chunks;
};

Found find(const MemoryStore& store, const std::string& where,
           std::function<std::string(const std::string&)> version = {}) {
  Engine engine;
  engine.set_version(std::move(version));
  const auto query =
      engine.reader(json{{"where", where}, {"fields", {"row", "yaw"}}}.dump());
  Found out;
  do {
    query->advance();
    const auto batch = run(engine, *query, store);
    append(out.rows, batch.values<std::int64_t>("row"));
    for (const auto& key : batch.keys) {
      if (key.find('.') == std::string::npos) out.chunks.insert(key);
    }
  } while (!query->at_end());
  return out;
}

std::set<std::string> of_agents(const std::set<std::string>& keys) {
  std::set<std::string> out;
  for (const auto& key : keys) {
    if (key.starts_with("agents/")) out.insert(key);
  }
  return out;
}

}  // namespace

TEST_SUITE("scan/chunk_ranges") {
  TEST_CASE("chunks are read if their statistics do not exclude the filter") {
    const auto data = random_scenes(21, 40, kChunk);
    auto indexed = data.store;
    indexed.text(std::string(Statistics::kKey), statistics_of(data).to_json());
    for (int limit = 0; limit < 130; limit += 130 / bev::test::rounds(50)) {
      const auto where = "centroid[0] > " + std::to_string(limit) +
                         " and track_id <= " + std::to_string(limit % 7);
      std::set<std::string> expected;
      for (std::size_t begin = 0; begin < data.agents.size(); begin += kChunk) {
        double most = -1;
        std::uint64_t least = 99;
        for (auto i = begin; i < std::min(begin + kChunk, data.agents.size()); ++i) {
          most = std::max(most, data.agents[i].agent.centroid[0]);
          least = std::min(least, data.agents[i].agent.track_id);
        }
        if (most > limit && least <= static_cast<std::uint64_t>(limit % 7)) {
          expected.insert("agents/" + std::to_string(begin / kChunk));
        }
      }
      const auto found = find(indexed, where);
      CHECK(found.rows == find(data.store, where).rows);
      CHECK(of_agents(found.chunks) == expected);
    }
  }

  TEST_CASE("chunks without the label, and without the speed, are not read") {
    const auto data = random_scenes(22, 40, kChunk);
    auto indexed = data.store;
    Engine engine;
    const auto query = engine.statistics({});
    while (query->next()) run(engine, *query, data.store);
    indexed.text(std::string(Statistics::kKey), query->statistics().to_json());
    const auto expect = [&](const std::string& where, const auto& passes) {
      CAPTURE(where);
      std::set<std::string> expected;
      for (const auto& [agent, row, frame, scene] : data.agents) {
        const auto chunk = static_cast<std::size_t>(row) / kChunk;
        if (passes(agent)) expected.insert("agents/" + std::to_string(chunk));
      }
      const auto found = find(indexed, where);
      CHECK(found.rows == find(data.store, where).rows);
      CHECK(of_agents(found.chunks) == expected);
      return expected.size();
    };
    const auto all = (data.agents.size() + kChunk - 1) / kChunk;
    for (std::size_t label = 0; label < 17; ++label) {
      const auto name = std::string(bev::scene::kLabelNames[label]);
      const auto read = expect("label == '" + name + "'", [&](const auto& agent) {
        return bev::scene::most_probable(agent.label_probabilities) == label;
      });
      CHECK(read < all);
    }
    expect("speed > 36", [](const auto& agent) { return agent.velocity[0] > 36; });
    expect("class == 'CYCLIST'", [](const auto& agent) {
      const auto label = bev::scene::most_probable(agent.label_probabilities);
      return bev::scene::class_of_label(label) == bev::scene::AgentClass::cyclist;
    });
  }

  TEST_CASE("no chunk at all is read if statistics exclude every row") {
    const auto data = random_scenes(21, 40, kChunk);
    auto indexed = data.store;
    indexed.text(std::string(Statistics::kKey), statistics_of(data).to_json());
    CHECK(find(indexed, "centroid[0] > 1000").chunks.empty());
    CHECK(find(data.store, "centroid[0] > 1000").chunks.size() > 10);
    CHECK(find(indexed, "centroid[0] > 1000").rows.empty());
  }

  TEST_CASE("chunks that have another version than when they were indexed are read") {
    const auto data = random_scenes(21, 40, kChunk);
    auto indexed = data.store;
    const auto all = (data.agents.size() + kChunk - 1) / kChunk;
    const auto read = [&](const std::string& then, const std::string& changed,
                          const std::string& now) {
      indexed.text(std::string(Statistics::kKey),
                   statistics_of(data, 0, then).to_json());
      std::map<std::string, int> asked;
      const auto found = find(indexed, "track_id > 1000", [&](const std::string& key) {
        ++asked[key];
        return key == changed ? now : "1";
      });
      for (const auto& entry : asked) CHECK(entry.second == 1);
      CHECK(asked.size() == all);
      CHECK(found.rows.empty());
      return of_agents(found.chunks);
    };
    using Keys = std::set<std::string>;
    CHECK(read("1", "", "").empty());
    CHECK(read("1", "agents/2", "2") == Keys{"agents/2"});
    CHECK(read("1", "agents/2", "").empty());  // the host does not know it
    CHECK(read("", "agents/2", "2").empty());  // nor did the one that indexed it
    CHECK(read("2", "agents/2", "2").size() == all - 1);
  }

  TEST_CASE("a chunk that differs from its statistics is an error") {
    const auto data = random_scenes(21, 40, kChunk);
    auto indexed = data.store;
    indexed.text(std::string(Statistics::kKey), statistics_of(data, 1).to_json());
    CHECK(error_code([&] { find(indexed, "centroid[0] > 60"); }) == Errc::changed);
    // Also if all rows of the chunk would pass by its statistics.
    CHECK(error_code([&] { find(indexed, "centroid[0] >= 0"); }) == Errc::changed);
  }

  TEST_CASE("statistics of other arrays and damaged ones are not used") {
    const auto data = random_scenes(21, 40, kChunk);
    const auto other = random_scenes(22, 40, kChunk);
    const auto expected = find(data.store, "centroid[0] > 60");
    for (const auto& text : {statistics_of(other).to_json(), std::string("{")}) {
      auto indexed = data.store;
      indexed.text(std::string(Statistics::kKey), text);
      const auto found = find(indexed, "centroid[0] > 60");
      CHECK(found.rows == expected.rows);
      CHECK(found.chunks == expected.chunks);
    }
  }
}
