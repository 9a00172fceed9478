#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "core/reader/statistics.hpp"
#include "core/scan/reader_query.hpp"
#include "core/scan/statistics_query.hpp"
#include "tests/support/columnar_copy.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_scenes.hpp"

namespace columnar_test {

// Columnar copies answer every question as the data set that they were copied from.

using bev::Engine;
using bev::Errc;
using bev::ImageForm;
using bev::SampleOptions;
using bev::reader::Statistics;
using namespace bev::test;
using nlohmann::json;

namespace {

/// The batches of a stream: names, types, shapes and bytes of their arrays.
struct Stream {
  std::vector<std::string> arrays;
  std::set<std::string> keys;  ///< of chunks read
  std::uint64_t pieces_excluded = 0;
  std::size_t skipped = 0;

  bool operator==(const Stream& other) const { return arrays == other.arrays; }
};

void add_arrays(std::span<const bev::ResultArray> arrays,
                std::vector<std::string>& out) {
  for (const auto& array : arrays) {
    std::string text = array.name + " " + array.dtype;
    for (const auto length : array.shape) text += " " + std::to_string(length);
    out.push_back(text);
    out.emplace_back(reinterpret_cast<const char*>(array.bytes.data()),
                     array.bytes.size());
  }
}

void add_keys(const bev::test::Run& run, std::set<std::string>& out) {
  for (const auto& key : run.keys) {
    if (key.find("/.z") == key.npos && key[0] != '.') out.insert(key);
  }
}

Stream stream_of(Engine& engine, const MemoryStore& store, const json& plan) {
  Stream out;
  run(engine, *engine.open(), store);
  const auto query = engine.reader(plan.dump());
  do {
    query->advance();
    const auto batch = run(engine, *query, store);
    add_arrays(batch.arrays, out.arrays);
    add_keys(batch, out.keys);
  } while (!query->at_end());
  out.pieces_excluded = query->counts().pieces_excluded;
  out.skipped = query->skipped().size();
  return out;
}

Stream stream_of(const MemoryStore& store, const json& plan) {
  Engine engine;
  return stream_of(engine, store, plan);
}

/// Returns the agents that pass a filter.
std::vector<std::int64_t> rows_of(const MemoryStore& store, const std::string& where) {
  std::vector<std::int64_t> out;
  Engine engine;
  const auto query = engine.reader(json{{"where", where}, {"fields", {"row"}}}.dump());
  for (query->advance();; query->advance()) {
    const auto batch = run(engine, *query, store);
    if (query->at_end()) return out;
    for (const auto row : batch.values<std::int64_t>("row")) out.push_back(row);
  }
}

/// A comparison and the stored column of agents that it reads.
struct Comparison {
  std::string text, column;
};

Comparison random_comparison(std::mt19937& random) {
  const std::vector<std::pair<std::string, std::string>> fields{
      {"centroid[0]", "centroid"},
      {"centroid[1]", "centroid"},
      {"speed * 2", "velocity"},
      {"velocity[0]", "velocity"},
      {"track_id", "track_id"},
      {"yaw", "yaw"},
      {"label_probabilities[3] * 10", "label_probabilities"},
      {"label", "label_probabilities"},
      {"extent[2]", "extent"}};
  const std::vector<std::string> operators{"<", "<=", ">", ">=", "==", "!="};
  const auto& [text, column] = fields[random() % fields.size()];
  return {text + " " + operators[random() % operators.size()] + " " +
              (column == "centroid" ? std::to_string(random() % 130)
                                    : std::to_string(random() % 8)),
          column};
}

/// A filter on agents and the columns that it reads.
struct RandomFilter {
  std::string text;
  std::set<std::string> columns;
};

RandomFilter random_filter(std::mt19937& random) {
  RandomFilter out;
  const auto count = 1 + random() % 3;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [text, column] = random_comparison(random);
    if (i > 0) out.text += random() % 2 == 0 ? " or " : " and ";
    out.text += random() % 5 == 0 ? "not (" + text + ")" : text;
    out.columns.insert(column);
  }
  // One condition on all, so that the columns are not read one after the other.
  if (random() % 3 == 0) {
    out.text = "(" + out.text + ") and scene < " + std::to_string(random() % 12);
  }
  return out;
}

/// Adds the keys of a column's chunks that hold rows which a record data set read.
void add_column(const std::string& column, const std::set<std::string>& record_keys,
                std::set<std::string>& out) {
  const bool is_wide = column != "yaw" && column != "track_id";
  for (const auto& key : record_keys) {
    if (!key.starts_with("agents/")) continue;
    out.insert("agents/" + column + "/" + key.substr(7) + (is_wide ? ".0" : ""));
  }
}

std::set<std::string> of_agents(const std::set<std::string>& keys) {
  std::set<std::string> out;
  for (const auto& key : keys) {
    if (key.starts_with("agents/")) out.insert(key);
  }
  return out;
}

SampleOptions options_of() {
  SampleOptions options;
  options.config = SampleConfig{}.json();
  options.image = ImageForm::none;
  return options;
}

std::vector<std::string> samples_of(const MemoryStore& store,
                                    const std::vector<std::int64_t>& agents) {
  std::vector<std::string> out;
  Engine engine;
  run(engine, *engine.open(), store);
  const auto query = engine.samples(options_of());
  for (const auto row : agents) {
    query->at_agent(row);
    add_arrays(run(engine, *query, store).arrays, out);
  }
  for (std::int64_t frame = 0; frame < 8; ++frame) {
    query->at_frame(frame);
    add_arrays(run(engine, *query, store).arrays, out);
  }
  return out;
}

Statistics statistics_of(const MemoryStore& store,
                         std::set<std::string>* keys = nullptr) {
  Engine engine;
  const auto query = engine.statistics({});
  while (query->next()) {
    const auto step = run(engine, *query, store);
    if (keys != nullptr) add_keys(step, *keys);
  }
  return query->statistics();
}

}  // namespace

TEST_SUITE("engine/columnar") {
  TEST_CASE("random filters read the same rows from the columns they need") {
    std::mt19937 random(11);
    std::size_t found = 0;
    for (std::uint32_t round = 0; round < rounds(40U); ++round) {
      const auto chunk_rows = static_cast<std::int64_t>(1 + random() % 60);
      const auto data = random_scenes(round, 1 + random() % 12,
                                      static_cast<std::uint64_t>(chunk_rows));
      const auto copy = columnar_copy(data.store);
      const auto split = columnar_copy(data.store, {.split_vectors = true});
      for (int i = 0; i < 25; ++i) {
        const auto filter = random_filter(random);
        const json plan{{"where", filter.text}, {"fields", {"row", "extent"}}};
        CAPTURE(plan.dump());
        CAPTURE(round);
        const auto expected = stream_of(data.store, plan);
        const auto stream = stream_of(copy, plan);
        REQUIRE(stream == expected);
        REQUIRE(stream_of(split, plan) == expected);
        found += expected.arrays.size();

        // The filter's columns of the chunks that are tested, and the field's column of
        // those with rows that pass.
        const auto tested =
            stream_of(data.store, {{"where", filter.text}, {"fields", {"row"}}});
        std::set<std::string> keys, passing;
        for (const auto& column : filter.columns) add_column(column, tested.keys, keys);
        for (const auto row : rows_of(data.store, filter.text)) {
          passing.insert("agents/" + std::to_string(row / chunk_rows));
        }
        add_column("extent", passing, keys);
        REQUIRE(of_agents(stream.keys) == keys);
        for (const auto& key : stream.keys) {
          CHECK_FALSE(key.starts_with("frames/ego_"));
        }
      }
    }
    CHECK(found > rounds(std::size_t{1000}));
  }

  TEST_CASE("a filter on elements of split vectors reads only theirs") {
    const auto copy = columnar_copy(small_store(), {.split_vectors = true});
    const auto stream =
        stream_of(copy, {{"where", "extent[0] > 1e9 or velocity[1] > 1e9"}});
    const auto keys = of_agents(stream.keys);
    for (const auto& key : keys) {
      CAPTURE(key);
      CHECK((key.starts_with("agents/extent/0/") ||
             key.starts_with("agents/velocity/1/")));
    }
    CHECK(keys.size() > 2);
  }

  TEST_CASE("random plans have the same stream") {
    std::mt19937 random(13);
    const std::vector<json> fields{{"row", "track_id", "centroid", "scene", "frame"},
                                   {"speed", "distance_to_ego", "label", "time"},
                                   {"host", "yaw", "kept"},
                                   {"velocity", "label_probabilities"}};
    for (std::uint32_t round = 0; round < rounds(50U); ++round) {
      const auto* codec = kCopyCodecs[round % kCopyCodecs.size()];
      const auto data =
          random_scenes(100 + round, 1 + random() % 12, 1 + random() % 90);
      const auto copy =
          columnar_copy(data.store, {.codec = codec, .split_vectors = round % 2 == 1});
      for (int i = 0; i < 20; ++i) {
        json plan{{"fields", fields[random() % fields.size()]},
                  {"batch", {{"size", 1 + random() % 40}}}};
        if (random() % 2 == 0) plan["where"] = random_filter(random).text;
        if (random() % 3 == 0) {
          plan["window"] = {{"past", random() % 4},
                            {"future", random() % 4},
                            {"edges", random() % 2 == 0 ? "drop" : "pad"}};
        }
        plan["order"] = {{"mode", std::vector{"none", "blocks", "full"}[random() % 3]},
                         {"seed", random() % 5}};
        if (random() % 4 == 0) {
          plan["shard"] = {{"index", 0}, {"count", 2}, {"allow_empty", true}};
        }
        CAPTURE(plan.dump());
        CAPTURE(round);
        REQUIRE(stream_of(copy, plan) == stream_of(data.store, plan));
      }
    }
  }

  TEST_CASE("frames, scenes and faces are the same tables") {
    const auto data = random_scenes(3, 30, 10);
    const auto copy = columnar_copy(data.store);
    for (const auto& plan :
         {json{{"from", "frames"}, {"where", "agent_count > 3 and time < 0.5"}},
          json{{"from", "scenes"}, {"where", "host == \"host-1\""}},
          json{{"from", "traffic_light_faces"}},
          json{{"from", "frames"}, {"window", {{"past", 2}}}}}) {
      CAPTURE(plan.dump());
      const auto expected = stream_of(data.store, plan);
      REQUIRE_FALSE(expected.arrays.empty());
      CHECK(stream_of(copy, plan) == expected);
    }
  }

  TEST_CASE("readers find the tables of a store that was not opened before") {
    const auto data = random_scenes(3, 30, 10);
    const auto copy = columnar_copy(data.store);
    const auto rows = rows_of(data.store, "speed > 2");
    CHECK_FALSE(rows.empty());
    CHECK(rows_of(copy, "speed > 2") == rows);
  }

  TEST_CASE("what filters learn of columns excludes chunks and changes no result") {
    std::mt19937 random(17);
    std::uint64_t excluded = 0;
    for (std::uint32_t round = 0; round < rounds(10U); ++round) {
      const auto data = random_scenes(round, 1 + random() % 12, 1 + random() % 90);
      const auto copy = columnar_copy(data.store);
      Engine engine;
      for (int i = 0; i < 40; ++i) {
        const json plan{{"where", random_filter(random).text},
                        {"fields", {"row", "yaw"}}};
        CAPTURE(plan.dump());
        const auto stream = stream_of(engine, copy, plan);
        REQUIRE(stream == stream_of(data.store, plan));
        excluded += stream.pieces_excluded;
      }
    }
    CHECK(excluded > rounds(20U));
  }

  TEST_CASE("statistics of columns exclude chunks before they are read") {
    const auto data = random_scenes(3, 30, 10);
    auto copy = columnar_copy(data.store);
    std::set<std::string> read;
    const auto statistics = statistics_of(copy, &read);
    CHECK(read.contains("agents/velocity/0.0"));
    CHECK(read.contains("agents/label_probabilities/0.0"));  // for the labels
    CHECK_FALSE(read.contains("frames/ego_rotation/0.0.0"));
    const auto labels = statistics.range("agents/label_probabilities", 0, "label", 0);
    REQUIRE(labels);
    CHECK(labels->codes != 0);
    const auto limits = statistics.range("agents/velocity", 0, "", 0);
    REQUIRE(limits);
    CHECK(limits->has_value);
    copy.text(std::string(Statistics::kKey), statistics.to_json());
    const auto chunks = [](const Stream& stream) { return of_agents(stream.keys); };
    for (const auto* where : {"velocity[0] > 1000", "speed > 1000", "track_id == 0",
                              "label_probability > 1"}) {
      const auto stream = stream_of(copy, {{"where", where}, {"fields", {"yaw"}}});
      CHECK(chunks(stream).empty());
    }
    std::mt19937 random(5);
    for (int i = 0; i < rounds(100); ++i) {
      const json plan{{"where", random_filter(random).text},
                      {"fields", {"row", "yaw"}}};
      CAPTURE(plan.dump());
      CHECK(stream_of(copy, plan) == stream_of(data.store, plan));
    }
    // A chunk of another size than that of the statistics has changed.
    auto changed = copy;
    auto& chunk = changed.objects["agents/yaw/1"];
    chunk.push_back(std::byte{0});
    CHECK(error_code([&] {
            stream_of(changed, {{"where", "track_id > 2"}, {"fields", {"yaw"}}});
          }).has_value());
  }

  TEST_CASE("scenes with damaged columns are left out if they need them") {
    const auto data = random_scenes(3, 30, 10);
    auto columns = columnar_copy(data.store);
    auto records = data.store;
    records.objects["agents/4"].resize(7);
    columns.objects["agents/yaw/4"].resize(7);
    columns.objects.erase("agents/extent/4.0");
    for (const auto* where : {"true", "track_id < 4"}) {
      json plan{{"fields", {"row", "yaw"}}, {"where", where}, {"on_damage", "skip"}};
      const auto expected = stream_of(records, plan);
      CHECK(expected.skipped > 0);
      const auto stream = stream_of(columns, plan);
      CHECK(stream == expected);
      CHECK(stream.skipped == expected.skipped);
      plan["fields"] = {"row", "extent"};
      CHECK(stream_of(columns, plan) == stream_of(records, plan));
      // Other columns are not damaged.
      plan["fields"] = {"row", "velocity"};
      CHECK(stream_of(columns, plan) == stream_of(data.store, plan));
      plan["fields"] = {"yaw"};
      plan["on_damage"] = "fail";
      CHECK(error_code([&] { stream_of(columns, plan); }) == Errc::corrupt_chunk);
    }
  }

  TEST_CASE("samples and frames are the same, bit for bit") {
    const SmallScenes small{.scenes = 3, .frames = 9, .agents = 4};
    const auto store = small_store(small);
    const auto copy = columnar_copy(store);
    std::vector<std::int64_t> agents;
    for (std::int64_t row = 0; row < 3 * 9 * 4; row += 5) agents.push_back(row);
    CHECK(samples_of(copy, agents) == samples_of(store, agents));
    const auto frames_of = [](const MemoryStore& from) {
      std::vector<std::string> out;
      Engine engine;
      run(engine, *engine.open(), from);
      for (std::uint64_t frame = 0; frame < 9; ++frame) {
        add_arrays(run(engine, *engine.frame(1, frame, {}), from).arrays, out);
      }
      add_arrays(run(engine, *engine.timeline(1), from).arrays, out);
      add_arrays(run(engine, *engine.summary(), from).arrays, out);
      return out;
    };
    CHECK(frames_of(copy) == frames_of(store));
  }

  TEST_CASE("a golden data set has the same samples and streams") {
    BEV_REQUIRE_GOLDENS();
    const auto store = store_in(goldens() + "/inputs/single_scene.zarr");
    const auto copy = columnar_copy(store, {.codec = kCopyCodecs.back()});
    std::vector<std::int64_t> agents;
    const auto kept = rows_of(store, "kept");
    for (std::size_t i = 0; i < kept.size(); i += 1000) agents.push_back(kept[i]);
    CHECK(agents.size() > 3);
    CHECK(samples_of(copy, agents) == samples_of(store, agents));
    for (const auto* where :
         {"true", "speed > 2 and extent[0] > 4.5", "label == \"CAR\""}) {
      const json plan{{"where", where},
                      {"fields", {"row", "centroid", "yaw", "time"}},
                      {"order", {{"mode", "blocks"}}}};
      CHECK(stream_of(copy, plan) == stream_of(store, plan));
    }
  }
}

}  // namespace columnar_test
