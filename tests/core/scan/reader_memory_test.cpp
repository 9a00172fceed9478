#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/engine/engine.hpp"
#include "core/scan/reader_query.hpp"
#include "core/store/block_cache.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

namespace reader_memory_test {

using bev::Engine;
using bev::test::MemoryStore;
using bev::test::SmallScenes;

namespace {

constexpr std::size_t kBudget = std::size_t{12} << 20;
constexpr std::size_t kMaxHeap =
    kBudget + bev::store::BlockCache::kByteBudget + kBudget / 10;
// Of the default budget, decoded blocks are less than a tenth.
static_assert(bev::store::BlockCache::kByteBudget < Engine::kByteBudget / 20);

// 240,000 agents of 116 bytes: more than twice the budget.
const SmallScenes kScenes{.scenes = 300,
                          .frames = 20,
                          .agents = 40,
                          .agents_per_chunk = 2000,
                          .frames_per_chunk = 100,
                          .codec = "none"};
constexpr std::uint64_t kAgents = 240'000;

const MemoryStore& store() {
  static const MemoryStore made = bev::test::small_store(kScenes);
  return made;
}

struct Epoch {
  std::uint64_t items = 0;
  std::size_t peak = 0;          ///< growth of the heap, in bytes
  std::size_t cached_bytes = 0;  ///< at most, by the engine's count
};

/// Reads an epoch of the plan, at most `batches` batches; each result is dropped before
/// the next batch is read.
Epoch read(const std::string& plan, std::size_t batches = kAgents) {
  Epoch out;
  store();
  const auto before = bev::test::live_bytes();
  bev::test::reset_peak();
  Engine engine(kBudget);
  const auto query = engine.reader(plan);
  for (std::size_t batch = 0; batch < batches && !query->at_end(); ++batch) {
    query->advance();
    bev::test::run(engine, *query, store());
    out.items += query->batch_size();
    out.cached_bytes = std::max(out.cached_bytes, engine.cache().bytes_held);
  }
  out.peak = bev::test::peak_bytes() - before;
  return out;
}

}  // namespace

TEST_SUITE("scan/reader_memory") {
  TEST_CASE("readers allocate the byte budget, decoded blocks, and a tenth at most") {
    for (const std::string rest :
         {R"("batch": {"size": 256})", R"("where": "track_id != 7")",
          R"("order": {"mode": "blocks", "seed": 3})",
          R"("where": "speed < 1", "order": {"mode": "blocks"})",
          R"("window": {"past": 3, "edges": "pad"})",
          R"("window": {"past": 3}, "order": {"mode": "blocks"})"}) {
      CAPTURE(rest);
      const auto epoch =
          read(R"({"fields": ["row", "yaw", "centroid"], )" + rest + "}");
      CHECK(epoch.items > kAgents / 2);
      CHECK(epoch.cached_bytes > kBudget / 2);
      CHECK(epoch.peak > epoch.cached_bytes);
      CHECK(epoch.peak <= kMaxHeap);
    }
  }

  TEST_CASE("random access allocates no more") {
    const auto epoch = read(
        R"({"fields": ["yaw"], "order": {"mode": "full"}, "batch": {"size": 16}})", 20);
    CHECK(epoch.items == 320);
    CHECK(epoch.peak <= kMaxHeap);
  }
}

}  // namespace reader_memory_test
