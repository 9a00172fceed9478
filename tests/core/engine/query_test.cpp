#include "core/engine/query.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

namespace query_test {

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::test::MemoryStore;
using bev::test::run;
using bev::test::small_store;

namespace {

using Requests = std::vector<bev::store::Request>;

bool any_again(const Requests& before, const Requests& after) {
  return std::any_of(after.begin(), after.end(), [&](const auto& request) {
    return std::find(before.begin(), before.end(), request) != before.end();
  });
}

/// Returns the error of running the query; a code that no test expects if there is
/// none.
template <class Call>
std::pair<Errc, std::string> error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {Errc::internal, "no error"};
}

std::size_t encoded_bytes(const MemoryStore& store, const std::string& prefix) {
  std::size_t sum = 0;
  for (const auto& [key, bytes] : store.objects) {
    if (key.starts_with(prefix) && !key.ends_with(".zarray")) sum += bytes.size();
  }
  return sum;
}

}  // namespace

TEST_SUITE("engine/query") {
  TEST_CASE("missing is idempotent") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.frame(1, 2);
    for (auto wanted = query->missing(); !wanted.empty(); wanted = query->missing()) {
      CHECK(query->missing() == wanted);
      for (const auto& request : wanted) store.answer(engine, request);
    }
    CHECK(query->missing().empty());
  }

  TEST_CASE("missing returns other requests after answers were supplied") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.frame(1, 2);
    Requests before = query->missing();
    REQUIRE_FALSE(before.empty());
    while (!before.empty()) {
      for (const auto& request : before) store.answer(engine, request);
      const auto after = query->missing();
      CHECK_FALSE(any_again(before, after));
      before = after;
    }
  }

  TEST_CASE("supplying a part leaves the rest") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.rows({"agents", 0, 30});
    store.answer(engine, query->missing().front());  // agents/.zarray
    auto wanted = query->missing();
    REQUIRE(wanted.size() == 4);
    while (!wanted.empty()) {
      store.answer(engine, wanted.back());
      auto rest = wanted;
      rest.pop_back();
      wanted = query->missing();
      CHECK(wanted == rest);
    }
    CHECK(query->build().size() == 6);
  }

  TEST_CASE("building early fails and names the first request") {
    Engine engine;
    const auto query = engine.rows({"agents"});
    const auto [code, message] = error_of([&] { query->build(); });
    CHECK(code == Errc::invalid_argument);
    CHECK(message ==
          "rows of agents: requests are pending (found 1, first agents/.zarray)");
  }

  TEST_CASE("building again gives the same result") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.frame(0, 3);
    const auto first = run(engine, *query, store).values<double>("trails.points");
    CHECK(first == run(engine, *query, store).values<double>("trails.points"));
    CHECK(first.size() == 3 * 4 * 2);
  }

  TEST_CASE("a query outlives its engine") {
    const auto store = small_store();
    auto engine = std::make_unique<Engine>();
    const auto query = engine->rows({"frames", 0, 2, 1, {}, {"timestamp"}});
    run(*engine, *query, store);
    engine.reset();
    CHECK(query->build()[0].bytes.size() == 16);
  }

  TEST_CASE("a budget too small for one query is an error with the bytes needed") {
    const auto store = small_store();
    const auto bytes = encoded_bytes(store, "agents/");
    for (const std::size_t budget : {std::size_t{0}, std::size_t{1}, bytes - 1}) {
      CAPTURE(budget);
      Engine engine(budget);
      const auto query = engine.rows({"agents"});
      const auto [code, message] = error_of([&] { run(engine, *query, store); });
      CHECK(code == Errc::out_of_memory);
      CHECK(message == "rows of agents: byte budget too small (found " +
                           std::to_string(budget) + ", needs at least " +
                           std::to_string(bytes) + ")");
      CHECK(engine.cache().bytes_held <= budget);
    }
    Engine engine(bytes);
    CHECK(run(engine, *engine.rows({"agents"}), store).rounds == 2);
  }

  TEST_CASE("after a budget error, smaller queries succeed") {
    const auto store = small_store();
    Engine engine(encoded_bytes(store, "agents/") - 1);
    CHECK_THROWS_AS(run(engine, *engine.rows({"agents"}), store), Error);
    const auto query = engine.rows({"agents", 0, 8, 1, {}, {"track_id"}});
    CHECK(run(engine, *query, store).values<std::uint64_t>("track_id")[7] == 2);
  }

  TEST_CASE("two queries that each need the whole budget both finish") {
    const auto store = small_store();
    Engine engine(encoded_bytes(store, "agents/0") * 2);
    const auto a = engine.rows({"agents", 0, 16});
    const auto b = engine.rows({"agents", 16, 30});
    for (int round = 0; round < 4; ++round) {
      for (auto* query : {a.get(), b.get()}) {
        for (const auto& request : query->missing()) store.answer(engine, request);
      }
    }
    CHECK(a->missing().empty());
    CHECK(b->missing().empty());
    CHECK(engine.cache().bytes_held <= engine.cache().byte_budget);
  }

  TEST_CASE("a damaged chunk is named, and requested again after forget_failures") {
    const auto store = small_store();
    auto damaged = store;
    damaged.objects["agents/1"].pop_back();
    Engine engine;
    const auto query = engine.rows({"agents"});
    const auto [code, message] = error_of([&] { run(engine, *query, damaged); });
    CHECK(code == Errc::corrupt_chunk);
    CHECK(message.starts_with("agents/1: "));
    const auto again = error_of([&] { run(engine, *query, store); });
    CHECK(again == std::pair(code, message));
    engine.forget_failures();
    const auto wanted = query->missing();
    REQUIRE(wanted.size() == 1);
    CHECK(wanted[0].key == "agents/1");
    CHECK(run(engine, *query, store).values<std::uint64_t>("track_id").size() == 30);
  }

  TEST_CASE("a damaged chunk does not affect queries on others") {
    auto store = small_store();
    store.objects["agents/3"].clear();
    Engine engine;
    CHECK_THROWS_AS(run(engine, *engine.rows({"agents"}), store), Error);
    CHECK(run(engine, *engine.frame(0, 0), store)["agents.row"].shape[0] == 3);
  }

  TEST_CASE("an absent chunk reads as fill with Missing::fill, and is reported") {
    auto store = small_store();
    store.objects.erase("agents/1");
    Engine engine(Engine::kByteBudget, bev::store::Missing::fill);
    CHECK(engine.absent_chunks().empty());
    const auto ids = run(engine, *engine.rows({"agents", 7, 9}), store)
                         .values<std::uint64_t>("track_id");
    CHECK(ids == std::vector<std::uint64_t>{2, 0});
    CHECK(engine.absent_chunks() == std::vector<std::string>{"agents/1"});
    CHECK(engine.absent_count() == 1);
  }

  TEST_CASE("an absent chunk of L5Kit's arrays is an error that names it") {
    for (const auto* key : {"scenes/0", "frames/0", "agents/1"}) {
      CAPTURE(key);
      const auto whole = small_store();
      auto store = whole;
      store.objects.erase(key);
      Engine engine;
      const std::string array = std::string(key).substr(0, 6);
      const auto query = engine.rows({array});
      for (int i = 0; i < 3; ++i) {
        const auto [code, message] = error_of([&] { run(engine, *query, store); });
        CHECK(code == Errc::missing_key);
        CHECK(message == std::string(key) +
                             ": missing from the store (expected every chunk of " +
                             array + ")");
      }
      CHECK(engine.absent_chunks() == std::vector<std::string>{key});
      const auto frame = engine.frame(0, 3);
      CHECK(error_of([&] { run(engine, *frame, store); }).first == Errc::missing_key);
      engine.forget_failures(key);
      CHECK(engine.absent_count() == 0);
      CHECK(!run(engine, *query, whole).arrays.empty());
      CHECK(!run(engine, *frame, whole).arrays.empty());
    }
  }

  TEST_CASE("rows beside an absent chunk are read") {
    auto store = small_store();
    store.objects.erase("agents/1");
    Engine engine;
    CHECK_THROWS_AS(run(engine, *engine.rows({"agents"}), store), Error);
    CHECK(run(engine, *engine.rows({"agents", 0, 8}), store).arrays.size() > 1);
    CHECK(run(engine, *engine.frame(0, 0), store)["agents.row"].shape[0] == 3);
  }

  TEST_CASE("other arrays read an absent chunk as fill by default") {
    auto store = small_store();
    store.text("mask/.zarray", R"({"zarr_format": 2, "compressor": null, "order": "C",
      "filters": null, "fill_value": 1, "shape": [4], "chunks": [2], "dtype": "|u1"})");
    Engine engine;
    CHECK(run(engine, *engine.rows({"mask"}), store).values<std::uint8_t>("") ==
          std::vector<std::uint8_t>(4, 1));
    Engine strict(Engine::kByteBudget, bev::store::Missing::error);
    const auto query = strict.rows({"mask"});
    const auto [code, message] = error_of([&] { run(strict, *query, store); });
    CHECK(code == Errc::missing_key);
    CHECK(message.starts_with("mask/0: missing from the store"));
  }

  TEST_CASE("an absent chunk fails only the query that needs it") {
    auto store = small_store();
    store.objects.erase("agents/1");
    for (const bool broken_first : {false, true}) {
      Engine engine;
      const auto sound = engine.rows({"agents", 0, 8});
      const auto broken = engine.rows({"agents", 7, 9});
      const auto check_broken = [&] {
        CHECK(error_of([&] { run(engine, *broken, store); }).first ==
              Errc::missing_key);
      };
      if (broken_first) check_broken();
      CHECK(run(engine, *sound, store).arrays.size() > 1);
      check_broken();
    }
  }

  TEST_CASE("ranges of documents and too many bytes are refused") {
    Engine engine;
    const auto [code, message] = error_of([&] {
      engine.supply({"agents/.zarray", {{0, 511}}, true}, {});
    });
    CHECK(code == Errc::invalid_argument);
    CHECK(message == "agents/.zarray: range supplied of a document");
    const auto [more, said] = error_of([&] {
      engine.supply({"agents/0", {{0, 4}}, true}, std::vector<std::byte>(5));
    });
    CHECK(more == Errc::invalid_argument);
    CHECK(said == "agents/0: too many bytes supplied (found 5, expected at most 0:4)");
  }
}

}  // namespace query_test
