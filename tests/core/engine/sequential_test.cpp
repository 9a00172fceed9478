#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>

#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_scenes.hpp"

namespace sequential_test {

using bev::Engine;
using bev::test::MemoryStore;
using bev::test::run;

namespace {

constexpr std::int64_t kFrames = 248;

/// Chunks of agents large enough that a frame is read by byte ranges.
MemoryStore long_chunks() {
  return bev::test::small_store({.scenes = 1,
                                 .frames = kFrames,
                                 .agents = 40,
                                 .agents_per_chunk = 10000,
                                 .frames_per_chunk = 1000});
}

/// Counts the bytes of agents read, and the range requests.
struct Meter {
  const MemoryStore& store;
  mutable std::uint64_t bytes = 0;
  mutable std::uint64_t ranges = 0;

  void answer(Engine& engine, const bev::store::Request& request) const {
    const auto found = store.objects.find(request.key);
    if (request.key.starts_with("agents/") && found != store.objects.end()) {
      bytes += bev::test::part_of(found->second, request.range).size();
      if (request.range) ++ranges;
    }
    store.answer(engine, request);
  }
};

std::uint64_t stored_bytes(const MemoryStore& store) {
  std::uint64_t sum = 0;
  for (const auto& [key, bytes] : store.objects) {
    if (key.starts_with("agents/")) sum += bytes.size();
  }
  return sum;
}

}  // namespace

TEST_SUITE("engine/sequential") {
  TEST_CASE("frames played forward fetch each byte once, in whole chunks") {
    const auto store = long_chunks();
    const Meter meter{store};
    Engine engine;
    Engine::FrameOptions options;
    options.sequential = true;
    for (std::uint64_t frame = 0; frame < kFrames; ++frame) {
      run(engine, *engine.frame(0, frame, options), meter);
    }
    CHECK(meter.ranges == 0);
    CHECK(meter.bytes == stored_bytes(store));
  }

  TEST_CASE("a single frame reads ranges, later frames only missing bytes") {
    const auto store = long_chunks();
    const Meter meter{store};
    Engine engine;
    run(engine, *engine.frame(0, 60), meter);
    CHECK(meter.ranges > 0);
    CHECK(meter.bytes < stored_bytes(store) / 4);
    Engine::FrameOptions options;
    options.sequential = true;
    for (std::uint64_t frame = 0; frame < kFrames; ++frame) {
      run(engine, *engine.frame(0, frame, options), meter);
    }
    CHECK(meter.bytes == stored_bytes(store));
  }

  TEST_CASE("samples read whole chunks in sequence, otherwise ranges") {
    const auto store = long_chunks();
    for (const bool sequential : {false, true}) {
      CAPTURE(sequential);
      const Meter meter{store};
      Engine engine;
      bev::SampleOptions options;
      options.config = bev::test::SampleConfig{}.json();
      options.image = bev::ImageForm::none;
      const auto query = engine.samples(options);
      query->request_whole_chunks(sequential);
      query->at_track(0, 100, 3);
      run(engine, *query, meter);
      CHECK((meter.ranges == 0) == sequential);
      CHECK(meter.bytes <= stored_bytes(store));
    }
  }
}

}  // namespace sequential_test
