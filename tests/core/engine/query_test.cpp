#include "core/engine/query.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

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

  TEST_CASE("once its answers are supplied, missing asks for something else") {
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

  TEST_CASE("building before all is supplied says what is missing") {
    Engine engine;
    const auto query = engine.rows({"agents"});
    const auto [code, message] = error_of([&] { query->build(); });
    CHECK(code == Errc::invalid_argument);
    CHECK(message ==
          "rows of agents: 1 objects are still to be supplied, the first is "
          "agents/.zarray");
  }

  TEST_CASE("a result can be built again, and is the same") {
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

  TEST_CASE("a budget too small for one query is an error that says what it takes") {
    const auto store = small_store();
    const auto bytes = encoded_bytes(store, "agents/");
    for (const std::size_t budget : {std::size_t{0}, std::size_t{1}, bytes - 1}) {
      CAPTURE(budget);
      Engine engine(budget);
      const auto query = engine.rows({"agents"});
      const auto [code, message] = error_of([&] { run(engine, *query, store); });
      CHECK(code == Errc::out_of_memory);
      CHECK(message == "rows of agents: needs at least " + std::to_string(bytes) +
                           " bytes of chunks at a time, the budget is " +
                           std::to_string(budget));
      CHECK(engine.cache().bytes_held <= budget);
    }
    Engine engine(bytes);
    CHECK(run(engine, *engine.rows({"agents"}), store).rounds == 2);
  }

  TEST_CASE("after a budget error the engine answers what fits") {
    const auto store = small_store();
    Engine engine(encoded_bytes(store, "agents/") - 1);
    CHECK_THROWS_AS(run(engine, *engine.rows({"agents"}), store), Error);
    const auto query = engine.rows({"agents", 0, 8, 1, {}, {"track_id"}});
    CHECK(run(engine, *query, store).values<std::uint64_t>("track_id")[7] == 2);
  }

  TEST_CASE("two queries that need the whole budget each both come to an end") {
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

  TEST_CASE("a damaged chunk is an error that names it, requested again only by hand") {
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

  TEST_CASE("damage in one chunk leaves queries of others alone") {
    auto store = small_store();
    store.objects["agents/3"].clear();
    Engine engine;
    CHECK_THROWS_AS(run(engine, *engine.rows({"agents"}), store), Error);
    CHECK(run(engine, *engine.frame(0, 0), store)["agents.row"].shape[0] == 3);
  }

  TEST_CASE("a missing chunk reads as fill where that is asked for, and is reported") {
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

  TEST_CASE("a missing chunk of L5Kit's arrays is an error that names it") {
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

  TEST_CASE("rows beside a missing chunk are read") {
    auto store = small_store();
    store.objects.erase("agents/1");
    Engine engine;
    CHECK_THROWS_AS(run(engine, *engine.rows({"agents"}), store), Error);
    CHECK(run(engine, *engine.rows({"agents", 0, 8}), store).arrays.size() > 1);
    CHECK(run(engine, *engine.frame(0, 0), store)["agents.row"].shape[0] == 3);
  }

  TEST_CASE("other arrays read a missing chunk as fill, unless told otherwise") {
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

  TEST_CASE("of two queries, a missing chunk fails the one that needs it") {
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

  TEST_CASE("a range of a document, and more bytes than a range has, are refused") {
    Engine engine;
    const auto [code, message] = error_of([&] {
      engine.supply({"agents/.zarray", {{0, 511}}, true}, {});
    });
    CHECK(code == Errc::invalid_argument);
    CHECK(message ==
          "agents/.zarray: bytes 0 to 511 supplied, expected the whole object");
    const auto [more, said] = error_of([&] {
      engine.supply({"agents/0", {{0, 4}}, true}, std::vector<std::byte>(5));
    });
    CHECK(more == Errc::invalid_argument);
    CHECK(said == "agents/0: bytes 0 to 4 supplied, expected no more than that, not 5");
  }
}
