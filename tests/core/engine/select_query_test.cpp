#include "core/engine/select_query.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::Error;
using bev::scene::SelectionReport;
using bev::scene::SelectionRules;
using bev::test::FolderStore;
using bev::test::run;
using bev::test::small_store;
using Mask = std::vector<std::uint32_t>;

namespace {

/// A whole data set's mask and report.
struct Selected {
  Mask mask;
  SelectionReport report;
};

template <class Store>
Selected select_all(const Store& store, const SelectionRules& rules) {
  Engine engine;
  const auto query = engine.select(rules);
  Selected out;
  while (query->next()) {
    const auto scene = run(engine, *query, store);
    const auto first = scene.template values<std::int64_t>("first").at(0);
    const auto mask = scene.template values<std::uint32_t>("mask");
    const auto at = 2 * static_cast<std::size_t>(first);
    out.mask.resize(std::max(out.mask.size(), at + mask.size()));
    std::copy(mask.begin(), mask.end(),
              out.mask.begin() + static_cast<std::ptrdiff_t>(at));
  }
  out.report = query->report();
  return out;
}

SelectionReport golden_report(const nlohmann::json& json) {
  SelectionReport out;
  out.agent_filter_probability_threshold =
      json.value("reject_th_agent_filter_probability_threshold", 0U);
  out.av_distance = json.value("reject_th_AV_distance", 0U);
  out.hole = json.value("reject_th_hole", 0U);
  out.yaw = json.value("reject_th_yaw", 0U);
  out.extent = json.value("reject_th_extent", 0U);
  out.total_reject = json.value("total_reject", 0U);
  out.total_agent_frames = json.value("total_agent_frames", 0U);
  return out;
}

struct GoldenRules {
  const char* name;
  SelectionRules rules;
};

const std::vector<GoldenRules>& golden_rules() {
  static const std::vector<GoldenRules> all{
      {"th0.5", {}},
      {"th0.0", {0.0, 30, 1.1, 50}},
      {"th0.8", {0.8, 30, 1.1, 50}},
      {"th0.9", {0.9, 30, 1.1, 50}},
      {"th0.5_y5_e1.1_d50", {0.5, 5, 1.1, 50}},
      {"th0.5_y30_e1.01_d50", {0.5, 30, 1.01, 50}},
      {"th0.5_y30_e1.1_d20", {0.5, 30, 1.1, 20}},
      {"th0.3_y180.1_e10.0_d1000", {0.3, 180.1, 10, 1000}}};
  return all;
}

}  // namespace

TEST_SUITE("engine/select_query") {
  TEST_CASE("masks and reports equal L5Kit's for every set of rules") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens();
    const auto manifest =
        nlohmann::json::parse(bev::test::read_text(folder + "/manifest.json"));
    for (const std::string tag : {"single", "multi"}) {
      const FolderStore store(folder + "/inputs/" + tag + "_scene.zarr");
      for (const auto& golden_rule : golden_rules()) {
        const auto* const name = golden_rule.name;
        CAPTURE(tag);
        CAPTURE(name);
        const auto file = "outputs/select/" + tag + "_" + name + ".npz";
        const auto golden = bev::test::read_npz(folder + "/" + file).at("mask");
        const auto ours = select_all(store, golden_rule.rules);
        CHECK(ours.mask == golden.as<std::uint32_t>());
        CHECK(ours.report ==
              golden_report(manifest.at("files").at(file).at("notes").at("report")));
      }
    }
  }

  TEST_CASE("scenes are read in order, each with its first row") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.select();
    std::vector<std::int64_t> firsts;
    while (query->next()) {
      const auto scene = run(engine, *query, store);
      CHECK(query->scene() == firsts.size());
      CHECK(scene["mask"].shape == std::vector<std::size_t>{15, 2});
      CHECK(scene["first"].shape.empty());
      firsts.push_back(scene.values<std::int64_t>("first").at(0));
      CHECK(scene.values<std::uint32_t>("mask")[28] == 4);
    }
    CHECK(firsts == std::vector<std::int64_t>{0, 15});
    CHECK(query->scene_count() == 2);
    CHECK(query->report().total_agent_frames == 30);
    CHECK_FALSE(query->next());
  }

  TEST_CASE("a selection can start at any scene") {
    const auto store = small_store();
    Engine all_engine;
    const auto all = all_engine.select();
    all->next();
    run(all_engine, *all, store);
    all->next();
    const auto second = run(all_engine, *all, store);
    Engine engine;
    const auto query = engine.select({}, 1);
    REQUIRE(query->next());
    const auto scene = run(engine, *query, store);
    CHECK(query->scene() == 1);
    CHECK(scene.values<std::int64_t>("first").at(0) == 15);
    CHECK(scene.values<std::uint32_t>("mask") == second.values<std::uint32_t>("mask"));
    CHECK(query->report().total_agent_frames == 15);
    CHECK_FALSE(query->next());
  }

  TEST_CASE("a selection cannot start after the last scene") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.select({}, 2);
    CHECK_THROWS_WITH_AS(run(engine, *query, store),
                         "selection of agents: scene 2 is out of range (count 2)",
                         Error);
  }

  TEST_CASE("building a scene twice counts it once") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.select();
    const auto scene = run(engine, *query, store);
    const auto mask = scene.values<std::uint32_t>("mask");
    CHECK(run(engine, *query, store).values<std::uint32_t>("mask") == mask);
    CHECK(query->report().total_agent_frames == 15);
  }

  TEST_CASE("only the scene's chunks of frames and agents are requested") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.select();
    const auto keys = run(engine, *query, store).keys;
    CHECK(keys.contains("agents/1"));
    CHECK_FALSE(keys.contains("agents/2"));
    CHECK_FALSE(keys.contains("traffic_light_faces/0"));
  }

  TEST_CASE("next() before the scene was read is refused") {
    Engine engine;
    const auto query = engine.select();
    CHECK(query->next());
    CHECK_THROWS_WITH_AS(query->next(),
                         "selection of agents: next() before scene 0 was read", Error);
  }

  TEST_CASE("a data set without scenes has an empty mask") {
    const auto store = small_store({.scenes = 0});
    Engine engine;
    const auto query = engine.select();
    CHECK(query->next());
    CHECK(run(engine, *query, store)["mask"].shape == std::vector<std::size_t>{0, 2});
    CHECK_FALSE(query->next());
  }

  TEST_CASE("the three-array layout is supported") {
    BEV_REQUIRE_GOLDENS();
    const FolderStore store(bev::test::goldens() + "/inputs/old_format.zarr");
    const auto ours = select_all(store, {});
    CHECK(ours.mask.size() == 2 * 2811);
    CHECK(ours.report.total_agent_frames == 2811);
  }

  TEST_CASE("invalid intervals are an error, whatever their size") {
    auto store = small_store();
    auto& chunk = store.objects.at("scenes/0");
    chunk[8] = std::byte{0xff};  // the end of scene 0's frames
    chunk[13] = std::byte{0x7f};
    Engine engine;
    const auto query = engine.select();
    CHECK_THROWS_WITH_AS(run(engine, *query, store),
                         doctest::Contains("scenes/0: invalid frame_index_interval"),
                         Error);
  }
}
