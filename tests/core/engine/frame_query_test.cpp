#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/virtual_egos.hpp"

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::test::run;
using bev::test::small_store;

namespace {

std::string message_of(const bev::test::MemoryStore& store, std::uint64_t scene,
                       std::uint64_t frame) {
  Engine engine;
  try {
    run(engine, *engine.frame(scene, frame), store);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::out_of_range);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_SUITE("engine/frame_query") {
  TEST_CASE("without an ego vehicle, its pose is kept and its values are unknown") {
    const auto store = bev::test::store_without_ego();
    Engine engine;
    run(engine, *engine.open(), store);
    const auto other = engine.frame(0, 2);
    const auto with = run(engine, *other, store);
    CHECK(with["ego.is_virtual"].bytes[0] == std::byte{0});
    CHECK(with.values<float>("ego.speed")[0] == doctest::Approx(20));
    const auto query = engine.frame(1, 2, {.future = 2});
    const auto found = run(engine, *query, store);
    CHECK(found["ego.is_virtual"].dtype == "|b1");
    CHECK(found["ego.is_virtual"].bytes[0] == std::byte{1});
    CHECK(found.values<double>("ego.centroid") == std::vector<double>{1004, -5});
    CHECK(std::isnan(found.values<float>("ego.speed")[0]));
    for (const double at : found.values<double>("ego.corners")) CHECK(std::isnan(at));
    CHECK(found.values<double>("ego.trail").empty());
    CHECK(found.values<double>("ego.future").empty());
    for (const float at : found.values<float>("agents.distance")) CHECK(std::isnan(at));
    CHECK(found.values<float>("agents.speed")[0] == doctest::Approx(10));
  }

  TEST_CASE("a frame takes three rounds, the next one none") {
    const auto store = small_store();
    Engine engine;
    run(engine, *engine.open(), store);
    const auto first = run(engine, *engine.frame(0, 1), store);
    CHECK(first.rounds == 3);
    CHECK(first.keys.contains("scenes/0"));
    CHECK(first.keys.contains("frames/0"));
    CHECK(first.keys.contains("agents/0"));
    CHECK(first.keys.contains("traffic_light_faces/0"));
    CHECK(run(engine, *engine.frame(0, 0), store).rounds == 0);
  }

  TEST_CASE("a frame is found by its global index") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.frame_at(7);
    const auto found = run(engine, *query, store);
    CHECK(found.rounds == 4);
    CHECK(found.values<std::int64_t>("frame.index") == std::vector<std::int64_t>{7});
    CHECK(found.values<double>("ego.centroid") == std::vector<double>{1004, -5});
    CHECK_THROWS_WITH_AS(run(engine, *engine.frame_at(10), store),
                         "frame 10 is out of range (count 10)", Error);
  }

  TEST_CASE("arrays have the documented types and shapes") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.frame(1, 2, {2, 1, 0.5F});
    const auto frame = run(engine, *query, store);
    using Shape = std::vector<std::size_t>;
    CHECK(frame["ego.rotation"].shape == Shape{3, 3});
    CHECK(frame["ego.trail"].shape == Shape{3, 2});
    CHECK(frame["ego.future"].shape == Shape{2, 2});
    CHECK(frame["agents.corners"].shape == Shape{3, 4, 2});
    CHECK(frame["agents.corners"].dtype == "<f8");
    CHECK(frame["agents.label_probabilities"].shape == Shape{3, 17});
    CHECK(frame["agents.kept"].dtype == "|b1");
    CHECK(frame["trails.points"].shape == Shape{9, 2});
    CHECK(frame["futures.offsets"].dtype == "<u4");
    CHECK(frame["lights.face_id"].dtype == "utf8");
    CHECK(frame.text("lights.face_id") == "redgreen");
    CHECK(frame.values<std::uint32_t>("lights.face_id.offsets") ==
          std::vector<std::uint32_t>{0, 3, 8});
    CHECK(frame.values<std::uint8_t>("lights.state") ==
          std::vector<std::uint8_t>{0, 1});
  }

  TEST_CASE("derived arrays follow from the records") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.frame(1, 2);
    const auto frame = run(engine, *query, store);
    CHECK(frame.values<std::int64_t>("agents.row") ==
          std::vector<std::int64_t>{21, 22, 23});
    CHECK(frame.values<float>("agents.speed") == std::vector<float>{10, 20, 30});
    CHECK(frame.values<float>("ego.speed") == std::vector<float>{20});
    CHECK(frame.values<std::uint8_t>("agents.label") ==
          std::vector<std::uint8_t>{3, 3, 3});
    CHECK(frame.values<float>("agents.probability")[0] == 0.75F);
    CHECK(frame.values<float>("agents.known_probability")[0] == 1);
    const auto ego = frame.values<double>("ego.corners");
    CHECK(ego[0] == doctest::Approx(1004 + 4.87 / 2));
    CHECK(ego[1] == doctest::Approx(-5 + 1.85 / 2));
    CHECK(ego[2] == doctest::Approx(1004 - 4.87 / 2));
  }

  TEST_CASE("an unknown scene or frame is named") {
    const auto store = small_store();
    CHECK(message_of(store, 2, 0) == "scene 2 is out of range (count 2)");
    CHECK(message_of(store, 1, 5) == "scene 1: frame 5 is out of range (count 5)");
    CHECK(message_of(store, 1ULL << 63, 0) ==
          "scene 9223372036854775808 is out of range (count 2)");
    CHECK(message_of(store, 0, ~0ULL) ==
          "scene 0: frame 18446744073709551615 is out of range (count 5)");
  }

  TEST_CASE("past and future are clipped to the scene") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.frame(1, 1, {~0U, ~0U, 0.5F});
    const auto frame = run(engine, *query, store);
    CHECK(frame["ego.trail"].shape[0] == 2);
    CHECK(frame["ego.future"].shape[0] == 4);
    CHECK(frame.values<double>("ego.trail")[2] == 1000);
  }

  TEST_CASE("the three-array layout has frames without lights") {
    auto store = small_store();
    store.objects.erase("traffic_light_faces/.zarray");
    store.objects.erase(".zmetadata");
    Engine engine;
    const auto query = engine.frame(0, 0);
    const auto frame = run(engine, *query, store);
    CHECK(frame["lights.state"].shape[0] == 0);
    CHECK(frame.values<std::uint32_t>("lights.face_id.offsets") ==
          std::vector<std::uint32_t>{0});
    CHECK(frame["agents.row"].shape[0] == 3);
  }
}
