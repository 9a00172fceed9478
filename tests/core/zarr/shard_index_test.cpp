#include "core/zarr/shard_index.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"
#include "tests/support/records.hpp"

using bev::Error;
using bev::test::Packed;
using namespace bev::zarr;

namespace {

constexpr auto kNone = ~std::uint64_t{0};

Packed two_places() {
  Packed index;
  index.add(std::uint64_t{16}).add(std::uint64_t{7});
  return index.add(kNone).add(kNone);
}

Sharding pairs() {
  Sharding sharding;
  sharding.counts = {2};
  return sharding;
}

}  // namespace

TEST_SUITE("zarr/shard_index") {
  TEST_CASE("a chunk's shard and slot follow C order") {
    Sharding sharding;
    sharding.counts = {2, 3};
    CHECK(slot_of(sharding, std::array<std::uint64_t, 2>{0, 0}) ==
          ShardSlot{{0, 0}, 0});
    CHECK(slot_of(sharding, std::array<std::uint64_t, 2>{3, 8}) ==
          ShardSlot{{1, 2}, 5});
    CHECK(index_bytes(sharding) == 96);
    sharding.checksum = true;
    CHECK(index_bytes(sharding) == 100);
  }

  TEST_CASE("an index has ranges and absent chunks") {
    const ShardIndex index(pairs(), {"a/0", two_places().bytes()}, 23);
    REQUIRE(index.find(0).has_value());
    CHECK(index.find(0)->begin == 16);
    CHECK(index.find(0)->size == 7);
    CHECK_FALSE(index.find(1).has_value());
  }

  TEST_CASE("the index may be big-endian") {
    auto sharding = pairs();
    sharding.big_endian = true;
    auto bytes = two_places().bytes();
    std::reverse(bytes.begin(), bytes.begin() + 8);
    std::reverse(bytes.begin() + 8, bytes.begin() + 16);
    CHECK(ShardIndex(sharding, {"a/0", bytes}, 23).find(0)->size == 7);
  }

  TEST_CASE("the index's checksum is verified") {
    auto sharding = pairs();
    sharding.checksum = true;
    auto packed = two_places();
    const auto bytes = packed.add(crc32c(two_places().bytes())).bytes();
    CHECK(ShardIndex(sharding, {"a/0", bytes}, 23).find(0)->size == 7);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      auto flipped = bytes;
      flipped[at] ^= std::byte{1};
      CHECK_THROWS_AS(ShardIndex(sharding, {"a/0", flipped}, 23), Error);
    }
  }

  TEST_CASE("ranges outside the shard are refused") {
    const auto bytes = two_places().bytes();
    CHECK_THROWS_WITH_AS(
        ShardIndex(pairs(), {"a/0", bytes}, 22).find(0),
        "a/0: shard index: chunk 0 is outside the shard (7 bytes at 16, shard size 22)",
        Error);
    CHECK_THROWS_WITH_AS(
        ShardIndex(pairs(), {"a/0", std::span(bytes).first(31)}, 23),
        "a/0: shard index has the wrong length (found 31 bytes, expected 32)", Error);
    Packed wrapped;
    wrapped.add(kNone).add(std::uint64_t{7}).add(std::uint64_t{1}).add(kNone - 1);
    const ShardIndex index(pairs(), {"a/0", wrapped.bytes()}, std::nullopt);
    CHECK_THROWS_AS(index.find(0), Error);
    CHECK_THROWS_AS(index.find(1), Error);
  }
}
