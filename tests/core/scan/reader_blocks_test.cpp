#include "core/scan/reader_blocks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scan/reader_query.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/reader_rows.hpp"
#include "tests/support/rounds.hpp"

using bev::Engine;
using namespace bev::test;

namespace {

/// A filter and what it means.
struct Condition {
  std::string text;
  std::function<bool(const PlacedAgent&)> passes;
};

Condition random_condition(std::mt19937& random, const RandomScenes& data) {
  const auto limit = static_cast<int>(random() % 12);
  const auto number = std::to_string(limit);
  const auto frame_of = [&data](const PlacedAgent& agent) {
    return agent.frame - data.scenes[static_cast<std::size_t>(agent.scene)].begin;
  };
  switch (random() % 7) {
    case 0:
      return {"scene < " + number,
              [limit](const PlacedAgent& a) { return a.scene < limit; }};
    case 1:
      return {"frame >= " + number + " and track_id != 2",
              [limit, frame_of](const PlacedAgent& a) {
                return frame_of(a) >= limit && a.agent.track_id != 2;
              }};
    case 2:
      return {"centroid[0] > " + number + "0", [limit](const PlacedAgent& a) {
                return a.agent.centroid[0] > 10 * limit;
              }};
    case 3:
      return {"speed > " + number + " and scene != 1 and frame < 7",
              [limit, frame_of](const PlacedAgent& a) {
                return a.agent.velocity[0] > static_cast<float>(limit) &&
                       a.scene != 1 && frame_of(a) < 7;
              }};
    case 4:
      return {"track_id == " + number + " or frame == 3",
              [limit, frame_of](const PlacedAgent& a) {
                return a.agent.track_id == static_cast<std::uint64_t>(limit) ||
                       frame_of(a) == 3;
              }};
    case 5:
      return {"host == \"host-1\" and row >= " + number + "0",
              [limit](const PlacedAgent& a) {
                return a.scene % 3 == 1 && a.row >= 10 * limit;
              }};
    default: return {"true", [](const PlacedAgent&) { return true; }};
  }
}

/// The rows of an item's window in the data; -1 for absent ones.
std::vector<std::int64_t> window_of(const RandomScenes& data, const PlacedAgent& agent,
                                    const json& window) {
  const auto past = window.value("past", std::int64_t{0});
  const auto future = window.value("future", std::int64_t{0});
  const auto step = window.value("step", std::int64_t{1});
  const auto gap = window.value("max_gap_s", 1e9);
  const auto& frames = data.scenes[static_cast<std::size_t>(agent.scene)];
  std::vector<std::int64_t> out(static_cast<std::size_t>(past + 1 + future), -1);
  out[static_cast<std::size_t>(past)] = agent.row;
  for (const int direction : {-1, 1}) {
    auto present = agent.frame;
    for (std::int64_t i = 1; i <= (direction < 0 ? past : future); ++i) {
      const auto frame = agent.frame + direction * i * step;
      if (frame < frames.begin || frame >= frames.end) break;
      const auto row = data.find(frame, agent.agent.track_id);
      if (!row) continue;
      const auto seconds = static_cast<double>(std::abs(
                               data.timestamps[static_cast<std::size_t>(frame)] -
                               data.timestamps[static_cast<std::size_t>(present)])) *
                           1e-9;
      if (seconds > gap) break;
      out[static_cast<std::size_t>(past + direction * i)] = *row;
      present = frame;
    }
  }
  return out;
}

/// The windows that a plan without order and shards has, by brute force.
std::vector<std::int64_t> expected_rows(const RandomScenes& data, const json& plan,
                                        const Condition& condition) {
  std::vector<std::int64_t> out;
  const bool has_window = plan.contains("window");
  std::map<std::pair<std::int64_t, std::uint64_t>, std::int64_t> last;
  for (const auto& agent : data.agents) {
    if (!condition.passes(agent)) continue;
    if (!has_window) {
      out.push_back(agent.row);
      continue;
    }
    const auto& window = plan["window"];
    const auto step = window.value("step", std::int64_t{1});
    const auto first = data.scenes[static_cast<std::size_t>(agent.scene)].begin;
    if ((agent.frame - first) % window.value("stride", std::int64_t{1}) != 0) continue;
    const std::pair key{agent.scene, agent.agent.track_id};
    const bool overlap = window.value("overlap", true);
    const auto begin = agent.frame - window.value("past", std::int64_t{0}) * step;
    if (!overlap && last.contains(key) && begin <= last[key]) continue;
    const auto rows = window_of(data, agent, window);
    const bool complete = std::count(rows.begin(), rows.end(), -1) == 0;
    if (!complete && window.value("edges", std::string("drop")) == "drop") continue;
    last[key] = agent.frame + window.value("future", std::int64_t{0}) * step;
    append(out, rows);
  }
  return out;
}

json random_window(std::mt19937& random) {
  json window{{"past", random() % 4}, {"future", random() % 4}};
  if (random() % 3 == 0) window["step"] = 1 + random() % 3;
  if (random() % 4 == 0) window["stride"] = 1 + random() % 3;
  if (random() % 4 == 0) window["overlap"] = false;
  if (random() % 4 == 0) window["max_gap_s"] = 0.35;
  window["edges"] = std::array{"drop", "pad", "clamp"}[random() % 3];
  return window;
}

/// The rows of items, -1 where they are absent.
std::vector<std::int64_t> present_rows(const ReaderRows& items) {
  auto rows = items.rows;
  for (std::size_t i = 0; i < items.mask.size(); ++i) {
    if (items.mask[i] == 0) rows[i] = -1;
  }
  return rows;
}

}  // namespace

TEST_SUITE("scan/reader_blocks") {
  TEST_CASE("random plans read what brute force finds") {
    std::mt19937 random(7);
    for (std::uint32_t round = 0; round < rounds(50U); ++round) {
      const auto data = random_scenes(round, 1 + random() % 12, 1 + random() % 90);
      for (int i = 0; i < 20; ++i) {
        const auto condition = random_condition(random, data);
        json plan{{"where", condition.text}};
        if (random() % 2 == 0) plan["window"] = random_window(random);
        plan["batch"] = {{"size", 1 + random() % 40}};
        CAPTURE(plan.dump());
        CAPTURE(round);
        const auto expected = expected_rows(data, plan, condition);
        const auto width = plan.contains("window")
                               ? std::size_t{1} +
                                     plan["window"]["past"].get<std::size_t>() +
                                     plan["window"]["future"].get<std::size_t>()
                               : std::size_t{1};
        const auto items = read_rows(data, plan);
        REQUIRE(present_rows(items) == expected);
        CHECK(mixed_fields(data, items) == 0);
        plan["order"] = {{"mode", random() % 2 == 0 ? "blocks" : "full"},
                         {"seed", random() % 5},
                         {"group", 1 + random() % 4}};
        const auto permuted = read_rows(data, plan);
        REQUIRE(sorted(present_rows(permuted), width) == sorted(expected, width));
        CHECK(mixed_fields(data, permuted) == 0);
      }
    }
  }

  TEST_CASE("what readers learn excludes chunks later and changes no result") {
    std::mt19937 random(17);
    std::uint64_t excluded = 0;
    for (std::uint32_t round = 0; round < rounds(20U); ++round) {
      const auto data = random_scenes(round, 1 + random() % 12, 1 + random() % 90);
      Engine engine;  // all plans share what is learnt
      for (int i = 0; i < 40; ++i) {
        const auto condition = random_condition(random, data);
        json plan{{"fields", kReaderFields}, {"where", condition.text}};
        if (random() % 3 == 0) plan["window"] = random_window(random);
        plan["order"] = {{"mode", std::array{"none", "blocks", "full"}[random() % 3]}};
        CAPTURE(plan.dump());
        CAPTURE(round);
        const auto query = engine.reader(plan.dump());
        const auto items = read_rows(engine, *query, data.store);
        const auto alone = read_rows(data, plan);
        REQUIRE(items.rows == alone.rows);
        REQUIRE(items.mask == alone.mask);
        excluded += query->counts().pieces_excluded;
      }
    }
    CHECK(excluded > rounds(50U));
  }

  TEST_CASE("a filter whose chunks are all excluded by earlier ones reads nothing") {
    const auto data = random_scenes(3, 30, 10);
    Engine engine;
    const auto keys_of = [&](const char* where) {
      const auto query =
          engine.reader(json{{"where", where}, {"fields", {"row"}}}.dump());
      std::size_t rows = 0;
      do {
        query->advance();
        run(engine, *query, data.store);
        rows += query->batch_size();
      } while (!query->at_end());
      CHECK(query->counts().rows_tested == (rows > 0 ? data.agents.size() : 0));
      return query->block_count();
    };
    for (const auto* column :
         {"speed", "track_id", "centroid[0]", "label_probability"}) {
      CAPTURE(column);
      CHECK(keys_of((std::string(column) + " >= 0.5").c_str()) == 30);
      CHECK(keys_of((std::string(column) + " > 1000").c_str()) == 0);
    }
  }

  TEST_CASE("windows do not depend on the chunks' lengths") {
    for (const auto* edges : {"drop", "clamp"}) {
      std::vector<std::int64_t> first;
      std::size_t expected = 0;
      for (const std::uint64_t chunk : {30U, 64U, 100U, 1000U, 10000U}) {
        const auto data = random_scenes(5, 60, chunk);
        const json plan{{"from", "frames"},
                        {"fields", {"row"}},
                        {"window", {{"past", 2}, {"future", 3}, {"edges", edges}}}};
        Engine engine;
        const auto query = engine.reader(plan.dump());
        std::vector<std::int64_t> rows;
        while (true) {
          query->advance();
          const auto batch = run(engine, *query, data.store);
          if (query->at_end()) break;
          append(rows, batch.values<std::int64_t>("row"));
        }
        expected = 0;
        for (const auto& scene : data.scenes) {
          const auto length = static_cast<std::size_t>(scene.end - scene.begin);
          const bool drops = std::string_view(edges) == "drop";
          expected += drops ? (length < 6 ? 0 : length - 6 + 1) : length;
        }
        CHECK(rows.size() == expected * 6);
        if (first.empty()) first = rows;
        CHECK(rows == first);
      }
      CHECK(expected > 0);
    }
  }

  TEST_CASE("chunks that frames or scenes exclude are not requested") {
    const auto data = random_scenes(3, 30, 10);
    const auto keys_of = [&](const json& plan) {
      Engine engine;
      const auto query = engine.reader(plan.dump());
      std::set<std::string> keys;
      do {
        query->advance();
        const auto batch = run(engine, *query, data.store);
        for (const auto& key : batch.keys) {
          if (key.starts_with("agents/") && key.back() != 'y') keys.insert(key);
        }
      } while (!query->at_end());
      return keys;
    };
    for (const auto* where : {"scene == 17", "frame == 4 and host == \"host-0\""}) {
      std::set<std::string> expected;
      const bool by_scene = std::string_view(where) == "scene == 17";
      for (const auto& agent : data.agents) {
        const auto first = data.scenes[static_cast<std::size_t>(agent.scene)].begin;
        const bool passes = by_scene ? agent.scene == 17
                                     : agent.frame - first == 4 && agent.scene % 3 == 0;
        if (passes) expected.insert("agents/" + std::to_string(agent.row / 10));
      }
      CHECK(keys_of({{"where", where}}) == expected);
      CHECK(keys_of({{"where", std::string(where) + " and track_id < 9"}}) == expected);
    }
  }
}
