#include "core/convert/scenario_writer.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/convert/argoverse2.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/argoverse2.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/memory_store.hpp"

using namespace bev;
using namespace bev::convert;
using nlohmann::json;
using test::MemoryStore;

namespace {

/// Returns the small scenario with an id, and a map if `lane` is positive.
Scenario scenario(const std::string& id, int lane = 0) {
  auto rows = test::small_scenario();
  rows.texts["scenario_id"] = {};
  for (std::size_t i = 0; i < rows.integers["timestep"].size(); ++i) {
    rows.texts["scenario_id"].add(id);
  }
  Scenario out = import_argoverse2(rows.table(), argoverse2_tables());
  out.file = id + ".parquet";
  out.sha256 = "00ff";
  if (lane > 0) {
    out.map = parse_argoverse2_map(test::map_json({test::lane_json(lane, 0, 0)}).dump(),
                                   "austin", argoverse2_tables());
  }
  return out;
}

/// Uncompressed chunks of few rows, so that a scenario fills several.
ScenarioWriterOptions small_chunks() {
  ScenarioWriterOptions options;
  options.source = "argoverse2";
  options.layout.codec = "none";
  options.layout.scenes_per_chunk = 2;
  options.layout.frames_per_chunk = 3;
  options.layout.agents_per_chunk = 10;
  return options;
}

json document(const MemoryStore& store, const std::string& key) {
  const auto& bytes = store.objects.at(key);
  return json::parse(
      std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

std::vector<std::uint32_t> mask_rows(const MemoryStore& store) {
  const auto& bytes = store.objects.at("agents_mask/0.5/0.0");
  std::vector<std::uint32_t> out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

}  // namespace

TEST_SUITE("convert/scenario_writer") {
  TEST_CASE("each scenario is a scene of one data set") {
    MemoryStore store;
    ScenarioWriter writer(store, small_chunks());
    writer.add(scenario("a"));
    writer.add(scenario("b"));
    CHECK(writer.scene_count() == 2);
    writer.close();
    Engine engine;
    const auto frames = engine.rows({"frames"});
    const auto agents = engine.rows({"agents"});
    const auto rows = test::run(engine, *frames, store);
    CHECK(rows.values<std::int64_t>("timestamp").size() == 8);
    CHECK(rows.values<std::int64_t>("agent_index_interval")[2 * 4] == 13);
    const auto found = test::run(engine, *agents, store);
    const auto centroid = found.values<double>("centroid");
    REQUIRE(centroid.size() == 2 * 26);
    CHECK(centroid[2 * 13] == 100);
    CHECK(found.values<std::uint64_t>("track_id")[16] == 7);
  }

  TEST_CASE("the mask has a row for each agent") {
    MemoryStore store;
    ScenarioWriter writer(store, small_chunks());
    writer.add(scenario("a"));
    writer.add(scenario("b"));
    writer.close();
    const auto meta = document(store, "agents_mask/0.5/.zarray");
    CHECK(meta["shape"] == json({26, 2}));
    const auto mask = mask_rows(store);
    CHECK(mask[0] == 0);
    CHECK(mask[1] == 3);
    CHECK(mask[2 * 13 + 1] == 3);
    CHECK(mask[2 * 2] + mask[2 * 2 + 1] == 0);  // the fragment
  }

  TEST_CASE("without a mask rule no mask is written") {
    MemoryStore store;
    auto options = small_chunks();
    options.mask.reset();
    ScenarioWriter writer(store, options);
    writer.add(scenario("a"));
    writer.close();
    CHECK(!store.objects.contains("agents_mask/0.5/.zarray"));
    CHECK(document(store, ".zattrs")["bevscope"]["mask"] == "none");
    CHECK(!document(store, ".zattrs")["bevscope"].contains("map"));
  }

  TEST_CASE("attributes name source, losses and what the records lack") {
    MemoryStore store;
    ScenarioWriter writer(store, small_chunks());
    auto first = scenario("a", 1);
    first.repeated_ego_poses = 2;
    first.absent_frames = 5;
    writer.add(first);
    const json report = json::parse(writer.close());
    const json all = document(store, ".zattrs");
    CHECK(all["labels"].size() == 17);
    const json& own = all["bevscope"];
    CHECK(own["source"] == "argoverse2");
    CHECK(own["mask"] == "scored");
    CHECK(own["map"] == "semantic_map/semantic_map.pb");
    CHECK(own["lost"] == json{{"drivable area", 1},
                              {"frames without rows", 5},
                              {"repeated ego poses", 2}});
    REQUIRE(own["scenes"].size() == 1);
    CHECK(own["scenes"][0]["scenario_id"] == "a");
    CHECK(own["scenes"][0]["focal"] == 7);
    CHECK(own["scenes"][0]["file"] == "a.parquet");
    CHECK(own["scenes"][0]["sha256"] == "00ff");
    CHECK(document(store, ".zmetadata")["metadata"][".zattrs"] == all);
    CHECK(report["lost"] == own["lost"]);
    CHECK(report["scenes"] == 1);
    CHECK(report["counts"] == json{{"frames", 4}, {"agents", 13}, {"faces", 0}});
    CHECK(report["tracks"] ==
          json{{"vehicle", 1}, {"pedestrian", 1}, {"cyclist", 1}, {"static", 1}});
    CHECK(report["roles"] ==
          json{{"focal", 1}, {"scored", 1}, {"unscored", 1}, {"fragment", 1}});
    CHECK(report["map"]["lanes"] == 1);
  }

  TEST_CASE("the maps are joined into one") {
    MemoryStore store;
    ScenarioWriter writer(store, small_chunks());
    writer.add(scenario("a", 1));
    writer.add(scenario("b", 2));
    const json report = json::parse(writer.close());
    CHECK(report["map"]["lanes"] == 2);
    CHECK(report["map"]["crosswalks"] == 1);
    CHECK(report["map"]["duplicates"] == 1);
    CHECK(store.objects.contains("semantic_map/semantic_map.pb"));
    CHECK(store.objects.contains("meta.json"));
  }

  TEST_CASE("scenarios with and without a map do not mix, and nothing is added") {
    MemoryStore store;
    ScenarioWriter writer(store, small_chunks());
    writer.add(scenario("a"));
    CHECK(test::error_code([&] { writer.add(scenario("b", 1)); }) ==
          Errc::invalid_argument);
    CHECK(writer.scene_count() == 1);
    writer.add(scenario("c"));
    writer.close();
    CHECK(!store.objects.contains("meta.json"));
    CHECK(document(store, "agents/.zarray")["shape"] == json{26});
  }

  TEST_CASE("a writer that was interrupted anywhere continues to equal bytes") {
    MemoryStore whole;
    ScenarioWriter straight(whole, small_chunks());
    for (int i = 0; i < 5; ++i) straight.add(scenario(std::to_string(i), i % 2 + 1));
    const std::string report = straight.close();
    for (int stop = 0; stop <= 5; ++stop) {
      CAPTURE(stop);
      MemoryStore store;
      std::string state;
      {
        ScenarioWriter first(store, small_chunks());
        for (int i = 0; i < stop; ++i)
          first.add(scenario(std::to_string(i), i % 2 + 1));
        state = first.state();
        if (stop < 5) first.add(scenario(std::to_string(stop), stop % 2 + 1));
      }
      ScenarioWriter second(store, small_chunks());
      second.restore(state);
      CHECK(second.scene_count() == static_cast<std::uint64_t>(stop));
      for (int i = 0; i < 5; ++i) {
        const auto next = scenario(std::to_string(i), i % 2 + 1);
        i < stop ? second.add_map(next) : second.add(next);
      }
      CHECK(second.close() == report);
      CHECK(store.objects == whole.objects);
    }
  }

  TEST_CASE("maps that are not added again after a restoration are missed") {
    MemoryStore store;
    ScenarioWriter first(store, small_chunks());
    first.add(scenario("a", 1));
    ScenarioWriter second(store, small_chunks());
    second.restore(first.state());
    CHECK(test::error_code([&] { second.close(); }) == Errc::invalid_argument);
  }

  TEST_CASE("a state that is damaged or of other options is rejected") {
    MemoryStore store;
    ScenarioWriter writer(store, small_chunks());
    writer.add(scenario("a", 1));
    const std::string state = writer.state();
    const auto restored = [&](const std::string& bytes, ScenarioWriterOptions options) {
      ScenarioWriter other(store, std::move(options));
      return test::error_code([&] { other.restore(bytes); });
    };
    CHECK(restored(state, small_chunks()) == std::nullopt);
    for (std::size_t size = 0; size < state.size(); size += 7) {
      CHECK(restored(state.substr(0, size), small_chunks()) == Errc::corrupt_chunk);
    }
    auto other = small_chunks();
    other.mask = MaskRule{Role::focal};
    CHECK(restored(state, other) == Errc::corrupt_chunk);
    other = small_chunks();
    other.layout.agents_per_chunk = 11;
    CHECK(restored(state, other) == Errc::corrupt_chunk);
  }
}
