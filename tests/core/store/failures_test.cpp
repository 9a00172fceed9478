#include "core/store/failures.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/store/store.hpp"
#include "tests/support/big_chunks.hpp"

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::store::Failures;
using bev::test::MemoryStore;
using namespace bev::test::big_chunks;

namespace {

/// x: three chunks of 12000 rows; the middle one is truncated.
MemoryStore damaged_store(const char* compressor) {
  MemoryStore store;
  store.text("x/.zarray", std::string(R"({"zarr_format": 2, "filters": null,
    "fill_value": null, "order": "C", "shape": [36000], "chunks": [12000],
    "dtype": "|V100", "compressor": )") +
                              compressor + "}");
  const auto chunk = chunk_for(compressor);
  for (const auto* key : {"x/0", "x/1", "x/2"}) store.put(key, chunk);
  store.objects.at("x/1").resize(300);
  return store;
}

std::string error_of(Engine& engine, const MemoryStore& store, std::int64_t row,
                     Traffic& traffic) {
  try {
    read(engine, store, {"x", row, row + 90}, traffic);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::corrupt_chunk);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("store/failures") {
  TEST_CASE("the first error of a chunk is thrown until it is forgotten") {
    Failures failures;
    failures.check("a/1");
    failures.add("a/1", "a/1", {Errc::corrupt_chunk, "first"});
    failures.add("a/1", "a/1", {Errc::corrupt_chunk, "second"});
    CHECK_THROWS_WITH_AS(failures.check("a/1"), "first", Error);
    failures.check("a/2");
    CHECK(failures.forget("a/2").empty());
    CHECK(failures.forget("a/1") == std::vector<std::string>{"a/1"});
    failures.check("a/1");
  }

  TEST_CASE("forgetting an object forgets every chunk in it, and no other") {
    Failures failures;
    for (const auto* name : {"s chunk 1", "s chunk 2"}) {
      failures.add("s", name, {Errc::corrupt_chunk, name});
    }
    failures.add("t", "t chunk 1", {Errc::corrupt_chunk, "t"});
    CHECK(failures.forget("s").size() == 2);
    failures.check("s chunk 2");
    CHECK_THROWS_AS(failures.check("t chunk 1"), Error);
    CHECK(failures.forget("").size() == 1);
    CHECK(failures.size() == 0);
  }

  TEST_CASE("the number of failures is bounded; the oldest are dropped") {
    Failures failures;
    for (std::size_t i = 0; i < 2 * Failures::kMaxFailures; ++i) {
      const auto name = std::to_string(i);
      failures.add(name, name, {Errc::corrupt_chunk, name});
    }
    CHECK(failures.size() == Failures::kMaxFailures);
    failures.check("0");
    CHECK_THROWS_AS(failures.check(std::to_string(2 * Failures::kMaxFailures - 1)),
                    Error);
    failures.forget("");
    failures.add("0", "0", {Errc::corrupt_chunk, "0"});
    CHECK(failures.size() == 1);
  }

  TEST_CASE("sixty reads of a damaged chunk request it once and fail alike") {
    for (const auto* compressor : {kBlosc, "null"}) {
      CAPTURE(compressor);
      const auto store = damaged_store(compressor);
      auto engine = opened(store);
      Traffic traffic;
      const auto message = error_of(engine, store, 12000, traffic);
      CHECK(message.starts_with("x/1: "));
      const auto requests = traffic.requests.size();
      CHECK(requests <= 2);
      for (std::int64_t i = 1; i < 60; ++i) {
        CHECK(error_of(engine, store, 12000 + 90 * i, traffic) == message);
      }
      CHECK(traffic.requests.size() == requests);
      CHECK(read(engine, store, {"x", 0, 90}, traffic) == expected(0, 90));
    }
  }

  TEST_CASE("two queries that wait for a damaged chunk both fail") {
    const auto store = damaged_store("null");
    for (const bool second_first : {false, true}) {
      auto engine = opened(store);
      const auto a = engine.rows({"x", 12000, 24000});
      const auto b = engine.rows({"x", 11900, 24000});
      for (auto* query : {a.get(), b.get()}) {
        for (const auto& request : query->missing()) store.answer(engine, request);
      }
      Traffic traffic;
      auto* first = second_first ? b.get() : a.get();
      auto* last = second_first ? a.get() : b.get();
      CHECK_THROWS_AS(run(engine, store, *first, traffic), Error);
      CHECK_THROWS_AS(last->missing(), Error);
      engine.supply({"x/1"}, store.objects.at("x/0"));  // a late answer changes nothing
      CHECK_THROWS_AS(last->missing(), Error);
      CHECK(engine.forget_failures("x/0").empty());
      CHECK_THROWS_AS(last->missing(), Error);
      CHECK(engine.forget_failures("x/1") == std::vector<std::string>{"x/1"});
      const auto wanted = last->missing();
      REQUIRE(wanted.size() == 1);
      CHECK(wanted[0].key == "x/1");
    }
  }
}
