#include "core/store/object_cache.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/store/held_ranges.hpp"
#include "tests/support/records.hpp"

using bev::store::Object;
using bev::store::ObjectCache;
using bev::store::ObjectRef;
using Ranges = std::vector<bev::ByteRange>;

namespace {

ObjectRef object_of(std::size_t size) {
  return std::make_shared<const Object>(
      Object{std::vector<std::byte>(size), false, false, false});
}

ObjectRef piece_of(std::size_t size) {
  return std::make_shared<const Object>(
      Object{std::vector<std::byte>(size), false, true, false});
}

}  // namespace

TEST_SUITE("store/object_cache") {
  TEST_CASE("inserted objects are found, others are not") {
    ObjectCache cache(100);
    cache.insert("agents/3", object_of(10));
    REQUIRE(cache.find("agents/3"));
    CHECK(cache.find("agents/3")->bytes.size() == 10);
    CHECK_FALSE(cache.find("agents/4"));
    CHECK(cache.stats().hits == 2);
    CHECK(cache.stats().misses == 1);
  }

  TEST_CASE("the least recently used object is evicted first") {
    ObjectCache cache(30);
    for (const auto* key : {"a", "b", "c"}) cache.insert(key, object_of(10));
    cache.find("a");  // b is now the least recently used
    cache.insert("d", object_of(10));
    CHECK(cache.find("a"));
    CHECK_FALSE(cache.find("b"));
    CHECK(cache.stats().bytes_held == 30);
    CHECK(cache.stats().evictions == 1);
  }

  TEST_CASE("a pinned object stays, even above the budget, until it is released") {
    ObjectCache cache(20);
    cache.insert("a", object_of(15));
    auto pinned = cache.find("a");
    cache.insert("b", object_of(15));
    CHECK_FALSE(cache.find("b"));
    CHECK(cache.find("a"));
    auto second = object_of(15);
    cache.insert("c", second);
    CHECK(cache.stats().bytes_held == 30);
    pinned.reset();
    second.reset();
    cache.trim();
    CHECK(cache.stats().bytes_held == 15);
    CHECK(cache.find("c"));
  }

  TEST_CASE("inserting again replaces the object and its bytes") {
    ObjectCache cache(100);
    cache.insert("a", object_of(40));
    cache.insert("a", object_of(10));
    CHECK(cache.stats().bytes_held == 10);
    cache.erase("a");
    cache.erase("a");
    CHECK(cache.stats().bytes_held == 0);
    CHECK_FALSE(cache.find("a"));
  }

  TEST_CASE("absent objects count in the budget") {
    ObjectCache cache(1000);
    for (int i = 0; i < 100; ++i) {
      cache.insert("a/" + std::to_string(i),
                   std::make_shared<const Object>(Object{{}, true, false, false}));
    }
    CHECK(cache.stats().bytes_held <= 1000);
    CHECK(cache.stats().evictions > 90);
  }

  TEST_CASE("contains neither counts as a use nor in the statistics") {
    ObjectCache cache(20);
    cache.insert("a", object_of(10));
    cache.insert("b", object_of(10));
    CHECK(cache.contains("a"));
    CHECK_FALSE(cache.contains("c"));
    cache.insert("c", object_of(10));
    CHECK_FALSE(cache.contains("a"));  // still the least recently used
    CHECK(cache.stats().hits == 0);
    CHECK(cache.stats().misses == 0);
  }

  TEST_CASE("a cache without budget keeps only pinned objects") {
    ObjectCache cache(0);
    cache.insert("a", object_of(1));
    CHECK_FALSE(cache.contains("a"));
    const auto pinned = object_of(1);
    cache.insert("b", pinned);
    CHECK(cache.contains("b"));
  }

  TEST_CASE("pieces are evicted one by one, and found in order") {
    ObjectCache cache(3 * 138);
    for (const std::uint64_t begin : {60U, 0U, 30U}) {
      cache.insert_piece("a", begin, piece_of(10));
    }
    CHECK(cache.pieces("a").holes({0, 70}) == Ranges{{10, 30}, {40, 60}});
    cache.insert_piece("b", 0, piece_of(10));  // evicts one piece of a
    CHECK(cache.stats().evictions == 1);
    CHECK(cache.pieces("a").holes({0, 70}) == Ranges{{0, 30}, {40, 60}});
    CHECK_FALSE(cache.contains("a"));
  }

  TEST_CASE("keys that extend one another are separate objects") {
    ObjectCache cache(1000);
    cache.insert_piece("a", 0, piece_of(3));
    cache.insert_piece("a/1", 0, piece_of(4));
    cache.insert("a/10", object_of(5));
    CHECK(cache.pieces("a").holes({0, 4}) == Ranges{{3, 4}});
    CHECK(cache.pieces("a/10").empty());
    cache.erase("a");
    CHECK(cache.pieces("a").empty());
    CHECK_FALSE(cache.pieces("a/1").empty());
    CHECK(cache.contains("a/10"));
  }

  TEST_CASE("a whole object replaces its pieces") {
    ObjectCache cache(1000);
    cache.insert_piece("a", 5, piece_of(3));
    cache.insert_piece("a", 9, piece_of(3));
    cache.insert("a", object_of(20));
    CHECK(cache.pieces("a").empty());
    CHECK(cache.stats().bytes_held == 20);
    cache.erase("a");
    CHECK(cache.stats().bytes_held == 0);
  }

  TEST_CASE("an object's end replaces an empty piece at the same offset") {
    ObjectCache cache(1000);
    cache.insert_piece("a", 9, piece_of(0));
    cache.insert_piece("a", 9, piece_of(4));
    CHECK(cache.pieces("a").holes({9, 13}).empty());
    CHECK(cache.stats().bytes_held == 132);
  }

  TEST_CASE("erased and evicted objects stay readable while they are referenced") {
    ObjectCache cache(1000);
    cache.insert("a", object_of(10));
    const auto object = cache.find("a");
    cache.erase("a");
    CHECK(object->bytes.size() == 10);
    cache.insert_piece("b", 0, piece_of(10));
    const auto pieces = cache.pieces("b");
    cache.erase("b");
    CHECK(pieces.holes({0, 10}).empty());
  }

  TEST_CASE("random operations keep bytes and order like a plain list") {
    bev::test::Random random(17);
    ObjectCache cache(100);
    std::vector<std::pair<std::string, std::size_t>> model;  // most recently used first
    const auto take = [&](const std::string& key) {
      const auto at = std::find_if(model.begin(), model.end(),
                                   [&](const auto& one) { return one.first == key; });
      if (at == model.end()) return std::size_t{0};
      const auto size = at->second;
      model.erase(at);
      return size;
    };
    for (int i = 0; i < 3000; ++i) {
      const auto key = std::to_string(random.below(12));
      const auto action = random.below(4);
      if (action == 0) {
        cache.erase(key);
        take(key);
      } else if (action == 1) {
        const auto size = 1 + random.below(40);
        cache.insert(key, object_of(size));
        take(key);
        model.insert(model.begin(), {key, size});
      } else {
        const auto size = take(key);
        if (size > 0) model.insert(model.begin(), {key, size});
        REQUIRE((cache.find(key) != nullptr) == (size > 0));
      }
      std::size_t held = 0;
      for (const auto& one : model) held += one.second;
      while (held > 100) {
        held -= model.back().second;
        model.pop_back();
      }
      REQUIRE(cache.stats().bytes_held == held);
    }
  }
}
