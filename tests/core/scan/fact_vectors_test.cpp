#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/engine/engine.hpp"
#include "core/scan/facts_query.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/stream_hash.hpp"
#include "tests/support/tiny_scenes.hpp"

using bev::Engine;
using namespace bev::test;

namespace {

/// Returns the hashes of a table's columns.
nlohmann::json hashes(const Run& results, std::size_t rows, const std::string& prefix) {
  StreamHash out;
  out.add_items(rows);
  for (const auto& array : results.arrays) {
    const std::string name(array.name);
    if (name.rfind(prefix, 0) == 0) out.add(name.substr(prefix.size()), array.bytes);
  }
  return out.json();
}

}  // namespace

TEST_SUITE("scan/fact_vectors") {
  TEST_CASE("facts are those of other hosts") {
    const auto store = tiny_scenes();
    Engine engine;
    const auto query = engine.facts();
    run(engine, *query, store);
    query->add(1);
    const auto found = run(engine, *query, store);
    const auto vectors = vectors_of("facts.json");
    REQUIRE(vectors.size() == 2);
    CHECK(hashes(found, query->scenes().rows, "scenes.") ==
          expected_stream(vectors[0]));
    CHECK(hashes(found, query->tracks().rows, "tracks.") ==
          expected_stream(vectors[1]));
  }
}
