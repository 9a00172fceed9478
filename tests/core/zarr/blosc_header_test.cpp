#include "core/zarr/blosc_header.hpp"

#include <doctest/doctest.h>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace blosc_header_test {

using bev::Errc;
using bev::Error;
using bev::store_le;
using namespace bev::zarr;

namespace {

// 300 bytes in blocks of 120, 120 and 60, LZ4 unsplit with byte shuffle, items of 12;
// blocks of 10 bytes each, stored in the order 0, 2, 1.
std::vector<std::byte> chunk() {
  std::vector<std::byte> bytes(58);
  bytes[0] = std::byte{2};
  bytes[1] = std::byte{1};
  bytes[2] = std::byte{0x31};
  bytes[3] = std::byte{12};
  std::size_t at = 4;
  for (const std::uint32_t value : {300u, 120u, 58u, 28u, 48u, 38u}) {
    store_le(bytes.data() + at, value);
    at += 4;
  }
  return bytes;
}

Errc code_of(const std::vector<std::byte>& bytes, std::size_t decoded = 300) {
  try {
    const EncodedChunk encoded{"a/0", bytes};
    const BlockTable table(parse_blosc_header(encoded, decoded), encoded);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

Errc code_with(std::size_t at, unsigned value) {
  auto bytes = chunk();
  bytes[at] = static_cast<std::byte>(value);
  return code_of(bytes);
}

Errc code_with_word(std::size_t at, std::uint32_t value) {
  auto bytes = chunk();
  store_le(bytes.data() + at, value);
  return code_of(bytes);
}

}  // namespace

TEST_SUITE("zarr/blosc_header") {
  TEST_CASE("fields and derived values") {
    const auto bytes = chunk();
    const BloscHeader header = parse_blosc_header({"a/0", bytes}, 300);
    CHECK(header.format() == BloscHeader::Format::lz4);
    CHECK(header.byte_shuffled());
    CHECK_FALSE(header.stored());
    CHECK(header.typesize == 12);
    CHECK(header.blocks() == 3);
    CHECK(header.block_bytes(1) == 120);
    CHECK(header.block_bytes(2) == 60);
    CHECK(header.splits(0) == 1);
  }

  TEST_CASE("blocks of small items are split, but not a short last one") {
    BloscHeader header;
    header.typesize = 4;
    header.blocksize = 512;
    header.nbytes = 1000;
    CHECK(header.splits(0) == 4);
    CHECK(header.splits(1) == 1);
    header.flags = 0x10;
    CHECK(header.splits(0) == 1);
    header.flags = 0;
    header.blocksize = 508;  // fewer than 128 items
    CHECK(header.splits(0) == 1);
    header.typesize = 17;
    header.blocksize = 17 * 200;
    header.nbytes = 17 * 400;
    CHECK(header.splits(0) == 1);
  }

  TEST_CASE("a block ends where the next larger start is") {
    const auto bytes = chunk();
    const EncodedChunk encoded{"a/0", bytes};
    const BlockTable table(parse_blosc_header(encoded, 300), encoded);
    for (std::size_t i = 0; i < 3; ++i) CHECK(table.streams(i).size() == 10);
    CHECK(table.streams(1).data() == bytes.data() + 48);
  }

  TEST_CASE("each invalid field is detected") {
    CHECK(code_of(chunk()) == Errc::internal);  // valid: nothing is thrown
    CHECK(code_of(chunk(), 288) == Errc::corrupt_chunk);
    CHECK(code_with(0, 1) == Errc::corrupt_chunk);
    CHECK(code_with(0, 4) == Errc::unsupported);
    CHECK(code_with(1, 2) == Errc::corrupt_chunk);
    CHECK(code_with(2, 0x39) == Errc::unsupported);
    CHECK(code_with(2, 0x51) == Errc::unsupported);  // snappy
    CHECK(code_with(2, 0xb1) == Errc::corrupt_chunk);
    CHECK(code_with(2, 0x33) == Errc::corrupt_chunk);  // stored, but of another length
    CHECK(code_with(3, 0) == Errc::corrupt_chunk);
    CHECK(code_with(3, 7) == Errc::corrupt_chunk);
    CHECK(code_with_word(4, 301) == Errc::corrupt_chunk);
    CHECK(code_with_word(4, 0xffffffff) == Errc::corrupt_chunk);
    CHECK(code_with_word(12, 57) == Errc::corrupt_chunk);
    for (const std::uint32_t blocksize : {0u, 1u, 12u, 119u, 301u, 0x80000000u}) {
      CAPTURE(blocksize);
      CHECK(code_with_word(8, blocksize) == Errc::corrupt_chunk);
    }
    for (const std::uint32_t start : {0u, 16u, 27u, 55u, 58u, 0xfffffffeu}) {
      CAPTURE(start);
      CHECK(code_with_word(20, start) == Errc::corrupt_chunk);
    }
  }

  TEST_CASE("a chunk shorter than its header is corrupt") {
    auto bytes = chunk();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CAPTURE(size);
      CHECK(code_of({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(
                                                        size)}) == Errc::corrupt_chunk);
    }
  }

  TEST_CASE("messages name key, codec and block") {
    auto bytes = chunk();
    store_le(bytes.data() + 20, std::uint32_t{58});
    const EncodedChunk encoded{"agents/7", bytes};
    const BloscHeader header = parse_blosc_header(encoded, 300);
    CHECK_THROWS_WITH_AS(
        BlockTable(header, encoded),
        "agents/7: blosc lz4: block 1: start 58 is out of range (chunk size 58)",
        Error);
  }
}

}  // namespace blosc_header_test
