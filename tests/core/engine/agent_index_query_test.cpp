#include "core/engine/agent_index_query.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scene/mask_writer.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/small_scenes.hpp"

using bev::AgentIndexOptions;
using bev::Engine;
using bev::Error;
using bev::scene::AgentScope;
using bev::test::FolderStore;
using bev::test::MemoryStore;
using bev::test::run;
using bev::test::small_store;
using Rows = std::vector<std::int64_t>;

namespace {

template <class Store>
Rows indices(Engine& engine, const Store& store, const AgentIndexOptions& options) {
  return run(engine, *engine.agent_index(options), store)
      .template values<std::int64_t>("agents_indices");
}

/// The small data set with a mask where agent i has i frames before and 1 after it.
MemoryStore store_with_mask(std::size_t agents = 30) {
  auto store = small_store();
  std::vector<std::uint32_t> mask(2 * agents, 1);
  for (std::size_t i = 0; i < agents; ++i) mask[2 * i] = static_cast<std::uint32_t>(i);
  bev::scene::MaskWriter writer(store, "agents_mask/0.5", agents, {});
  writer.append(mask);
  writer.close();
  return store;
}

}  // namespace

TEST_SUITE("engine/agent_index_query") {
  TEST_CASE("items, scenes and frames equal L5Kit's AgentDataset") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens();
    const FolderStore store(folder + "/inputs/multi_scene.zarr");
    const auto golden =
        bev::test::read_npz(folder + "/outputs/select/multi_indices.npz");
    Engine engine;
    const auto query = engine.agent_index({});
    const auto found = run(engine, *query, store);
    CHECK(found.values<std::int64_t>("agents_indices") ==
          golden.at("agents_indices").as<std::int64_t>());
    const auto index = query->index();
    const auto mask = golden.at("mask_indices").as<std::int64_t>();
    for (std::size_t row = 0; row < mask.size(); ++row) {
      const auto item = index->item_of(static_cast<std::int64_t>(row));
      CHECK((item ? static_cast<std::int64_t>(*item) : -1) == mask[row]);
    }
    std::size_t compared = 0;
    for (const auto& entry : golden) {
      const auto& key = entry.first;
      const bool frame = key.starts_with("agent_frame_");
      if (!frame && (!key.starts_with("agent_scene_") || key.size() != 13)) continue;
      CAPTURE(key);
      const AgentScope scope{frame ? AgentScope::Kind::frame : AgentScope::Kind::scene,
                             std::stoull(key.substr(12))};
      const auto items = engine.agent_items(index, scope);
      CHECK(run(engine, *items, store).values<std::int64_t>("indices") ==
            entry.second.as<std::int64_t>());
      ++compared;
    }
    CHECK(compared == 48);
  }

  TEST_CASE("lengths for all minima equal L5Kit's") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens();
    for (const std::string tag : {"single", "multi"}) {
      const FolderStore store(folder + "/inputs/" + tag + "_scene.zarr");
      const auto lengths = nlohmann::json::parse(
          bev::test::read_text(folder + "/outputs/select/" + tag + "_lengths.json"));
      Engine engine;
      for (const auto& entry : lengths.items()) {
        const auto& key = entry.key();
        CAPTURE(key);
        AgentIndexOptions options;
        options.minima.history = static_cast<std::uint32_t>(std::stoul(key));
        options.minima.future =
            static_cast<std::uint32_t>(std::stoul(key.substr(key.find(',') + 1)));
        CHECK(indices(engine, store, options).size() ==
              entry.value().get<std::size_t>());
      }
    }
  }

  TEST_CASE("a stored mask is used, and nothing else is read") {
    const auto store = store_with_mask();
    Engine engine;
    const auto query = engine.agent_index({});
    const auto found = run(engine, *query, store);
    Rows expected(20);
    std::iota(expected.begin(), expected.end(), 10);
    CHECK(found.values<std::int64_t>("agents_indices") == expected);
    CHECK(query->from_store());
    CHECK(query->agents_done() == 30);
    CHECK(found.keys.contains("agents_mask/0.5/0.0"));
    CHECK_FALSE(found.keys.contains("agents/0"));
  }

  TEST_CASE("other rules and use_stored = false ignore the stored mask") {
    const auto store = store_with_mask();
    Engine engine;
    CHECK(indices(engine, store, {.minima = {4, 0}}).size() == 26);
    const Rows last{12, 13, 14, 27, 28, 29};  // of 5 frames in each scene
    CHECK(indices(engine, store, {.minima = {4, 0}, .use_stored = false}) == last);
    CHECK(indices(engine, store,
                  {.rules = {.max_distance_to_ego = 49}, .minima = {4, 0}}) == last);
  }

  TEST_CASE("the same query is answered from memory") {
    const auto store = small_store();
    Engine engine;
    const auto first = indices(engine, store, {.minima = {1, 1}});
    CHECK(first.size() == 18);
    const auto query = engine.agent_index({.minima = {1, 1}});
    CHECK(query->missing().empty());
    CHECK(run(engine, *query, store).values<std::int64_t>("agents_indices") == first);
    CHECK_FALSE(engine.agent_index({.minima = {1, 2}})->index());
    CHECK(indices(engine, store, {.minima = {1, 2}}).size() == 12);
  }

  TEST_CASE("a budget of a few chunks suffices for all scenes") {
    const auto store = small_store({.scenes = 12});
    Engine engine(6000);
    CHECK(indices(engine, store, {.minima = {4, 0}}).size() == 36);
    CHECK(engine.cache().bytes_held <= 6000);
  }

  TEST_CASE("a stored mask of the wrong shape is refused") {
    const auto store = store_with_mask(29);
    Engine engine;
    CHECK_THROWS_WITH_AS(indices(engine, store, {}),
                         "agents_mask/0.5: wrong type or shape (found <u4 of shape "
                         "(29, 2), expected <u4 of shape (30, 2))",
                         Error);
  }

  TEST_CASE("an unknown scene or frame is named") {
    const auto store = small_store();
    Engine engine;
    const auto index = std::make_shared<bev::scene::AgentIndex>();
    CHECK_THROWS_WITH_AS(
        run(engine, *engine.agent_items(index, {AgentScope::Kind::scene, 2}), store),
        "scene 2 is out of range (count 2)", Error);
    CHECK_THROWS_WITH_AS(
        run(engine, *engine.agent_items(index, {AgentScope::Kind::frame, 10}), store),
        "frame 10 is out of range (count 10)", Error);
  }
}
