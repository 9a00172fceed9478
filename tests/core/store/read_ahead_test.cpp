#include "core/store/read_ahead.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "tests/support/memory_store.hpp"

namespace read_ahead_test {

using bev::Engine;
using bev::Rows;
using bev::test::MemoryStore;

namespace {

using Keys = std::vector<std::string>;

/// x: 105 rows in eleven chunks of 10; the last one has 5.
MemoryStore long_store() {
  MemoryStore store;
  store.text("x/.zarray",
             R"({"zarr_format": 2, "compressor": null, "filters": null,)"
             R"("fill_value": 0, "shape": [105], "chunks": [10], "dtype": "<i4",)"
             R"("order": "C"})");
  for (int chunk = 0; chunk < 11; ++chunk) {
    const std::vector<std::int32_t> values(10, chunk);
    store.put("x/" + std::to_string(chunk), std::as_bytes(std::span(values)));
  }
  return store;
}

/// Reads rows as a host does; returns the keys to prefetch.
Keys ahead_of(Engine& engine, const MemoryStore& store, Rows rows) {
  const auto query = engine.rows(std::move(rows));
  for (auto wanted = query->missing(); !wanted.empty(); wanted = query->missing()) {
    for (const auto& request : wanted) store.answer(engine, request);
  }
  query->build();
  Keys keys;
  for (const auto& request : query->ahead()) {
    CHECK(!request.range.has_value());
    keys.push_back(request.key);
  }
  return keys;
}

Keys ahead_of(Engine& engine, const MemoryStore& store, std::int64_t begin,
              std::int64_t end) {
  return ahead_of(engine, store, {"x", begin, end});
}

}  // namespace

TEST_SUITE("store/read_ahead") {
  TEST_CASE("a sequential reader gets each chunk once, as many as it has read") {
    const auto store = long_store();
    Engine engine;
    CHECK(ahead_of(engine, store, 0, 20) == Keys{});
    CHECK(ahead_of(engine, store, 20, 40) == Keys{"x/4", "x/5", "x/6", "x/7"});
    CHECK(ahead_of(engine, store, 40, 50) == Keys{"x/8", "x/9"});
    CHECK(ahead_of(engine, store, 50, 80) == Keys{"x/10"});
    CHECK(ahead_of(engine, store, 80, 105) == Keys{});
  }

  TEST_CASE("chunks in memory or requested are not prefetched") {
    const auto store = long_store();
    Engine engine;
    ahead_of(engine, store, 50, 60);
    ahead_of(engine, store, 0, 10);
    CHECK(ahead_of(engine, store, 10, 35) == Keys{"x/4", "x/6"});
  }

  TEST_CASE("random, strided and small reads prefetch nothing") {
    const auto store = long_store();
    Engine engine;
    CHECK(ahead_of(engine, store, 10, 20) == Keys{});
    CHECK(ahead_of(engine, store, 40, 50) == Keys{});
    CHECK(ahead_of(engine, store, 30, 40) == Keys{});
    CHECK(ahead_of(engine, store, 40, 44) == Keys{});
    CHECK(ahead_of(engine, store, {"x", 40, 60, 2}) == Keys{});
    CHECK(ahead_of(engine, store, 40, 40) == Keys{});
    CHECK(ahead_of(engine, store, 40, 50) == Keys{"x/6"});
  }

  TEST_CASE("prefetched chunks use half of the budget") {
    const auto store = long_store();
    Engine engine(160);  // four chunks
    ahead_of(engine, store, 0, 30);
    CHECK(ahead_of(engine, store, 30, 60) == Keys{"x/6", "x/7"});
  }

  TEST_CASE("a query before missing() prefetches nothing") {
    Engine engine;
    CHECK(engine.rows({"x"})->ahead().empty());
    CHECK(engine.open()->ahead().empty());
  }

  TEST_CASE("prefetching does not count as use of cached chunks") {
    const auto store = long_store();
    Engine engine;
    ahead_of(engine, store, 20, 60);
    ahead_of(engine, store, 0, 10);
    const auto query = engine.rows({"x", 10, 20});
    for (const auto& request : query->missing()) store.answer(engine, request);
    query->build();
    const auto before = engine.cache().hits;
    CHECK(query->ahead().empty());
    CHECK(engine.cache().hits == before);
  }
}

}  // namespace read_ahead_test
