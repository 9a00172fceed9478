#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bevscope/bevscope.hpp>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/scan/statistics_query.hpp"
#include "tests/support/object_server.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/stream_hash.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/tiny_scenes.hpp"

namespace reader_http_test {

using namespace bev::test;
using bev::reader::Statistics;
using nlohmann::json;
using Keys = std::set<std::string>;

namespace {

constexpr std::int64_t kAgentsPerChunk = 10, kFramesPerChunk = 6, kScenesPerChunk = 3;

ObjectServer::Objects objects_of(const MemoryStore& store) {
  ObjectServer::Objects out;
  for (const auto& [key, bytes] : store.objects) {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    out["/data.zarr/" + key] = {text, "ETag: \"" + key + "\"\r\n"};
  }
  return out;
}

/// Adds the statistics of all chunks.
void add_statistics(MemoryStore& store) {
  bev::Engine engine;
  const auto query = engine.statistics({});
  while (query->next()) run(engine, *query, store);
  store.text(std::string(Statistics::kKey), query->statistics().to_json());
}

/// A condition on one level, what it means, and what limits of a chunk exclude it.
struct Condition {
  std::string text;
  std::function<bool(const PlacedAgent&)> passes;
  /// Whether some row passes, as far as the limits of the chunk tell; and every row.
  std::function<bool(const PlacedAgent&low, const PlacedAgent&high)> may_pass,
      must_pass;
};

Condition scene_condition(std::mt19937& random) {
  const auto limit = static_cast<std::int64_t>(random() % 40);
  if (random() % 2 == 0) {
    return {"scene >= " + std::to_string(limit),
            [limit](const PlacedAgent& a) { return a.scene >= limit; },
            {},
            {}};
  }
  return {"host == \"host-" + std::to_string(limit % 3) + "\"",
          [limit](const PlacedAgent& a) { return a.scene % 3 == limit % 3; },
          {},
          {}};
}

Condition frame_condition(std::mt19937& random, const RandomScenes& data) {
  const auto limit = static_cast<std::int64_t>(random() % 9);
  const bool equal = random() % 2 == 0;
  return {(equal ? "frame == " : "frame > ") + std::to_string(limit),
          [limit, equal, &data](const PlacedAgent& a) {
            const auto frame =
                a.frame - data.scenes[static_cast<std::size_t>(a.scene)].begin;
            return equal ? frame == limit : frame > limit;
          },
          {},
          {}};
}

Condition row_condition(std::mt19937& random) {
  const auto limit = static_cast<int>(random() % 140);
  const auto x = [](const PlacedAgent& a) { return a.agent.centroid[0]; };
  if (random() % 2 == 0) {
    return {
        "centroid[0] > " + std::to_string(limit),
        [=](const PlacedAgent& a) { return x(a) > limit; },
        [=](const PlacedAgent&, const PlacedAgent& high) { return x(high) > limit; },
        [=](const PlacedAgent& low, const PlacedAgent&) { return x(low) > limit; }};
  }
  const auto track = static_cast<std::uint64_t>(limit % 8);
  return {"track_id <= " + std::to_string(track),
          [=](const PlacedAgent& a) { return a.agent.track_id <= track; },
          [=](const PlacedAgent& low, const PlacedAgent&) {
            return low.agent.track_id <= track;
          },
          [=](const PlacedAgent&, const PlacedAgent& high) {
            return high.agent.track_id <= track;
          }};
}

/// A random filter by level; absent conditions are empty.
struct RandomWhere {
  std::optional<Condition> scene, frame, row;

  std::string text() const {
    std::string out;
    for (const auto* part : {&row, &scene, &frame}) {
      if (*part) out += (out.empty() ? "" : " and ") + (*part)->text;
    }
    return out;
  }
};

RandomWhere random_where(std::mt19937& random, const RandomScenes& data) {
  RandomWhere out;
  const auto parts = 1 + random() % 7;
  if ((parts & 1U) != 0) out.scene = scene_condition(random);
  if ((parts & 2U) != 0) out.frame = frame_condition(random, data);
  if ((parts & 4U) != 0) out.row = row_condition(random);
  return out;
}

/// The chunks that a reader of a filter needs, by brute force over the rows.
class Oracle {
 public:
  Oracle(const RandomScenes& data, const RandomWhere& where, bool has_statistics)
      : data_(data), where_(where), has_statistics_(has_statistics) {
    for (std::size_t i = 0; i < data.agents.size(); ++i) {
      const auto chunk = i / kAgentsPerChunk;
      if (low_.size() <= chunk) {
        low_.push_back(data.agents[i]);
        high_.push_back(data.agents[i]);
      }
      merge(low_[chunk], data.agents[i], std::less<>());
      merge(high_[chunk], data.agents[i], std::greater<>());
    }
  }

  std::vector<std::int64_t> rows() const {
    std::vector<std::int64_t> out;
    for (const auto& agent : data_.agents) {
      if (passes(agent)) out.push_back(agent.row);
    }
    return out;
  }

  /// @param has_fields  whether fields of the rows that pass are read
  Keys keys(bool has_fields) const {
    Keys out;
    if (excludes_all()) return out;
    for (std::size_t s = 0; s < data_.scenes.size(); ++s) {
      out.insert(key("scenes", static_cast<std::int64_t>(s) / kScenesPerChunk));
      PlacedAgent any;
      any.scene = static_cast<std::int64_t>(s);
      const auto& frames = data_.scenes[s];
      if (frames.begin == frames.end || !passes(where_.scene, any)) continue;
      // The intervals of the frames beside the scene are compared with its own.
      const auto count = static_cast<std::int64_t>(data_.frames.size());
      const auto end = std::min(frames.end + 1, count);
      for (auto f = std::max<std::int64_t>(frames.begin - 1, 0); f < end; ++f) {
        out.insert(key("frames", f / kFramesPerChunk));
      }
    }
    for (const auto& agent : data_.agents) {
      if (!passes(where_.scene, agent) || !passes(where_.frame, agent)) continue;
      const auto chunk = static_cast<std::size_t>(agent.row / kAgentsPerChunk);
      const bool tested = where_.row && may_pass(chunk) && !must_pass(chunk);
      if (tested || (has_fields && passes(agent))) {
        out.insert(key("agents", agent.row / kAgentsPerChunk));
      }
    }
    return out;
  }

 private:
  template <class Order>
  static void merge(PlacedAgent& limits, const PlacedAgent& agent, Order before) {
    auto& x = limits.agent.centroid[0];
    if (before(agent.agent.centroid[0], x)) x = agent.agent.centroid[0];
    auto& track = limits.agent.track_id;
    if (before(agent.agent.track_id, track)) track = agent.agent.track_id;
  }

  static std::string key(const char* array, std::int64_t chunk) {
    return std::string("/data.zarr/") + array + "/" + std::to_string(chunk);
  }

  static bool passes(const std::optional<Condition>& condition,
                     const PlacedAgent& agent) {
    return !condition || condition->passes(agent);
  }
  bool passes(const PlacedAgent& agent) const {
    return passes(where_.scene, agent) && passes(where_.frame, agent) &&
           passes(where_.row, agent);
  }

  bool may_pass(std::size_t chunk) const {
    return !has_statistics_ || where_.row->may_pass(low_[chunk], high_[chunk]);
  }
  bool must_pass(std::size_t chunk) const {
    return has_statistics_ && where_.row->must_pass(low_[chunk], high_[chunk]);
  }

  /// Whether statistics of one array exclude each of its chunks.
  bool excludes_all() const {
    if (!has_statistics_ || !where_.row) return false;
    for (std::size_t chunk = 0; chunk < low_.size(); ++chunk) {
      if (may_pass(chunk)) return false;
    }
    return true;
  }

  const RandomScenes& data_;
  const RandomWhere& where_;
  bool has_statistics_;
  std::vector<PlacedAgent> low_, high_;  ///< limits of each chunk
};

/// Reads a plan over HTTP to its end.
std::vector<std::int64_t> rows_of(const ObjectServer& server, const json& plan) {
  auto dataset = bev::open(server.origin() + "/data.zarr");
  auto reader = dataset.reader(plan.dump());
  std::vector<std::int64_t> out;
  while (const auto batch = reader.next()) {
    const auto rows = (*batch)["row"].values<std::int64_t>();
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

std::uint64_t length_of(const ObjectServer& server, const json& plan) {
  auto dataset = bev::open(server.origin() + "/data.zarr");
  return dataset.reader(plan.dump()).length();
}

Keys chunks_of(Served served) {
  served.paths.erase("/data.zarr/" + std::string(Statistics::kKey));
  return served.paths;
}

json stream_of(const std::string& url, const json& plan, const bev::HttpOptions& http) {
  auto dataset = bev::open(url, {}, http);
  auto reader = dataset.reader(plan.dump());
  StreamHash out;
  while (const auto batch = reader.next()) {
    out.add_items(reader.batch_size());
    for (const auto& array : batch->all()) {
      out.add(std::string(array.name()), array.bytes());
    }
  }
  return out.json();
}

}  // namespace

TEST_SUITE("library/reader_http") {
  TEST_CASE("random filters fetch exactly the chunks that they need") {
    std::mt19937 random(5);
    const auto data = random_scenes(3, 40, kAgentsPerChunk);
    auto indexed = data.store;
    add_statistics(indexed);
    ObjectServer plain(objects_of(data.store)), known(objects_of(indexed));
    for (int round = 0; round < bev::test::rounds(1000); ++round) {
      const auto where = random_where(random, data);
      const bool has_statistics = round % 2 == 0;
      auto& server = has_statistics ? known : plain;
      const Oracle oracle(data, where, has_statistics);
      json plan{{"where", where.text()}};
      CAPTURE(plan.dump());
      CAPTURE(has_statistics);
      if (random() % 3 == 0) {
        CHECK(length_of(server, plan) == oracle.rows().size());
        CHECK(chunks_of(server.taken()) == oracle.keys(false));
        continue;
      }
      plan["fields"] = {"row", "yaw", "ego_translation"};
      plan["batch"] = {{"size", 1 + random() % 300}};
      CHECK(rows_of(server, plan) == oracle.rows());
      CHECK(chunks_of(server.taken()) == oracle.keys(true));
    }
  }

  TEST_CASE("the first batch needs as many chunks of long data sets as of short ones") {
    for (const auto* mode : {"none", "blocks", "full"}) {
      std::vector<std::size_t> counts;
      for (const int scenes : {10, 100, 1000}) {
        const auto data = random_scenes(1, scenes, 200);
        ObjectServer server(objects_of(data.store));
        auto dataset = bev::open(server.origin() + "/data.zarr");
        const json plan{{"fields", {"row", "track_id"}},
                        {"order", {{"mode", mode}, {"group", 1}}},
                        {"batch", {{"size", 1}}}};
        auto reader = dataset.reader(plan.dump());
        REQUIRE(reader.next().has_value());
        counts.push_back(chunks_of(server.taken()).size());
      }
      CAPTURE(mode);
      // One of each array, and those beside a scene that begins or ends with a chunk.
      for (const auto count : counts) CHECK(count <= 5);
    }
  }

  TEST_CASE("a slow server and the persistent cache do not change the stream") {
    const auto store = tiny_scenes();
    const auto objects = objects_of(store);
    std::mt19937 random(9);
    std::mutex mutex;
    ObjectServer server(objects);
    server.set_delay([&] {
      const std::lock_guard lock(mutex);
      return std::chrono::milliseconds(random() % 4);
    });
    const TempFolder folder;
    bev::HttpOptions cached;
    cached.cache.folder = folder.at("cache");
    const auto url = server.origin() + "/data.zarr";
    for (const auto& vector : reader_vectors()) {
      auto plan = vector["plan"];
      plan["batch"] = {{"size", 5}};
      CAPTURE(plan.dump());
      CHECK(stream_of(url, plan, {}) == expected_stream(vector));
      CHECK(stream_of(url, plan, cached) == expected_stream(vector));
      server.taken();
      CHECK(stream_of(url, plan, cached) == expected_stream(vector));
      // With a filter, for the statistics, which are absent.
      CHECK(server.taken().gets == (plan.contains("where") ? 1 : 0));
    }
  }
}

}  // namespace reader_http_test
