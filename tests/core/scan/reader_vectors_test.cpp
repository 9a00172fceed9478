#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/engine/engine.hpp"
#include "core/scan/reader_query.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/stream_hash.hpp"
#include "tests/support/tiny_scenes.hpp"

using bev::Engine;
using namespace bev::test;
using nlohmann::json;

namespace {

json stream_of(const MemoryStore& store, const json& plan) {
  StreamHash out;
  Engine engine;
  const auto query = engine.reader(plan.dump());
  while (true) {
    query->advance();
    const auto batch = run(engine, *query, store);
    if (query->at_end()) return out.json();
    out.add_items(query->batch_size());
    for (const auto& array : batch.arrays) out.add(array.name, array.bytes);
  }
}

}  // namespace

TEST_SUITE("scan/reader_vectors") {
  TEST_CASE("streams are those of other hosts, with batches of any size") {
    const auto store = tiny_scenes();
    const auto vectors = reader_vectors();
    REQUIRE(vectors.size() == 16);
    for (const auto& vector : vectors) {
      auto plan = vector["plan"];
      for (const int size : {1, 5, 256}) {
        plan["batch"] = {{"size", size}};
        CAPTURE(plan.dump());
        CHECK(stream_of(store, plan) == expected_stream(vector));
      }
    }
  }
}
