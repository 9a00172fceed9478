#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_scenes.hpp"

namespace warm_samples_test {

using bev::Engine;
using bev::ImageForm;
using bev::SampleOptions;
using bev::test::SmallScenes;

namespace {

// The wasm module reads Blosc but cannot write it.
#ifdef __EMSCRIPTEN__
constexpr auto kCodec = "none";
#else
constexpr auto kCodec = "blosc:lz4";
#endif

// Blosc blocks of a few hundred rows: a sample's window spans several of them.
constexpr std::int64_t kFrames = 40, kAgents = 30;
const SmallScenes kScenes{.scenes = 2,
                          .frames = kFrames,
                          .agents = kAgents,
                          .agents_per_chunk = 1000,
                          .frames_per_chunk = 64,
                          .codec = kCodec};

/// Returns every row or frame once, each far from the previous one.
std::vector<std::int64_t> shuffled(std::int64_t count) {
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(i * 773 % count);
  return out;
}

/// Makes each sample twice; returns the allocations of the second time.
template <class Aim>
std::size_t allocations_when_warm(ImageForm image, std::int64_t count, Aim&& aim) {
  const auto store = bev::test::small_store(kScenes);
  SampleOptions options;
  options.config = bev::test::SampleConfig{.history = 10, .future = 25}.json();
  options.image = image;
  Engine engine;
  const auto query = engine.samples(options);
  const auto indices = shuffled(count);
  for (const auto index : indices) {
    aim(*query, index);
    bev::test::run(engine, *query, store);
  }
  const auto before = bev::test::allocations();
  for (const auto index : indices) {
    aim(*query, index);
    query->build();
  }
  return bev::test::allocations() - before;
}

}  // namespace

TEST_SUITE("engine/warm_samples") {
  TEST_CASE("samples of agents and of frames in any order allocate nothing") {
    const auto agent = [](bev::SampleQuery& query, std::int64_t row) {
      query.at_agent(row);
    };
    const auto frame = [](bev::SampleQuery& query, std::int64_t index) {
      query.at_frame(index);
    };
    constexpr auto kRows = 2 * kFrames * kAgents;
    CHECK(allocations_when_warm(ImageForm::none, kRows, agent) == 0);
    CHECK(allocations_when_warm(ImageForm::f32, kRows, agent) == 0);
    CHECK(allocations_when_warm(ImageForm::none, 2 * kFrames, frame) == 0);
  }

  TEST_CASE("the allocation counter works") {
    const auto before = bev::test::allocations();
    ::operator delete(::operator new(1000));  // a vector would be optimized away
    CHECK(bev::test::allocations() > before);
  }
}

}  // namespace warm_samples_test
