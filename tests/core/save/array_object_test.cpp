#include "core/save/array_object.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

namespace array_object_test {

using bev::Errc;
using bev::test::error_code;
using namespace bev::save;

namespace {

using Bytes = std::vector<std::byte>;
using Index = bev::zarr::ChunkIndex;

/// An array of bytes, in shards of two by three chunks of two by two elements.
ArrayDocument sharded(const char* index = R"({"name": "bytes",
      "configuration": {"endian": "little"}}, {"name": "crc32c"})") {
  const auto text = std::string(R"({"zarr_format": 3, "node_type": "array",
    "shape": [9, 9], "data_type": "uint8", "fill_value": 7, "attributes": {},
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 6]}},
    "chunk_key_encoding": {"name": "default"}, "codecs": [{"name": "sharding_indexed",
      "configuration": {"chunk_shape": [2, 2], "codecs": [{"name": "bytes"}],
        "index_codecs": [)") +
                    index + "]}}]}";
  return parse_document("a/zarr.json", text);
}

}  // namespace

TEST_SUITE("save/array_object") {
  TEST_CASE("chunks are grouped by shard, and a shard has all its chunks") {
    const auto document = sharded();
    const auto parts =
        parts_of(document.meta, {{0, 0}, {0, 3}, {1, 2}, {2, 0}, {3, 2}});
    REQUIRE(parts.size() == 3);
    CHECK((parts[0].object == Index{0, 0}));
    CHECK((parts[0].chunks == std::vector<Index>{{0, 0}, {1, 2}}));
    CHECK((parts[1].object == Index{0, 1}));
    CHECK((parts[2].chunks == std::vector<Index>{{2, 0}, {3, 2}}));
    CHECK(chunks_per_object(document.meta) == 6);
    CHECK((object_grid(document.meta).chunks == std::vector<std::uint64_t>{4, 6}));
    const auto whole = whole_object(document.meta, {1, 0});
    CHECK((whole.chunks ==
           std::vector<Index>{{2, 0}, {2, 1}, {2, 2}, {3, 0}, {3, 1}, {3, 2}}));
    CHECK((whole_object(document.chunk, {1, 0}).chunks == std::vector<Index>{{1, 0}}));
  }

  TEST_CASE("a shard keeps the chunks that are not put, and absent ones stay absent") {
    const auto document = sharded();
    ArrayObject first(document, "a/c/0/0", std::nullopt);
    CHECK((first.decoded({0, 1}) == Bytes(4, std::byte{7})));
    first.put({0, 1}, Bytes(4, std::byte{1}));
    first.put({1, 2}, Bytes(4, std::byte{2}));
    const std::optional stored(std::move(first).encoded());
    ArrayObject second(document, "a/c/0/0", stored);
    CHECK(second.has({0, 1}));
    CHECK_FALSE(second.has({0, 0}));
    second.put({1, 2}, Bytes(4, std::byte{3}));
    const std::optional changed(std::move(second).encoded());
    const ArrayObject third(document, "a/c/0/0", changed);
    CHECK((third.decoded({0, 1}) == Bytes(4, std::byte{1})));
    CHECK((third.decoded({1, 2}) == Bytes(4, std::byte{3})));
    CHECK_FALSE(third.has({1, 1}));
    CHECK(changed->size() == stored->size());
  }

  TEST_CASE("a damaged or truncated shard is refused") {
    const auto document = sharded();
    ArrayObject object(document, "a/c/0/0", std::nullopt);
    object.put({0, 0}, Bytes(4));
    auto bytes = std::move(object).encoded();
    const auto code = [&](const Bytes& of) {
      const std::optional stored(of);
      return error_code([&] { ArrayObject(document, "a/c/0/0", stored); });
    };
    CHECK(code(bytes) == std::nullopt);
    bytes[10] ^= std::byte{1};
    CHECK(code(bytes) == Errc::corrupt_chunk);
    CHECK(code(Bytes(5)) == Errc::corrupt_chunk);
  }

  TEST_CASE("another index than zarr-python's is refused") {
    CHECK(error_code([] {
            sharded(R"({"name": "bytes", "configuration": {"endian": "little"}})");
          }) == Errc::unsupported);
    CHECK(error_code([] {
            sharded(R"({"name": "bytes", "configuration": {"endian": "big"}},
                       {"name": "crc32c"})");
          }) == Errc::unsupported);
  }
}

}  // namespace array_object_test
