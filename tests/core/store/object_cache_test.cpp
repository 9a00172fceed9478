#include "core/store/object_cache.hpp"

#include <doctest/doctest.h>

using bev::store::Object;
using bev::store::ObjectCache;
using bev::store::ObjectRef;

namespace {

ObjectRef object_of(std::size_t size) {
  return std::make_shared<const Object>(
      Object{std::vector<std::byte>(size), false, false, false});
}

}  // namespace

TEST_SUITE("store/object_cache") {
  TEST_CASE("what was inserted is found; what was not is absent") {
    ObjectCache cache(100);
    cache.insert("agents/3", object_of(10));
    REQUIRE(cache.find("agents/3"));
    CHECK(cache.find("agents/3")->bytes.size() == 10);
    CHECK_FALSE(cache.find("agents/4"));
    CHECK(cache.stats().hits == 2);
    CHECK(cache.stats().misses == 1);
  }

  TEST_CASE("the least recently used object goes first") {
    ObjectCache cache(30);
    for (const auto* key : {"a", "b", "c"}) cache.insert(key, object_of(10));
    cache.find("a");  // b is now the least recently used
    cache.insert("d", object_of(10));
    CHECK(cache.find("a"));
    CHECK_FALSE(cache.find("b"));
    CHECK(cache.stats().bytes_held == 30);
    CHECK(cache.stats().evictions == 1);
  }

  TEST_CASE("what is referred to stays, even over the budget, until it is let go") {
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

  TEST_CASE("inserting again replaces and keeps the count straight") {
    ObjectCache cache(100);
    cache.insert("a", object_of(40));
    cache.insert("a", object_of(10));
    CHECK(cache.stats().bytes_held == 10);
    cache.erase("a");
    cache.erase("a");
    CHECK(cache.stats().bytes_held == 0);
    CHECK_FALSE(cache.find("a"));
  }

  TEST_CASE("knowing of absences is not free") {
    ObjectCache cache(1000);
    for (int i = 0; i < 100; ++i) {
      cache.insert("a/" + std::to_string(i),
                   std::make_shared<const Object>(Object{{}, true, false, false}));
    }
    CHECK(cache.stats().bytes_held <= 1000);
    CHECK(cache.stats().evictions > 90);
  }
}
