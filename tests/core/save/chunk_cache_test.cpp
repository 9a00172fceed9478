#include "core/save/chunk_cache.hpp"

#include <doctest/doctest.h>

#include "core/base/owned_bytes.hpp"

using bev::RawBytes;
using bev::save::ChunkCache;
using bev::save::ChunkId;
using bev::save::DecodedChunk;

namespace {

DecodedChunk chunk_of(std::size_t bytes) {
  const auto owner = std::make_shared<RawBytes>(bytes);
  return {*owner, owner};
}

}  // namespace

TEST_SUITE("save/chunk_cache") {
  TEST_CASE("the least recently used chunk is evicted") {
    ChunkCache cache(1, 100);
    for (const std::uint64_t number : {0U, 1U, 2U}) {
      cache.insert({0, number}, chunk_of(30));
    }
    CHECK(cache.find({0, 0})->bytes.size() == 30);
    cache.insert({0, 3}, chunk_of(30));
    CHECK(cache.contains({0, 0}));
    CHECK_FALSE(cache.contains({0, 1}));
    CHECK(cache.contains({0, 2}));
    CHECK(cache.find({0, 1}) == nullptr);
    CHECK(cache.bytes_held() == 90);
    CHECK(cache.bytes_from({0, 2}) == 60);
    cache.clear();
    CHECK(cache.bytes_held() == 0);
    CHECK(cache.find({0, 0}) == nullptr);
  }

  TEST_CASE("the chunk of each attribute that was found last stays, at any budget") {
    ChunkCache cache(2, 10);
    cache.insert({0, 0}, chunk_of(50));
    cache.find({0, 0});
    cache.insert({1, 0}, chunk_of(50));
    cache.find({1, 0});
    CHECK(cache.contains({0, 0}));
    cache.insert({0, 1}, chunk_of(50));
    CHECK(cache.contains({0, 0}));
    cache.find({0, 1});
    cache.insert({1, 1}, chunk_of(50));
    CHECK_FALSE(cache.contains({0, 0}));
    CHECK(cache.contains({0, 1}));
    CHECK(cache.contains({1, 0}));
  }

  TEST_CASE("a demoted chunk is evicted first") {
    ChunkCache cache(1, 60);
    cache.insert({0, 0}, chunk_of(30));
    cache.insert({0, 1}, chunk_of(30));
    cache.find({0, 1});
    cache.demote({0, 1});
    cache.demote({0, 7});
    cache.insert({0, 2}, chunk_of(30));
    CHECK(cache.contains({0, 0}));
    CHECK_FALSE(cache.contains({0, 1}));
  }

  TEST_CASE("bytes outlive the cache as long as their owner") {
    DecodedChunk kept;
    {
      ChunkCache cache(1, 10);
      cache.insert({0, 0}, chunk_of(50));
      kept = *cache.find({0, 0});
      cache.clear();
    }
    CHECK(kept.owner.use_count() == 1);
    CHECK(kept.bytes.size() == 50);
  }
}
