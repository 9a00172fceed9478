#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/virtual_egos.hpp"

using bev::Engine;
using bev::test::error_code;
using bev::test::run;
using bev::test::small_store;

TEST_SUITE("engine/timeline_query") {
  TEST_CASE("without an ego vehicle, its motion is unknown") {
    const auto store = bev::test::store_without_ego();
    Engine engine;
    const auto query = engine.timeline(1, 3);
    const auto line = run(engine, *query, store);
    CHECK(line["ego.is_virtual"].bytes[0] == std::byte{1});
    for (const auto* name :
         {"ego.speed", "ego.acceleration", "ego.yaw", "ego.yaw_rate"}) {
      const auto values = line.values<double>(name);
      CHECK(values.size() == 5);
      for (const double value : values) CHECK(std::isnan(value));
    }
    CHECK(line.values<double>("track.speed") == std::vector<double>(5, 30));
    CHECK(line.values<std::uint32_t>("anomalies.frame").empty());
    const auto other = engine.timeline(0);
    CHECK(run(engine, *other, store)["ego.is_virtual"].bytes[0] == std::byte{0});
  }

  TEST_CASE("a scene's motion follows its frames") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.timeline(1, 3);
    const auto line = run(engine, *query, store);
    CHECK(line.values<double>("ego.speed") == std::vector<double>(5, 20));
    CHECK(line.values<double>("track.speed") == std::vector<double>(5, 30));
    CHECK(line["ego.yaw"].shape == std::vector<std::size_t>{5});
    CHECK(line.values<double>("track.acceleration")[2] == doctest::Approx(0));
    CHECK(line.values<std::int64_t>("start") == std::vector<std::int64_t>{500'000'000});
    CHECK(line.values<double>("seconds")[4] == doctest::Approx(0.4));
    CHECK(line.values<std::uint32_t>("anomalies.frame").empty());
    CHECK(line.text("faces.id") == "redgreen");
    CHECK(line.values<std::uint32_t>("faces.first_frame") ==
          std::vector<std::uint32_t>{0, 0});
  }

  TEST_CASE("an absent track has NaN motion; without a track there is no array") {
    const auto store = small_store();
    Engine engine;
    const auto lost = engine.timeline(0, 99);
    for (const double speed : run(engine, *lost, store).values<double>("track.speed")) {
      CHECK(std::isnan(speed));
    }
    const auto alone = engine.timeline(0);
    for (const auto& array : run(engine, *alone, store).arrays) {
      CHECK(array.name.rfind("track", 0) == std::string::npos);
    }
  }

  TEST_CASE("absent chunks are reported at their first rows") {
    auto store = small_store();
    store.objects.erase("agents/1");  // rows 8 to 15: frames 2 to 4, and the next scene
    Engine engine;
    const auto query = engine.timeline(0);
    const auto line = run(engine, *query, store);
    CHECK(line.values<std::uint8_t>("anomalies.kind") == std::vector<std::uint8_t>{6});
    CHECK(line.values<std::uint32_t>("anomalies.frame") ==
          std::vector<std::uint32_t>{2});
    CHECK(line.values<double>("anomalies.amount") == std::vector<double>{3});
    const auto next = engine.timeline(1);
    const auto after = run(engine, *next, store);
    CHECK(after.values<std::uint32_t>("anomalies.frame") ==
          std::vector<std::uint32_t>{0});
    CHECK(after.values<double>("anomalies.amount") == std::vector<double>{1});
  }

  TEST_CASE("a frame whose record is absent has no time") {
    bev::test::SmallScenes small;
    small.frames = 4;
    auto store = small_store(small);
    store.objects.erase("frames/0");  // scene 0
    Engine engine;
    const auto query = engine.timeline(0);
    const auto line = run(engine, *query, store);
    const auto seconds = line.values<double>("seconds");
    CHECK(seconds.size() == 4);
    for (const double second : seconds) CHECK(std::isnan(second));
    CHECK(line.values<std::int64_t>("start").empty());
  }

  TEST_CASE("without its agents, a scene has the ego's motion, lights and times") {
    auto store = small_store();
    store.objects.at("agents/0").resize(10);
    Engine engine;
    CHECK(error_code([&] { run(engine, *engine.timeline(0), store); }) ==
          bev::Errc::corrupt_chunk);
    const auto alone = engine.timeline(0, std::nullopt, {.agents = false});
    const auto line = run(engine, *alone, store);
    CHECK(line.values<double>("ego.speed").size() == 5);
    CHECK(line.text("lights.id") == "light");
    CHECK(line.values<std::uint32_t>("anomalies.frame").empty());
  }

  TEST_CASE("without its faces, a scene has no lights") {
    auto store = small_store();
    store.objects.at("traffic_light_faces/0").resize(10);
    Engine engine;
    const auto alone = engine.timeline(0, 1, {.lights = false});
    const auto line = run(engine, *alone, store);
    CHECK(line.text("lights.id").empty());
    CHECK(line.values<double>("track.speed").size() == 5);
    CHECK(line.values<std::uint32_t>("anomalies.frame").empty());
  }

  TEST_CASE("a constant light has one run over 600 frames") {
    bev::test::SmallScenes small;
    small.frames = 600;
    const auto store = small_store(small);
    Engine engine;
    const auto query = engine.timeline(1);
    const auto line = run(engine, *query, store);
    using Numbers = std::vector<std::uint32_t>;
    CHECK(line.text("lights.id") == "light");
    CHECK(line.values<std::uint32_t>("lights.begin") == Numbers{0});
    CHECK(line.values<std::uint32_t>("lights.end") == Numbers{600});
    CHECK(line.values<std::uint8_t>("lights.state") == std::vector<std::uint8_t>{0});
    CHECK(line.values<std::uint32_t>("lights.active_offset") == Numbers{0, 1});
    CHECK(line.values<std::uint32_t>("lights.active_face") == Numbers{0});
  }

  TEST_CASE("absent faces have no light and no run") {
    auto store = small_store();
    store.objects.erase("traffic_light_faces/0");  // rows 0 to 7: frames 0 to 3
    Engine engine;
    const auto query = engine.timeline(0);
    const auto line = run(engine, *query, store);
    using Numbers = std::vector<std::uint32_t>;
    CHECK(line.text("faces.id") == "redgreen");
    CHECK(line.text("lights.id") == "light");
    CHECK(line.values<std::uint32_t>("lights.begin") == Numbers{4});
    CHECK(line.values<std::uint32_t>("lights.end") == Numbers{5});
  }

  TEST_CASE("an unknown scene is named") {
    const auto store = small_store();
    Engine engine;
    CHECK_THROWS_WITH_AS(run(engine, *engine.timeline(9), store),
                         "scene 9 is out of range (count 2)", bev::Error);
  }
}
