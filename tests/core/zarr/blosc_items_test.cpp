#include "core/zarr/blosc_items.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "core/base/bytes.hpp"
#include "tests/support/blosc_by_hand.hpp"
#include "tests/support/codec_cases.hpp"
#include "tests/support/records.hpp"

using bev::test::Random;
using namespace bev::zarr;

namespace {

using Bytes = std::vector<std::byte>;
using Read = void (*)(EncodedChunk, const BloscHeader&, RowRange, std::byte*);

Bytes items_by(Read read, const Bytes& chunk, const BloscHeader& header,
               RowRange items) {
  Bytes out(items.size() * header.typesize);
  read({"a/0", chunk}, header, items, out.data());
  return out;
}

Bytes some_bytes(std::size_t size) {
  Random random(5);
  Bytes bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::byte>(random.below(256));
  return bytes;
}

// Returns an unsplit LZ4 chunk of uncompressed blocks, with these flags.
Bytes stored_blocks(const Bytes& blocks, std::size_t typesize, std::size_t blocksize,
                    unsigned flags) {
  auto chunk = bev::test::blosc_by_hand(blocks, 1, blocksize);
  chunk[2] = static_cast<std::byte>(0x30 | flags);
  chunk[3] = static_cast<std::byte>(typesize);
  return chunk;
}

}  // namespace

TEST_SUITE("zarr/blosc_items") {
  TEST_CASE("items of every codec and shuffle are decoded") {
    Random random(23);
    int lz4 = 0;
    int others = 0;
    for (const auto& one : bev::test::codec_cases()) {
      if (!one.name.starts_with("blosc")) continue;
      CAPTURE(one.name);
      const auto whole = one.elements();
      const auto chunk = one.chunk();
      const auto header = parse_blosc_header({"a/0", chunk}, whole.size());
      if (header.stored()) continue;
      const bool is_lz4 = header.format() == BloscHeader::Format::lz4;
      ++(is_lz4 ? lz4 : others);
      const auto count = header.nbytes / header.typesize;
      for (int i = 0; i < 20; ++i) {
        RowRange items{random.below(count), count};
        if (i > 0) items.end = items.begin + 1 + random.below(count - items.begin);
        const auto found =
            items_by(is_lz4 ? lz4_items : blosc_items, chunk, header, items);
        const auto* first = whole.data() + items.begin * header.typesize;
        REQUIRE(std::equal(found.begin(), found.end(), first));
        // c-blosc supports LZ4 too.
        REQUIRE(items_by(blosc_items, chunk, header, items) == found);
      }
    }
    CHECK(lz4 >= 8);
    CHECK(others >= 12);
  }

  TEST_CASE("a rest below one item, or eight, is stored as c-blosc does") {
    for (const unsigned flags : {0x10U, 0x11U, 0x14U, 0x15U}) {
      // Blocks of 15 items with a last one of 7; and blocks smaller than an item.
      for (const std::size_t blocksize : {60U, 64U, 3U}) {
        CAPTURE(flags);
        CAPTURE(blocksize);
        const auto chunk = stored_blocks(some_bytes(148), 4, blocksize, flags);
        const auto header = parse_blosc_header({"a/0", chunk}, 148);
        for (const RowRange items : {RowRange{0, 37}, {3, 20}, {15, 16}, {36, 37}}) {
          REQUIRE(items_by(lz4_items, chunk, header, items) ==
                  items_by(blosc_items, chunk, header, items));
        }
      }
    }
  }

  TEST_CASE("a stream that extends past its block names the block") {
    auto chunk = stored_blocks(some_bytes(128), 4, 64, 0x11);
    const auto second = bev::load_le<std::uint32_t>(chunk.data() + 20);
    bev::store_le(chunk.data() + second, std::uint32_t{1'000});
    const auto header = parse_blosc_header({"a/0", chunk}, 128);
    Bytes out(128);
    CHECK_NOTHROW(lz4_items({"a/0", chunk}, header, {0, 16}, out.data()));
    CHECK_THROWS_WITH_AS(lz4_items({"a/0", chunk}, header, {0, 17}, out.data()),
                         doctest::Contains("a/0: blosc lz4: block 1: truncated stream"),
                         bev::Error);
  }
}
