#include "core/store/block_cache.hpp"

#include <doctest/doctest.h>

using bev::store::BlockCache;
using bev::store::BlockId;

namespace {

bev::RawBytes bytes_of(std::size_t size) {
  return bev::RawBytes(size);
}

}  // namespace

TEST_SUITE("store/block_cache") {
  TEST_CASE("blocks differ in every part of their id") {
    BlockCache cache(1000);
    const BlockId id{1, 2, 3, 4, 5, 6};
    cache.insert(id, bytes_of(7));
    CHECK(cache.find(id)->size() == 7);
    for (const BlockId& other :
         {BlockId{0, 2, 3, 4, 5, 6}, BlockId{1, 0, 3, 4, 5, 6},
          BlockId{1, 2, 0, 4, 5, 6}, BlockId{1, 2, 3, 0, 5, 6},
          BlockId{1, 2, 3, 4, 0, 6}, BlockId{1, 2, 3, 4, 5, 0}}) {
      CHECK_FALSE(cache.find(other));
    }
    CHECK(cache.hits() == 1);
    CHECK(cache.misses() == 6);
  }

  TEST_CASE("the least recently used block is evicted; references stay readable") {
    BlockCache cache(20);
    const auto first = cache.insert({0, 0, 0, 0, 0, 1}, bytes_of(10));
    cache.insert({0, 0, 1, 0, 0, 1}, bytes_of(10));
    cache.insert({0, 0, 2, 0, 0, 1}, bytes_of(10));
    CHECK_FALSE(cache.find({0, 0, 0, 0, 0, 1}));
    CHECK(first->size() == 10);
    CHECK(cache.bytes_held() == 20);
  }

  TEST_CASE("a block above the budget is returned but not cached") {
    BlockCache cache(20);
    CHECK(cache.insert({0, 0, 0, 0, 0, 1}, bytes_of(21))->size() == 21);
    CHECK(cache.bytes_held() == 0);
  }

  TEST_CASE("inserting again replaces") {
    BlockCache cache(100);
    cache.insert({0, 0, 0, 0, 0, 1}, bytes_of(30));
    cache.insert({0, 0, 0, 0, 0, 1}, bytes_of(10));
    CHECK(cache.bytes_held() == 10);
  }

  TEST_CASE("an id is recent until 128 others were seen") {
    BlockCache cache;
    CHECK_FALSE(cache.seen_recently({1, 2, 3, 4, 0, 0}));
    CHECK(cache.seen_recently({1, 2, 3, 4, 0, 0}));
    CHECK_FALSE(cache.seen_recently({1, 2, 3, 5, 0, 0}));
    for (std::uint64_t row = 0; row < 127; ++row) {
      CHECK_FALSE(cache.seen_recently({2, 2, row, 4, 0, 0}));
    }
    CHECK_FALSE(cache.seen_recently({1, 2, 3, 4, 0, 0}));
    CHECK(cache.bytes_held() == 0);
  }
}
