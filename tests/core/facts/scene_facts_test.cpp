#include "core/facts/scene_facts.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/base/sha256.hpp"
#include "tests/support/driven_scenes.hpp"
#include "tests/support/facts_check.hpp"
#include "tests/support/goldens.hpp"

using bev::test::check_facts;
using bev::test::driven_store;
using bev::test::run;

namespace {

/// Returns the hash of all facts of a store.
template <class Store>
std::string hash_of(const Store& store, std::uint64_t scenes) {
  bev::Engine engine;
  const auto query = engine.facts();
  bev::Sha256 hash;
  for (std::uint64_t scene = 0; scene < scenes; ++scene) {
    query->seek(scene);
    for (const auto& array : run(engine, *query, store).arrays) hash.add(array.bytes);
  }
  return hash.hex();
}

}  // namespace

TEST_SUITE("facts/scene_facts") {
  TEST_CASE("facts of random scenes are those of the definitions") {
    const auto store = driven_store(5, 6, 120);
    int turns = 0, collisions = 0;
    for (std::uint64_t scene = 0; scene < 6; ++scene) {
      for (const auto& track : check_facts(store, scene).tracks) {
        if (track.facts.at("turn") > 1) ++turns;
        for (const double ttc : track.series.at("min_ttc")) {
          if (ttc < 2) ++collisions;
        }
      }
    }
    CHECK(turns >= 5);  // these scenes are not trivial
    CHECK(collisions > 50);
  }

  TEST_CASE("facts of single_scene are those of the definitions") {
    BEV_REQUIRE_GOLDENS();
    const bev::test::FolderStore store(bev::test::goldens() +
                                       "/inputs/single_scene.zarr");
    check_facts(store, 0);
  }

  TEST_CASE("facts are equal to the bit on every platform") {
    CHECK(hash_of(driven_store(9, 4, 80), 4) ==
          "e9cba658c57029e611df8f485cec2b00b1ac4fe58b2cc7e5e9b2e7d2b5add87c");
  }

  TEST_CASE("an empty scene has no facts but its counts") {
    bev::facts::FactsMaker maker;
    const bev::scene::SceneDataset nothing;
    maker.compute({7, nothing, bev::zarr::Text{{}, {0}}, nullptr});
    CHECK(maker.scene().scene == 7);
    CHECK(maker.scene().frames == 0);
    CHECK(std::isnan(maker.scene().ego.duration));
    CHECK(maker.scene().ttc.frame == bev::facts::kNoFrame);
    CHECK(maker.tracks().empty());
  }

  TEST_CASE("positions that are not finite are left out, not passed on") {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    bev::scene::SceneDataset data;
    for (int k = 0; k < 6; ++k) {
      data.frames.timestamp.push_back(k * 100'000'000);
      data.frames.agent_index_interval.push_back({k, k + 1});
      data.frames.ego_translation.push_back({k == 2 ? kNan : 1.0 * k, 0, 0});
      data.frames.ego_rotation.push_back({1, 0, 0, 0, 1, 0, 0, 0, 1});
      data.agents.centroid.push_back({k == 3 ? kNan : 10.0, 0});
      data.agents.extent.push_back({4, 2, 1});
      data.agents.yaw.push_back(std::numeric_limits<float>::quiet_NaN());
      data.agents.track_id.push_back(7);
      data.agents.label_probabilities.push_back({0, 0, 0, 1});
    }
    bev::facts::FactsMaker maker;
    maker.compute({0, data, bev::zarr::Text{{}, {0}}, nullptr});
    CHECK(maker.scene().ego.duration == doctest::Approx(0.5));
    REQUIRE(maker.tracks().size() == 1);
    CHECK(maker.tracks()[0].frames == 5);
    CHECK(maker.tracks()[0].motion.distance == 0);
    CHECK(std::isnan(maker.tracks()[0].ego.value));  // its heading is unknown
  }
}
