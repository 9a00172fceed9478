#include "core/scan/reader_samples.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/engine/agent_index_query.hpp"
#include "core/engine/engine.hpp"
#include "core/scan/reader_query.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_scenes.hpp"

namespace reader_samples_test {

using bev::Engine;
using bev::Errc;
using bev::ReaderQuery;
using bev::SampleKind;
using namespace bev::test;
using nlohmann::json;

namespace {

using Rows = std::vector<std::int64_t>;
/// The bytes of a sample's arrays by name.
using Sample = std::map<std::string, std::string>;

MemoryStore made_store() {
  return small_store({.scenes = 3, .frames = 12, .agents = 3});
}

json box_config() {
  return json::parse(SampleConfig{.map_type = "box_debug"}.json());
}

json plan_of(const std::string& from, json sample = {{"config", box_config()}}) {
  return {{"from", from}, {"sample", std::move(sample)}, {"batch", {{"size", 5}}}};
}

std::string bytes_of(const bev::ResultArray& array, std::size_t item,
                     std::size_t items) {
  const auto size = array.bytes.size() / items;
  const auto bytes = array.bytes.subspan(item * size, size);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Reads the samples of an epoch, or of `most` batches.
std::vector<Sample> read(Engine& engine, ReaderQuery& query, const MemoryStore& store,
                         std::size_t most = 1000) {
  std::vector<Sample> out;
  for (std::size_t batch = 0; batch < most; ++batch) {
    query.advance();
    const auto found = run(engine, query, store);
    if (query.at_end()) break;
    const auto fields = query.fields();
    REQUIRE(found.arrays.size() == fields.size());
    for (std::size_t i = 0; i < query.batch_size(); ++i) {
      Sample& sample = out.emplace_back();
      for (const auto& array : found.arrays) {
        REQUIRE(array.shape.front() == query.batch_size());
        sample[array.name] = bytes_of(array, i, query.batch_size());
      }
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      CHECK(fields[i].name == found.arrays[i].name);
      CHECK(fields[i].dtype == found.arrays[i].dtype);
      auto shape = fields[i].shape;
      shape.insert(shape.begin(), query.batch_size());
      CHECK(shape == found.arrays[i].shape);
    }
  }
  return out;
}

std::vector<Sample> read(const MemoryStore& store, const json& plan) {
  Engine engine;
  return read(engine, *engine.reader(plan.dump()), store);
}

/// Builds the samples of rows one by one.
std::vector<Sample> built(const MemoryStore& store, const Rows& rows,
                          bev::SampleOptions options) {
  Engine engine;
  const auto query = engine.samples(options);
  std::vector<Sample> out;
  for (const auto row : rows) {
    if (options.kind == SampleKind::agent) {
      query->at_agent(row);
    } else {
      query->at_frame(row);
    }
    Sample& sample = out.emplace_back();
    for (const auto& array : run(engine, *query, store).arrays) {
      sample[array.name] = bytes_of(array, 0, 1);
    }
  }
  return out;
}

/// Returns the rows that pass the plan's filter, in stored order.
Rows rows_of(const MemoryStore& store, json plan) {
  plan.erase("sample");
  plan["fields"] = {"row"};
  plan["batch"] = {{"size", 10'000}};
  Engine engine;
  const auto query = engine.reader(plan.dump());
  query->advance();
  return run(engine, *query, store).values<std::int64_t>("row");
}

/// Returns those of `rows` that L5Kit's AgentDataset has.
Rows selected(const MemoryStore& store, const Rows& rows, std::uint32_t history,
              std::uint32_t future) {
  bev::AgentIndexOptions options;
  options.minima = {history, future};
  Engine engine;
  const auto query = engine.agent_index(options);
  const auto found = run(engine, *query, store).values<std::int64_t>("agents_indices");
  const std::set<std::int64_t> known(found.begin(), found.end());
  Rows out;
  for (const auto row : rows) {
    if (known.count(row) > 0) out.push_back(row);
  }
  return out;
}

bev::SampleOptions options_of(SampleKind kind) {
  bev::SampleOptions out;
  out.config = box_config().dump();
  out.kind = kind;
  return out;
}

std::multiset<Sample> set_of(const std::vector<Sample>& samples) {
  return {samples.begin(), samples.end()};
}

std::optional<Errc> code_of(const json& plan) {
  return error_code([&] {
    Engine engine;
    const auto query = engine.reader(plan.dump());
    read(engine, *query, made_store());
  });
}

}  // namespace

TEST_SUITE("scan/reader_samples") {
  TEST_CASE("samples of the ego vehicle equal those built one by one") {
    const auto store = made_store();
    auto plan = plan_of("frames");
    plan["where"] = "frame >= 3 and scene != 1";
    const auto rows = rows_of(store, plan);
    CHECK(rows.size() == 18);
    const auto expected = built(store, rows, options_of(SampleKind::ego));
    CHECK(read(store, plan) == expected);
    for (const auto* mode : {"blocks", "full"}) {
      plan["order"] = {{"mode", mode}, {"seed", 3}};
      const auto found = read(store, plan);
      CHECK(found != expected);
      CHECK(set_of(found) == set_of(expected));
    }
  }

  TEST_CASE("all frames in random order need no scan and have a known length") {
    const auto store = made_store();
    auto plan = plan_of("frames");
    plan["order"] = {{"mode", "full"}};
    Engine engine;
    const auto query = engine.reader(plan.dump());
    const auto found = read(engine, *query, store);
    CHECK(query->known_length() == 36);
    const auto rows = rows_of(store, plan_of("frames"));
    CHECK(set_of(found) == set_of(built(store, rows, options_of(SampleKind::ego))));
  }

  TEST_CASE("samples of agents are the filter's among L5Kit's items") {
    const auto store = made_store();
    auto plan = plan_of("agents", {{"config", box_config()}, {"min_frame_history", 4}});
    plan["where"] = "track_id != 2 and time < 0.95";
    const auto rows = rows_of(store, plan);
    const auto items = selected(store, rows, 4, 1);
    REQUIRE(items.size() > 5);
    REQUIRE(items.size() < rows.size());
    const auto expected = built(store, items, options_of(SampleKind::agent));
    CHECK(read(store, plan) == expected);
    for (const auto* mode : {"blocks", "full"}) {
      plan["order"] = {{"mode", mode}, {"seed", 3}};
      CHECK(set_of(read(store, plan)) == set_of(expected));
    }
    plan.erase("where");
    const auto all = selected(store, rows_of(store, plan_of("agents")), 4, 1);
    CHECK(set_of(read(store, plan)) ==
          set_of(built(store, all, options_of(SampleKind::agent))));
  }

  TEST_CASE("counts are those of the items, and build no sample") {
    const auto store = made_store();
    auto plan = plan_of("agents", {{"config", box_config()}, {"min_frame_history", 4}});
    // A map that is absent: counting must not need it.
    plan["sample"]["config"]["raster_params"]["map_type"] = "py_semantic";
    Engine engine;
    const auto counter =
        engine.reader_of_counts(bev::reader::plan_from_json(plan.dump()));
    std::size_t count = 0;
    do {
      counter->advance();
      run(engine, *counter, store);
      count += counter->batch_size();
    } while (!counter->at_end());
    const auto rows = rows_of(store, plan);
    CHECK(count == selected(store, rows, 4, 1).size());
    CHECK(counter->known_length() == std::nullopt);
  }

  TEST_CASE("shards are disjoint and complete, also when padded") {
    const auto store = made_store();
    auto plan = plan_of("agents", {{"config", box_config()}, {"min_frame_history", 2}});
    plan["order"] = {{"mode", "blocks"}, {"seed", 1}};
    const auto all = read(store, plan);
    for (std::size_t count = 1; count <= 4; ++count) {
      std::vector<Sample> together(all.size());
      for (std::size_t index = 0; index < count; ++index) {
        plan["shard"] = {{"index", index}, {"count", count}};
        const auto part = read(store, plan);
        REQUIRE(part.size() == (all.size() + count - 1 - index) / count);
        for (std::size_t i = 0; i < part.size(); ++i) {
          together[i * count + index] = part[i];
        }
      }
      CHECK(together == all);
    }
    plan["shard"] = {{"index", 6}, {"count", 7}, {"equal", "pad"}};
    const auto padded = read(store, plan);
    REQUIRE(padded.size() == (all.size() + 6) / 7);
    const std::string flag = padded.back().at("padded");
    CHECK(flag == std::string(1, all.size() % 7 == 0 ? '\0' : '\1'));
  }

  TEST_CASE("a state resumes, and names another config") {
    const auto store = made_store();
    auto plan = plan_of("frames");
    plan["order"] = {{"mode", "full"}, {"seed", 9}};
    const auto all = read(store, plan);
    for (std::size_t batches = 1; batches < 8; ++batches) {
      Engine engine;
      const auto first = engine.reader(plan.dump());
      const auto begin = read(engine, *first, store, batches);
      const auto state = first->state_json();
      CHECK(state.size() < 1024);
      Engine other;
      const auto second = other.reader(plan.dump());
      second->restore(state);
      auto found = begin;
      for (auto& sample : read(other, *second, store)) {
        found.push_back(std::move(sample));
      }
      CHECK(found == all);

      auto changed = plan;
      changed["sample"]["config"]["model_params"]["future_num_frames"] = 1;
      auto rows = plan;
      rows.erase("sample");
      for (const auto& unlike : {changed, rows}) {
        Engine third;
        const auto query = third.reader(unlike.dump());
        query->restore(state);
        try {
          run(third, *query, store);
          FAIL("a state of another plan was accepted");
        } catch (const bev::Error& error) {
          CHECK(error.code() == Errc::invalid_argument);
          CHECK(std::string(error.what()).find("different: sample") !=
                std::string::npos);
        }
      }
    }
  }

  TEST_CASE("fields choose arrays; without the image none is drawn") {
    const auto store = made_store();
    auto plan = plan_of("frames");
    plan["fields"] = {"target_positions", "track_id"};
    plan["sample"]["config"]["raster_params"]["map_type"] = "py_semantic";
    const auto found = read(store, plan);
    REQUIRE(found.size() == 36);
    const auto expected =
        built(store, rows_of(store, plan_of("frames")), options_of(SampleKind::ego));
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].size() == 2);
      CHECK(found[i].at("target_positions") == expected[i].at("target_positions"));
    }
  }

  TEST_CASE("vectorized samples have the shapes that the plan states") {
    const auto store = made_store();
    auto config = box_config();
    config["model_params"].update(
        {{"history_num_frames_ego", 1}, {"history_num_frames_agents", 2}});
    config["data_generation_params"] = json::parse(R"({
      "other_agents_num": 4, "max_agents_distance": 20,
      "lane_params": {"max_num_lanes": 1, "max_points_per_lane": 2,
                      "max_points_per_crosswalk": 3, "max_retrieval_distance_m": 30,
                      "max_num_crosswalks": 1}})");
    for (const auto* from : {"frames", "agents"}) {
      const auto plan = plan_of(
          from, {{"config", config}, {"vectorized", true}, {"min_frame_history", 1}});
      CHECK(code_of(plan) == Errc::invalid_argument);  // no map
      Engine engine;
      const auto query = engine.reader(plan.dump());
      query->use_maps({std::make_shared<const bev::map::SemanticMap>(), nullptr});
      const auto found = read(engine, *query, store);
      CHECK(found.size() >= 36);
      CHECK(found[0].at("lanes_mid").size() == 1 * 2 * 3 * sizeof(float));
    }
  }

  TEST_CASE("the chunks of several samples are requested together") {
    const auto store = made_store();
    auto plan = plan_of("frames");
    plan["order"] = {{"mode", "full"}};
    plan["batch"] = {{"size", 9}};
    Engine engine;
    const auto query = engine.reader(plan.dump());
    query->advance();
    CHECK(run(engine, *query, store).rounds <= 12);
  }

  TEST_CASE("plans that samples do not have are refused") {
    const auto plan = plan_of("frames");
    CHECK(code_of(plan) == std::nullopt);
    const std::vector<std::pair<json, Errc>> cases{
        {{{"from", "scenes"}}, Errc::invalid_argument},
        {{{"window", {{"past", 1}}}}, Errc::invalid_argument},
        {{{"transform", "agent_frame"}}, Errc::invalid_argument},
        {{{"on_damage", "skip"}}, Errc::invalid_argument},
        {{{"batch", {{"by_block", true}}}}, Errc::invalid_argument},
        {{{"order", {{"mode", "tracks"}}}}, Errc::invalid_argument},
        {{{"batch", {{"size", 1'000'000}}}}, Errc::limit_exceeded},
        {{{"fields", {"yaws"}}}, Errc::not_found},
        {{{"sample", {{"image", "f32"}}}}, Errc::invalid_argument},
        {{{"sample", {{"config", 3}}}}, Errc::invalid_argument},
        {{{"sample", {{"config", "{"}}}}, Errc::invalid_argument},
        {{{"sample", {{"config", json::object()}}}}, Errc::missing_key},
        {{{"sample", {{"config", box_config()}, {"size", 3}}}},
         Errc::invalid_argument}};
    for (const auto& [change, expected] : cases) {
      auto changed = plan;
      changed.update(change);
      INFO(changed.dump());
      CHECK(code_of(changed) == expected);
    }
  }

  TEST_CASE("the explanation has the plan and the samples' arrays") {
    const auto store = made_store();
    Engine engine;
    const auto query = engine.reader(plan_of("agents").dump());
    run(engine, *query, store);
    const auto explained = json::parse(query->explain());
    CHECK(explained["plan"]["sample"]["config"] == box_config());
    CHECK(explained["plan"]["sample"]["min_frame_history"] == 10);
    CHECK(explained["plan"]["batch"]["size"] == 5);
    const auto image =
        json{{"name", "image"}, {"dtype", "<f4"}, {"shape", {6, 10, 20}}};
    CHECK(explained["fields"][1] == image);
    CHECK(explained["fields"].size() == query->fields().size());
  }

  TEST_CASE("a config is an object or text") {
    const auto store = made_store();
    auto plan = plan_of("frames");
    plan["fields"] = {"yaw"};
    const auto expected = read(store, plan);
    plan["sample"]["config"] = box_config().dump();
    CHECK(read(store, plan) == expected);
  }

  TEST_CASE("an accepted config is accepted again from the plan's JSON") {
    const auto parsed = [](const json& config) {
      return bev::reader::plan_from_json(
          plan_of("frames", {{"config", config}}).dump());
    };
    const auto nested = [](std::size_t depth) {
      return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') +
             "}";
    };
    const auto plan = parsed(nested(62));
    CHECK(bev::reader::plan_from_json(to_json(plan)) == plan);
    CHECK_THROWS_WITH_AS(parsed(nested(63)), "plan.sample.config: nested too deeply",
                         bev::Error);

    CHECK(error_code([&] { parsed("[]"); }) == Errc::invalid_argument);

    const json long_config = {{"note", std::string(100'000, 'x')}};
    CHECK(error_code([&] { parsed(long_config); }) == Errc::limit_exceeded);
    CHECK(error_code([&] { parsed(long_config.dump()); }) == Errc::limit_exceeded);
  }
}

}  // namespace reader_samples_test
