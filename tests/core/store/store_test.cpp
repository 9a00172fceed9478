#include "core/store/store.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/records.hpp"

namespace store_test {

using bev::ByteRange;
using bev::Errc;
using bev::Error;
using bev::store::Plan;
using bev::store::Request;
using bev::store::Store;
using Ranges = std::vector<ByteRange>;
using Bytes = std::vector<std::byte>;
using Requests = std::vector<Request>;

namespace {

constexpr ByteRange kAll{0, 1000};

/// Bytes [begin, end) of an object whose bytes are their offsets, modulo 256.
Bytes offsets(std::uint64_t begin, std::uint64_t end) {
  Bytes bytes;
  for (auto at = begin; at < end; ++at) bytes.push_back(static_cast<std::byte>(at));
  return bytes;
}

void supply(Store& store, const char* key, ByteRange range) {
  store.supply({key, range}, offsets(range.begin, range.end));
}

/// Runs a dry run that requests these ranges of "a/0".
Requests request(Plan& plan, const Ranges& ranges) {
  plan.begin();
  plan.request("a/0", ranges);
  return plan.finish();
}

bool finds(Store& store, const char* key) {
  Plan plan(store, "probe");
  return store.find(key, plan) != nullptr;
}

Errc code_of(Store& store, const Request& request, std::size_t size) {
  try {
    store.supply(request, Bytes(size));
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

}  // namespace

TEST_SUITE("store/store") {
  TEST_CASE("supplied ranges are pieces of the object") {
    Store store(10000);
    supply(store, "a/0", {10, 20});
    supply(store, "a/0", {40, 45});
    const auto pieces = store.pieces("a/0");
    CHECK(pieces.holes({0, 50}) == Ranges{{0, 10}, {20, 40}, {45, 50}});
    CHECK_FALSE(pieces.end());
    CHECK_FALSE(finds(store, "a/0"));
    CHECK(store.pieces("a/1").empty());
  }

  TEST_CASE("bytes in memory are kept when a range overlaps them") {
    Store store(10000);
    store.supply({"a/0", ByteRange{10, 20}}, Bytes(10, std::byte{1}));
    store.supply({"a/0", ByteRange{5, 25}}, Bytes(20, std::byte{2}));
    Bytes all(20);
    store.pieces("a/0").copy({5, 25}, all.data());
    Bytes expected(20, std::byte{2});
    std::fill(expected.begin() + 5, expected.begin() + 15, std::byte{1});
    CHECK(all == expected);
  }

  TEST_CASE("a range that is already in memory adds nothing") {
    Store store(10000);
    supply(store, "a/0", {0, 100});
    const auto held = store.cache().bytes_held;
    supply(store, "a/0", {20, 60});
    CHECK(store.cache().bytes_held == held);
  }

  TEST_CASE("a cut answer marks the object's end, even without bytes") {
    Store store(10000);
    store.supply({"a/0", ByteRange{90, 200}}, offsets(90, 120));
    CHECK(store.pieces("a/0").end() == 120);
    store.supply({"b/0", ByteRange{90, 200}}, Bytes());
    CHECK(store.pieces("b/0").end() == 90);
    supply(store, "c/0", {0, 90});
    store.supply({"c/0", ByteRange{0, 91}}, offsets(0, 90));  // only the end is new
    CHECK(store.pieces("c/0").end() == 90);
  }

  TEST_CASE("a whole object replaces its pieces and answers later ranges") {
    Store store(10000);
    supply(store, "a/0", {0, 10});
    store.supply({"a/0"}, offsets(0, 50));
    CHECK(finds(store, "a/0"));
    CHECK(store.holds("a/0"));
    CHECK(store.pieces("a/0").empty());
    CHECK(store.cache().bytes_held == 50);
    supply(store, "a/0", {0, 10});  // late answer
    CHECK(store.cache().bytes_held == 50);
  }

  TEST_CASE("joined pieces are one object, and the pieces are dropped") {
    Store store(10000);
    Plan plan(store, "test");
    supply(store, "a/0", {0, 30});
    supply(store, "a/0", {30, 50});
    const auto object = store.join("a/0", store.pieces("a/0"), 50, plan);
    const auto bytes = object->bytes.span();
    CHECK(Bytes(bytes.begin(), bytes.end()) == offsets(0, 50));
    CHECK(store.pieces("a/0").empty());
    CHECK(store.holds("a/0"));
    CHECK(store.cache().bytes_held == 50);
  }

  TEST_CASE("hostile ranges are refused") {
    Store store(10000);
    constexpr auto kMax = ~std::uint64_t{0};
    CHECK(code_of(store, {"a/0", ByteRange{10, 10}}, 0) == Errc::invalid_argument);
    CHECK(code_of(store, {"a/0", ByteRange{11, 10}}, 0) == Errc::invalid_argument);
    CHECK(code_of(store, {"a/0", ByteRange{kMax, 0}}, 1) == Errc::invalid_argument);
    CHECK(code_of(store, {"a/0", ByteRange{0, 4}}, 5) == Errc::invalid_argument);
    CHECK(code_of(store, {"a/.zarray", ByteRange{0, 4}}, 4) == Errc::invalid_argument);
    CHECK(code_of(store, {"a/0", ByteRange{kMax - 1, kMax}}, 1) == Errc::internal);
    CHECK(store.cache().bytes_held == 1 + 128);
  }

  TEST_CASE("documents are never evicted and do not count") {
    Store store(0);
    const std::string text = R"({"zarr_format": 2})";
    store.supply({".zgroup"},
                 Bytes(reinterpret_cast<const std::byte*>(text.data()),
                       reinterpret_cast<const std::byte*>(text.data()) + text.size()));
    CHECK(store.cache().bytes_held == 0);
    CHECK(store.catalogue().present(".zgroup"));
    store.supply_absent("x/.zarray");
    CHECK_FALSE(store.catalogue().present("x/.zarray"));
    CHECK(store.absent_count() == 0);
  }

  TEST_CASE("absent chunks are listed once they are read, sorted") {
    Store store(10000);
    Plan plan(store, "test");
    for (const auto* key : {"b/1", "a/2", "b/0"}) store.supply_absent(key);
    CHECK(store.absent_chunks().empty());
    for (const auto* key : {"b/1", "a/2", "b/0", "b/1"}) store.find(key, plan);
    CHECK(store.absent_chunks() == std::vector<std::string>{"a/2", "b/0", "b/1"});
    store.supply({"a/2"}, Bytes(3));
    CHECK(store.absent_count() == 2);
  }

  TEST_CASE("forget_failures drops one object, or all") {
    Store store(10000);
    Plan plan(store, "test");
    for (const auto* key : {"a/0", "a/1"}) {
      store.supply({key}, Bytes(10));
      store.remember_failure(key, key, {Errc::corrupt_chunk, key});
      CHECK_FALSE(store.holds(key));
    }
    for (const auto* key : {"b/0", "b/1"}) {
      store.supply_absent(key);
      store.find(key, plan);
    }
    CHECK(store.forget_failures("a/0") == std::vector<std::string>{"a/0"});
    CHECK_NOTHROW(store.check_failure("a/0"));
    CHECK_THROWS_WITH_AS(store.check_failure("a/1"), "a/1", Error);
    CHECK(store.forget_failures("b/0").empty());
    CHECK_FALSE(store.holds("b/0"));
    CHECK(store.holds("b/1"));
    CHECK(store.forget_failures() == std::vector<std::string>{"a/1"});
    CHECK(store.absent_count() == 0);
    CHECK(store.cache().bytes_held == 0);
  }

  TEST_CASE("a failure in a shard leaves the shard's bytes") {
    Store store(10000);
    store.supply({"s"}, Bytes(40));
    store.remember_failure("s", "s chunk 3", {Errc::corrupt_chunk, "s chunk 3: x"});
    CHECK(store.holds("s"));
    CHECK_THROWS_AS(store.check_failure("s chunk 3"), Error);
    CHECK_NOTHROW(store.check_failure("s chunk 4"));
  }

  TEST_CASE("bytes that no plan requested are cached if they fit") {
    Store store(300);
    supply(store, "a/0", {0, 100});
    CHECK(store.cache().bytes_held == 228);
    supply(store, "b/0", {0, 300});  // above the budget by itself
    CHECK(store.cache().bytes_held == 0);
    CHECK(store.cache().evictions == 2);
  }

  TEST_CASE("pieces of a plan stay while others are evicted") {
    Store store(600);
    Plan plan(store, "rows of a");
    request(plan, {{0, 100}});
    supply(store, "a/0", {0, 100});
    for (int i = 0; i < 9; ++i) {
      store.supply({"x/" + std::to_string(i)}, Bytes(200));
    }
    CHECK(store.pieces("a/0").holes({0, 100}).empty());
    CHECK(store.cache().bytes_held <= 600);
    plan.release();
    for (int i = 0; i < 9; ++i) {
      store.supply({"x/" + std::to_string(i)}, Bytes(300));
    }
    CHECK(store.pieces("a/0").empty());
  }

  TEST_CASE("a plan refuses bytes above the budget and fails with what it needs") {
    Store store(500);
    Plan plan(store, "rows of a");
    request(plan, {{0, 300}, {400, 700}});
    supply(store, "a/0", {0, 300});
    supply(store, "a/0", {400, 700});
    CHECK(store.cache().bytes_held == 428);
    plan.begin();
    for (const auto& piece : store.pieces("a/0").within(kAll)) plan.pin(piece);
    CHECK_THROWS_WITH_AS(
        plan.finish(),
        "rows of a: byte budget too small (found 500, needs at least 856)", Error);
    CHECK(request(plan, {{0, 10}}).size() == 1);  // usable again
  }

  TEST_CASE("of two plans, one may accept what the other refuses") {
    Store store(400);
    Plan full(store, "full");
    Plan small(store, "small");
    request(full, {{0, 200}});
    supply(store, "a/0", {0, 200});
    for (auto* plan : {&full, &small}) {
      plan->begin();
      plan->request("b/0", true);
      if (plan == &full) plan->pin(store.pieces("a/0").within(kAll)[0]);
      CHECK(plan->finish().size() == 1);
    }
    store.supply({"b/0"}, Bytes(300));
    CHECK(store.holds("b/0"));
    CHECK_THROWS_AS(full.finish(), Error);
    small.begin();
    CHECK(store.touch("b/0", small));
    CHECK(small.finish().empty());
  }

  TEST_CASE("statistics of arrays are kept by id") {
    Store store(0);
    bev::store::Array first;
    bev::store::Array last;
    last.id = 70;
    store.array_stats(last).chunk_bytes = 9;
    CHECK(store.array_stats(first).chunk_bytes == 0);
    CHECK(store.array_stats(last).chunk_bytes == 9);
  }

  TEST_CASE("random ranges never lose or change a byte within the budget") {
    bev::test::Random random(21);
    Store store(std::size_t{1} << 20);
    std::vector<bool> supplied(1000);
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t begin = random.below(1000);
      const auto end = begin + 1 + random.below(static_cast<std::size_t>(1000 - begin));
      supply(store, "a/0", {begin, end});
      for (auto at = static_cast<std::size_t>(begin); at < end; ++at) {
        supplied[at] = true;
      }
      const auto pieces = store.pieces("a/0");
      for (const auto hole : pieces.holes(kAll)) {
        for (auto at = static_cast<std::size_t>(hole.begin); at < hole.end; ++at) {
          REQUIRE_FALSE(supplied[at]);
        }
      }
      Bytes all(1000);
      pieces.copy(kAll, all.data());
      for (std::size_t at = 0; at < all.size(); ++at) {
        REQUIRE(all[at] == (supplied[at] ? static_cast<std::byte>(at) : std::byte{0}));
      }
    }
  }
}

}  // namespace store_test
