#include "core/scan/reader_query.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/reader_rows.hpp"
#include "tests/support/rounds.hpp"

using bev::Engine;
using bev::Errc;
using namespace bev::test;

TEST_SUITE("scan/reader_query") {
  TEST_CASE("shards are disjoint, complete and differ by at most one") {
    const auto data = random_scenes(3, 9, 20);
    for (const auto* mode : {"none", "tracks", "blocks", "full"}) {
      json plan{{"where", "track_id != 4"},
                {"order", {{"mode", mode}, {"seed", 5}}},
                {"batch", {{"size", 7}}}};
      const auto all = read_rows(data, plan);
      for (std::size_t count = 1; count <= 16; ++count) {
        std::vector<std::int64_t> rows(all.rows.size(), -1);
        for (std::size_t index = 0; index < count; ++index) {
          plan["shard"] = {{"index", index}, {"count", count}};
          const auto part = read_rows(data, plan);
          REQUIRE(part.size() == (all.size() + count - 1 - index) / count);
          for (std::size_t i = 0; i < part.size(); ++i) {
            rows[i * count + index] = part.rows[i];
          }
        }
        REQUIRE(rows == all.rows);
      }
    }
  }

  TEST_CASE("shards by block and by scene are disjoint and complete") {
    const auto data = random_scenes(3, 9, 20);
    for (const auto* mode : {"blocks", "scene"}) {
      json plan{{"order", {{"mode", "blocks"}, {"seed", 5}, {"group", 3}}}};
      const auto all = read_rows(data, plan);
      std::vector<std::int64_t> rows;
      for (int index = 0; index < 3; ++index) {
        plan["shard"] = {{"index", index}, {"count", 3}, {"mode", mode}};
        const auto part = read_rows(data, plan);
        append(rows, part.rows);
        for (const auto scene : part.scenes) {
          if (std::string_view(mode) == "scene") CHECK(scene % 3 == index);
        }
      }
      CHECK(sorted(rows, 1) == sorted(all.rows, 1));
    }
  }

  TEST_CASE("shards are made equal by dropping or by repeating items") {
    const auto data = random_scenes(3, 9, 20);
    for (const auto* mode : {"strided", "scene", "blocks"}) {
      json plan{{"where", "track_id == 1"}, {"order", {{"mode", "blocks"}}}};
      plan["shard"] = {{"count", 4}, {"mode", mode}};
      std::vector<ReaderRows> own, dropped, padded;
      for (int index = 0; index < 4; ++index) {
        plan["shard"]["index"] = index;
        plan["shard"]["equal"] = "none";
        own.push_back(read_rows(data, plan));
        plan["shard"]["equal"] = "drop";
        dropped.push_back(read_rows(data, plan));
        plan["shard"]["equal"] = "pad";
        padded.push_back(read_rows(data, plan));
      }
      std::size_t least = 1000, most = 0;
      for (const auto& items : own) {
        least = std::min(least, items.size());
        most = std::max(most, items.size());
      }
      for (std::size_t index = 0; index < 4; ++index) {
        CHECK(dropped[index].size() == least);
        REQUIRE(padded[index].size() == most);
        const auto& rows = own[index].rows;
        for (std::size_t i = 0; i < most; ++i) {
          CHECK(padded[index].rows[i] == rows[i % rows.size()]);
          CHECK(padded[index].padded[i] == (i < rows.size() ? 0 : 1));
        }
      }
    }
  }

  TEST_CASE("an empty shard is an error unless it is allowed") {
    const auto data = random_scenes(3, 9, 20);
    json plan{{"where", "row < 2"}, {"shard", {{"index", 3}, {"count", 4}}}};
    CHECK(error_code([&] { read_rows(data, plan); }) == Errc::invalid_argument);
    plan["shard"]["allow_empty"] = true;
    CHECK(read_rows(data, plan).size() == 0);
  }

  TEST_CASE("epochs differ, unless they repeat; seed 0 is a seed") {
    const auto data = random_scenes(3, 9, 20);
    for (const auto* mode : {"blocks", "full"}) {
      std::vector<std::vector<std::int64_t>> epochs;
      for (std::uint64_t seed = 0; seed < 2; ++seed) {
        const json plan{{"fields", kReaderFields},
                        {"order", {{"mode", mode}, {"seed", seed}}}};
        for (std::uint64_t epoch = 0; epoch < 10; ++epoch) {
          Engine engine;
          const auto query = engine.reader(plan.dump());
          query->seek({epoch, 0});
          epochs.push_back(read_rows(engine, *query, data.store).rows);
        }
      }
      auto distinct = epochs;
      std::sort(distinct.begin(), distinct.end());
      CHECK(std::unique(distinct.begin(), distinct.end()) == distinct.end());
      CHECK_FALSE(std::is_sorted(epochs[0].begin(), epochs[0].end()));
      const json plan{{"fields", kReaderFields},
                      {"order", {{"mode", mode}, {"repeat", true}}}};
      Engine engine;
      const auto query = engine.reader(plan.dump());
      query->seek({7, 0});
      CHECK(read_rows(engine, *query, data.store).rows == epochs[0]);
    }
  }

  TEST_CASE("50 random stops resume exactly, with other numbers of shards too") {
    const auto data = random_scenes(11, 10, 25);
    std::mt19937 random(1);
    for (int round = 0; round < bev::test::rounds(50); ++round) {
      json plan{{"fields", kReaderFields}, {"where", "track_id < 5"}};
      plan["order"] = {
          {"mode", std::array{"none", "tracks", "blocks", "full"}[random() % 4]}};
      plan["batch"] = {{"size", 1 + random() % 9}};
      if (random() % 2 == 0) plan["window"] = {{"past", 1}, {"edges", "clamp"}};
      const auto all = read_rows(data, plan);
      const auto width = all.width;
      const std::size_t shards = 1 + random() % 3;
      const std::size_t batches = random() % 4;
      std::string state;
      for (std::size_t index = 0; index < shards; ++index) {
        plan["shard"] = {{"index", index}, {"count", shards}};
        Engine engine;
        const auto query = engine.reader(plan.dump());
        read_rows(engine, *query, data.store, batches);
        if (batches == 0) run(engine, *query, data.store);  // opens it
        if (index == 0) state = query->state_json();
      }
      CHECK(state.size() < 1024);
      const auto done = batches * plan["batch"]["size"].get<std::size_t>() * shards;
      if (batches == 0) continue;
      const std::size_t others = 1 + random() % 4;
      std::vector<std::vector<std::int64_t>> rest;
      for (std::size_t index = 0; index < others; ++index) {
        plan["shard"] = {{"index", index}, {"count", others}};
        plan["batch"]["size"] = 1 + random() % 9;
        Engine engine;
        const auto query = engine.reader(plan.dump());
        query->restore(state);
        append(rest, sorted(read_rows(engine, *query, data.store).rows, width));
      }
      std::vector<std::int64_t> expected(
          all.rows.begin() +
              static_cast<std::ptrdiff_t>(std::min(done, all.size()) * width),
          all.rows.end());
      std::sort(rest.begin(), rest.end());
      CHECK(rest == sorted(expected, width));
    }
  }

  TEST_CASE("a state of other data or another plan is refused by name") {
    const auto data = random_scenes(3, 9, 20);
    const auto other = random_scenes(4, 9, 20);
    Engine engine;
    const auto query = engine.reader(R"({"where": "row > 3"})");
    query->restore("{}");
    CHECK_THROWS_WITH(run(engine, *query, data.store), "state: not a reader's state");
    const auto first = engine.reader(R"({"where": "row > 3"})");
    run(engine, *first, data.store);
    const auto state = first->state_json();
    const auto second = engine.reader(R"({"where": "row > 4", "order": {"seed": 3}})");
    second->restore(state);
    CHECK_THROWS_WITH(run(engine, *second, data.store),
                      "state: belongs to another plan (different: order, where)");
    Engine elsewhere;
    const auto third = elsewhere.reader(R"({"where": "row > 3"})");
    third->restore(state);
    CHECK(error_code([&] { run(elsewhere, *third, other.store); }) == Errc::changed);
  }

  TEST_CASE("states have less than 1 KB, however long the path and the filter") {
    bev::reader::Plan plan;
    plan.from = std::string(5000, 'a');
    plan.shard.index = 4'000'000'000;
    plan.shard.count = 4'100'000'000;
    plan.shard.mode = bev::reader::ShardMode::blocks;
    const bev::reader::Position position{~std::uint64_t{0} >> 1,
                                         ~std::uint64_t{0} >> 1};
    const auto state = bev::reader::state_json(plan, ~std::uint64_t{0}, position);
    CHECK(state.size() < 1024);
    CHECK(bev::reader::position_from(state, plan, ~std::uint64_t{0}) == position);
    auto other = plan;
    other.from.back() = 'b';
    CHECK_THROWS_WITH(bev::reader::position_from(state, other, ~std::uint64_t{0}),
                      "state: belongs to another plan (different: from)");
  }

  TEST_CASE("a batch per block counts without reading columns") {
    const auto data = random_scenes(3, 9, 20);
    Engine engine;
    const auto query = engine.reader(
        R"({"fields": [], "where": "track_id == 2", "batch": {"by_block": true}})");
    std::size_t count = 0, batches = 0;
    while (true) {
      query->advance();
      const auto batch = run(engine, *query, data.store);
      if (query->at_end()) break;
      CHECK(batch.arrays.empty());
      ++batches;
      count += query->batch_size();
      CHECK(query->blocks_done() == batches);
    }
    CHECK(batches == 9);
    const auto expected =
        std::count_if(data.agents.begin(), data.agents.end(),
                      [](const auto& agent) { return agent.agent.track_id == 2; });
    CHECK(count == static_cast<std::size_t>(expected));
  }

  TEST_CASE("batches per block go on where a state was taken") {
    const auto data = random_scenes(3, 9, 20);
    constexpr auto kPlan =
        R"({"fields": [], "where": "track_id == 2", "batch": {"by_block": true}})";
    Engine engine;
    const auto sizes_of = [&](const std::string& state) {
      const auto query = engine.reader(kPlan);
      if (!state.empty()) query->restore(state);
      std::vector<std::size_t> sizes;
      std::vector<std::string> states;
      while (true) {
        query->advance();
        run(engine, *query, data.store);
        if (query->at_end()) return std::pair(sizes, states);
        sizes.push_back(query->batch_size());
        states.push_back(query->state_json());
      }
    };
    const auto [sizes, states] = sizes_of("");
    REQUIRE(sizes.size() == 9);
    for (std::size_t done = 1; done <= sizes.size(); ++done) {
      CAPTURE(done);
      const auto rest = sizes_of(states[done - 1]).first;
      // Blocks without items that directly follow belong to no item.
      auto next = sizes.begin() + static_cast<std::ptrdiff_t>(done);
      next = std::find_if(next, sizes.end(), [](auto size) { return size > 0; });
      CHECK(rest == std::vector(next, sizes.end()));
    }
  }

  TEST_CASE("the next chunks are read ahead if they will be read for sure") {
    const auto data = random_scenes(3, 30, 10);
    const auto ahead_of = [&](json plan) {
      plan["batch"] = {{"size", 20}};
      Engine engine;
      const auto query = engine.reader(plan.dump());
      std::size_t count = 0;
      do {
        query->advance();
        run(engine, *query, data.store);
        count += query->ahead().size();
      } while (!query->at_end());
      return count;
    };
    CHECK(ahead_of({{"fields", {"yaw"}}}) > 5);
    CHECK(ahead_of({{"where", "track_id > 2"}}) > 5);
    CHECK(ahead_of({{"where", "frame > 2"}}) == 0);
    CHECK(ahead_of({{"order", {{"mode", "blocks"}}}}) == 0);
    CHECK(ahead_of({{"shard", {{"mode", "scene"}}}}) == 0);
  }

  TEST_CASE(
      "blocks with damaged chunks are left out and reported, if the plan says so") {
    const auto data = random_scenes(3, 30, 10);
    auto damaged = data.store;
    damaged.objects["agents/4"].resize(7);
    damaged.objects["agents/9"].clear();
    std::set<std::int64_t> lost;
    for (const auto& agent : data.agents) {
      if (agent.row / 10 == 4 || agent.row / 10 == 9) lost.insert(agent.scene);
    }
    REQUIRE(lost.size() >= 2);
    for (const auto* mode : {"none", "blocks"}) {
      json plan{{"fields", kReaderFields}, {"order", {{"mode", mode}}}};
      CHECK(error_code([&] {
              Engine engine;
              const auto query = engine.reader(plan.dump());
              read_rows(engine, *query, damaged);
            }) == Errc::corrupt_chunk);
      for (const auto* where : {"true", "track_id < 4"}) {
        plan["where"] = where;
        plan["on_damage"] = "fail";
        auto expected = read_rows(data, plan).rows;
        std::erase_if(expected, [&](std::int64_t row) {
          return lost.count(data.agents[static_cast<std::size_t>(row)].scene) > 0;
        });
        std::sort(expected.begin(), expected.end());
        plan["on_damage"] = "skip";
        Engine engine;
        const auto query = engine.reader(plan.dump());
        auto found = read_rows(engine, *query, damaged).rows;
        std::sort(found.begin(), found.end());
        CHECK(found == expected);
        std::set<std::int64_t> skipped;
        for (const auto& [block, error] : query->skipped()) {
          skipped.insert(static_cast<std::int64_t>(block));
          CHECK(error.starts_with("agents/"));
        }
        CHECK(skipped == lost);
        CHECK(query->skipped().size() == lost.size());
        CHECK(json::parse(query->explain())["skipped"].size() == lost.size());
        // Counting leaves out the same.
        const auto counter = engine.reader_of_counts(query->plan());
        std::size_t count = 0;
        do {
          counter->advance();
          run(engine, *counter, damaged);
          count += counter->batch_size();
        } while (!counter->at_end());
        CHECK(count == expected.size());
      }
    }
    CHECK(error_code([&] {
            read_rows(data, {{"on_damage", "skip"}, {"order", {{"mode", "full"}}}});
          }) == Errc::invalid_argument);
  }

  TEST_CASE("a damaged chunk of frames costs only the scenes that need it") {
    const auto data = random_scenes(3, 30, 10);
    auto damaged = data.store;
    damaged.objects["frames/5"].resize(3);
    Engine engine;
    const auto query =
        engine.reader(json{{"fields", kReaderFields}, {"on_damage", "skip"}}.dump());
    const auto found = read_rows(engine, *query, damaged);
    CHECK(mixed_fields(data, found) == 0);
    std::set<std::uint64_t> expected;
    for (std::size_t s = 0; s < data.scenes.size(); ++s) {
      const auto& frames = data.scenes[s];
      // The intervals of the frames beside the scene are read too. Chunks have 6 frames.
      const bool needs =
          frames.begin < frames.end && frames.begin - 1 < 36 && frames.end + 1 > 30;
      if (needs) expected.insert(s);
    }
    std::set<std::uint64_t> skipped;
    for (const auto& one : query->skipped()) skipped.insert(one.block);
    CHECK(skipped == expected);
  }

  TEST_CASE("fields at offsets are arrays of their own") {
    const auto data = random_scenes(5, 6, 20);
    const json plan{{"window",
                     {{"past", 2},
                      {"future", 1},
                      {"fields_at", {{"-2", {"row"}}, {"0", {"row", "yaw"}}}}}}};
    Engine engine;
    const auto query = engine.reader(plan.dump());
    query->advance();
    const auto batch = run(engine, *query, data.store);
    REQUIRE(batch.arrays.size() == 3);
    const auto now = batch.values<std::int64_t>("row@0");
    const auto before = batch.values<std::int64_t>("row@-2");
    REQUIRE(now.size() == query->batch_size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto& agent = data.agents[static_cast<std::size_t>(now[i])];
      CHECK(data.find(agent.frame - 2, agent.agent.track_id) == before[i]);
    }
  }

  TEST_CASE("frames, scenes, faces and plain arrays are tables too") {
    const auto data = random_scenes(5, 6, 20);
    Engine engine;
    const auto read_rows = [&](const char* plan) {
      const auto query = engine.reader(plan);
      std::vector<std::int64_t> rows;
      while (true) {
        query->advance();
        const auto batch = run(engine, *query, data.store);
        if (query->at_end()) return rows;
        append(rows, batch.values<std::int64_t>("row"));
      }
    };
    CHECK(read_rows(R"({"from": "scenes", "fields": ["row", "host"]})").size() == 6);
    CHECK(read_rows(R"({"from": "frames", "fields": ["row", "timestamp", "time"]})")
              .size() == data.frames.size());
    for (const auto* table : {"scenes", "frames", "agents"}) {
      CAPTURE(table);
      const auto count = [&](const std::string& where) {
        const json plan{{"from", table}, {"fields", {"row"}}, {"where", where}};
        return read_rows(plan.dump().c_str()).size();
      };
      const auto all = count("true");
      CHECK(all > 3);
      for (const auto* never : {"1 == 0", "false", "not true", "row >= 0 and false",
                                "false and row >= 0", "not isnan(3) and isnan(3)",
                                "hash_split(3, [0.5, 0.5], 0) and "
                                "hash_split(3, [0.5, 0.5], 1)"}) {
        CAPTURE(never);
        CHECK(count(never) == 0);
      }
      CHECK(count("row < 3 and true") == 3);
      CHECK(count("row < 3 and not isnan(3)") == 3);
      CHECK(count("false or row < 3") == 3);
    }
    const auto frames = read_rows(
        R"({"from": "frames", "fields": ["row"], "where": "agent_count == 0"})");
    const auto empty =
        std::count_if(data.frames.begin(), data.frames.end(),
                      [](const auto& rows) { return rows.begin == rows.end; });
    CHECK(frames.size() == static_cast<std::size_t>(empty));
    CHECK(read_rows(R"({"from": "traffic_light_faces", "fields": ["row", "state"]})")
              .empty());
  }

  TEST_CASE("invalid plans are refused by name") {
    const auto data = random_scenes(5, 6, 20);
    const auto message = [&](const std::string& plan) {
      try {
        Engine engine;
        const auto query = engine.reader(plan);
        run(engine, *query, data.store);
      } catch (const bev::Error& error) {
        return std::string(error.what());
      }
      return std::string("no error");
    };
    CHECK(message(R"({"form": "agents"})") ==
          "plan: unknown member \"form\" (expected from, where, fields, window, order, "
          "shard, batch, on_damage, transform, sample)");
    CHECK(message(R"({"from": "agent"})") == "unknown array \"agent\"");
    CHECK(message(R"({"shard": {"index": 4, "count": 4}})") ==
          "plan.shard.index: invalid value (found 4, expected an integer from 0 to 3)");
    CHECK(
        message(R"({"window": {"past": 3, "edges": "wrap"}})") ==
        "plan.window.edges: invalid value (found \"wrap\", expected \"drop\", \"pad\", "
        "\"clamp\")");
    CHECK(message(R"({"from": "scenes", "window": {}})") ==
          "plan.window: not supported for scenes (expected frames, agents or a table "
          "without "
          "scenes)");
    CHECK(message(R"({"where": "spead > 3"})").starts_with("filter, column 1: "));
    CHECK(message(R"({"fields": ["yaww"]})")
              .starts_with("unknown field \"yaww\" (expected one of centroid, "));
  }
}
