#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

#include "core/engine/engine.hpp"
#include "tests/support/made_up_store.hpp"
#include "tests/support/rounds.hpp"

using bev::Engine;
using bev::test::MadeUpStore;
using bev::test::run;

namespace {

/// 4 million frames, 320 million agents: more than L5Kit's data set.
constexpr std::uint64_t kScenes = 16'000;
constexpr std::uint64_t kFrames = kScenes * MadeUpStore::kFramesPerScene;
constexpr std::size_t kBudget = std::size_t{8} << 20;
constexpr int kRandomFrames = bev::test::rounds(300);
constexpr int kManyFrames = bev::test::rounds(10'000);

/// Pseudorandom numbers that are equal on every machine.
std::uint64_t random_below(std::uint64_t& state, std::uint64_t bound) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return (state >> 33U) % bound;
}

}  // namespace

TEST_SUITE("engine/large_store") {
  TEST_CASE("320 million agents are opened in one round") {
    const MadeUpStore store(kScenes);
    Engine engine;
    CHECK(run(engine, *engine.open(), store).rounds <= 2);
    CHECK(store.bytes == 0);
    CHECK(engine.describe().find("[320000000]") != std::string::npos);
  }

  TEST_CASE("a random frame takes few rounds, few bytes, and memory in the budget") {
    const MadeUpStore store(kScenes);
    Engine engine(kBudget);
    run(engine, *engine.open(), store);
    std::uint64_t state = 7;
    for (int i = 0; i < kRandomFrames; ++i) {
      const auto index = random_below(state, kFrames);
      CAPTURE(index);
      const auto query = engine.frame_at(index);
      const auto by_index = run(engine, *query, store);
      CHECK(by_index.rounds <= 4);
      CHECK(by_index["agents.row"].shape[0] == MadeUpStore::kAgentsPerFrame);
      CHECK(engine.cache().bytes_held <= kBudget);
    }
    // A chunk of agents has 2.3 MB, one of frames 1.8 MB.
    CHECK(store.bytes / kRandomFrames < 1'000'000);
  }

  TEST_CASE("after many random frames memory is in the budget, and rounds are few") {
    const MadeUpStore store(kScenes);
    Engine engine(kBudget);
    run(engine, *engine.open(), store);
    Engine::FrameOptions options;  // no trails: each frame generates a few rows only
    options.past = options.future = 0;
    std::uint64_t state = 11;
    std::size_t most_rounds = 0;
    std::size_t most_held = 0;
    for (int i = 0; i < kManyFrames; ++i) {
      const auto query = engine.frame_at(random_below(state, kFrames), options);
      most_rounds = std::max(most_rounds, run(engine, *query, store).rounds);
      most_held = std::max(most_held, engine.cache().bytes_held);
      store.forget();
    }
    CHECK(most_rounds <= 4);
    CHECK(most_held <= kBudget);
    CHECK(most_held > kBudget / 2);
    CHECK(engine.cache().evictions > 0);
  }

  TEST_CASE("whole chunks take three rounds") {
    const MadeUpStore store(kScenes);
    std::uint64_t state = 13;
    for (int i = 0; i < 5; ++i) {
      Engine engine(std::size_t{64} << 20);
      run(engine, *engine.open(), store);
      Engine::FrameOptions options;
      options.sequential = true;
      const auto query = engine.frame_at(random_below(state, kFrames), options);
      CHECK(run(engine, *query, store).rounds <= 3);
    }
  }

  TEST_CASE("by scene and frame, a fresh engine needs at most one more round") {
    const MadeUpStore store(kScenes);
    for (const std::uint64_t scene : {0U, 9'999U, 10'000U, 15'999U}) {
      CAPTURE(scene);
      Engine engine(kBudget);
      run(engine, *engine.open(), store);
      const auto query = engine.frame(scene, 100);
      const auto cold = run(engine, *query, store);
      CHECK(cold.rounds <= 5);
      const auto index = scene * MadeUpStore::kFramesPerScene + 100;
      CHECK(cold.values<std::int64_t>("frame.index").at(0) ==
            static_cast<std::int64_t>(index));
    }
  }

  TEST_CASE("a scene played forward fetches each byte once") {
    const MadeUpStore store(kScenes);
    Engine engine(std::size_t{64} << 20);
    run(engine, *engine.open(), store);
    Engine::FrameOptions options;
    options.sequential = true;
    for (std::uint64_t frame = 0; frame < 248; ++frame) {
      run(engine, *engine.frame(8'000, frame, options), store);
    }
    CHECK(store.bytes_again == 0);
    CHECK(store.bytes > 248 * MadeUpStore::kAgentsPerFrame * 100);
  }
}
