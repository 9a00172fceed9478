#include "core/scan/facts_query.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/virtual_egos.hpp"

using bev::Engine;
using bev::test::run;
using bev::test::small_store;

TEST_SUITE("scan/facts_query") {
  TEST_CASE("without an ego vehicle, what is measured of it is unknown") {
    const auto store = bev::test::store_without_ego();
    Engine engine;
    const auto query = engine.facts();
    query->seek(1);
    const auto found = run(engine, *query, store);
    for (const auto* name :
         {"ego_distance", "ego_mean_speed", "ego_max_speed", "ego_hardest_brake",
          "heading_change", "stationary", "closest_vehicle", "min_ttc"}) {
      CAPTURE(name);
      CHECK(std::isnan(found.values<double>("scenes." + std::string(name))[0]));
    }
    CHECK(found.values<double>("scenes.duration")[0] == doctest::Approx(0.4));
    CHECK(found.values<std::uint32_t>("scenes.vehicles")[0] == 3);
    CHECK(found.values<double>("tracks.max_speed")[2] == doctest::Approx(30));
    for (const double metres : found.values<double>("tracks.closest_ego")) {
      CHECK(std::isnan(metres));
    }
    query->seek(0);
    const auto other = run(engine, *query, store);
    CHECK(other.values<double>("scenes.ego_mean_speed")[0] == doctest::Approx(20));
  }

  TEST_CASE("scenes are computed in any order") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.facts();
    query->seek(1);
    const auto second = run(engine, *query, store);
    CHECK(query->scene_count() == 2);
    CHECK(second.values<std::uint32_t>("scenes.scene") ==
          std::vector<std::uint32_t>{1});
    CHECK(second.values<std::uint32_t>("scenes.frames") ==
          std::vector<std::uint32_t>{5});
    CHECK(second.values<double>("scenes.ego_mean_speed")[0] == doctest::Approx(20));
    CHECK(second.values<std::uint64_t>("tracks.track_id") ==
          std::vector<std::uint64_t>{1, 2, 3});
    CHECK(second.values<double>("tracks.max_speed")[2] == doctest::Approx(30));
    query->seek(0);
    const auto first = run(engine, *query, store);
    CHECK(first.values<std::uint32_t>("tracks.scene") ==
          std::vector<std::uint32_t>{0, 0, 0});
  }

  TEST_CASE("each scene equals that of a query of its own") {
    const auto store = small_store({.scenes = 3, .frames = 12, .agents = 5});
    Engine engine;
    const auto all = engine.facts();
    for (std::uint64_t scene = 0; scene < 3; ++scene) {
      all->seek(scene);
      const auto found = run(engine, *all, store);
      Engine other;
      const auto alone = other.facts();
      alone->seek(scene);
      const auto expected = run(other, *alone, store);
      for (const auto& array : expected.arrays) {
        const auto& same = found[array.name];
        CHECK(std::equal(array.bytes.begin(), array.bytes.end(), same.bytes.begin(),
                         same.bytes.end()));
      }
    }
  }

  TEST_CASE("added scenes follow in the results; failed ones leave no rows") {
    auto store = small_store({.scenes = 3});
    Engine engine;
    const auto query = engine.facts();
    query->seek(0);
    run(engine, *query, store);
    query->add(9);
    CHECK_THROWS_AS(run(engine, *query, store), bev::Error);
    query->leave_out();
    CHECK(run(engine, *query, store).values<std::uint32_t>("scenes.scene") ==
          std::vector<std::uint32_t>{0});
    query->add(2);
    const auto found = run(engine, *query, store);
    CHECK(found.values<std::uint32_t>("scenes.scene") ==
          std::vector<std::uint32_t>{0, 2});
    CHECK(found.values<std::uint32_t>("tracks.scene") ==
          std::vector<std::uint32_t>{0, 0, 0, 2, 2, 2});
    query->seek(1);
    CHECK(run(engine, *query, store).values<std::uint32_t>("scenes.scene") ==
          std::vector<std::uint32_t>{1});
  }

  TEST_CASE("the chunks of all added scenes are named") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.facts();
    CHECK(query->chunks().empty());
    query->seek(1);
    run(engine, *query, store);
    const auto second = query->chunks();
    query->seek(0);
    run(engine, *query, store);
    const auto first = query->chunks();
    query->add(1);
    run(engine, *query, store);
    auto both = first;
    both.insert(both.end(), second.begin(), second.end());
    std::sort(both.begin(), both.end());
    both.erase(std::unique(both.begin(), both.end()), both.end());
    CHECK(query->chunks() == both);
    CHECK(first != second);
    for (const auto& key : both) CHECK(store.objects.count(key) == 1);
    // Every chunk of agents and frames is in a scene.
    for (const auto& [key, bytes] : store.objects) {
      const bool is_chunk = key.find("/.z") == std::string::npos && key[0] != '.';
      const bool is_row = key.rfind("agents/", 0) == 0 || key.rfind("frames/", 0) == 0;
      if (is_chunk && is_row) {
        CHECK(std::binary_search(both.begin(), both.end(), key));
      }
    }
  }

  TEST_CASE("unknown scenes and absent chunks are errors; the query remains usable") {
    auto store = small_store();
    const auto chunk = store.objects.extract("agents/1");
    Engine engine;
    const auto query = engine.facts();
    query->seek(2);
    CHECK_THROWS_WITH_AS(run(engine, *query, store),
                         "scene 2 is out of range (count 2)", bev::Error);
    query->seek(0);
    CHECK_THROWS_AS(run(engine, *query, store), bev::Error);
    store.objects[chunk.key()] = chunk.mapped();
    engine.forget_failures();
    CHECK(run(engine, *query, store).values<std::uint32_t>("scenes.tracks") ==
          std::vector<std::uint32_t>{3});
  }

  TEST_CASE("a data set without scenes has no rows") {
    const auto store = small_store({.scenes = 0});
    Engine engine;
    const auto query = engine.facts();
    CHECK(run(engine, *query, store)["scenes.scene"].bytes.empty());
    CHECK(query->scene_count() == 0);
  }
}
