#include "core/zarr/array_writer.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/memory_store.hpp"

namespace array_writer_test {

using bev::Error;
using bev::test::MemoryStore;
using namespace bev::zarr;

namespace {

/// An array of <i2 rows with `inner` elements each.
ArrayMeta meta_of(std::uint64_t chunk_rows, std::vector<std::uint64_t> inner = {}) {
  ArrayMeta meta;
  meta.shape = {0};
  meta.chunks = {chunk_rows};
  for (const auto length : inner) {
    meta.shape.push_back(length);
    meta.chunks.push_back(length);
  }
  meta.dtype = parse_dtype(nlohmann::json("<i2"), "test");
  return meta;
}

std::vector<std::byte> bytes(const std::vector<int>& values) {
  std::vector<std::byte> out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

}  // namespace

TEST_SUITE("zarr/array_writer") {
  TEST_CASE("rows are divided into chunks, the last of which is padded") {
    MemoryStore store;
    auto meta = meta_of(2);
    meta.fill = bytes({7, 8});
    ArrayWriter writer(store, "a", meta);
    writer.append(bytes({1, 0, 2, 0, 3, 0}));
    CHECK(store.objects.size() == 1);  // the full chunk is written at once
    writer.append({});
    writer.append(bytes({4, 0, 5, 0}));
    CHECK(writer.rows() == 5);
    const auto text = writer.close();
    CHECK(store.objects.at("a/0") == bytes({1, 0, 2, 0}));
    CHECK(store.objects.at("a/1") == bytes({3, 0, 4, 0}));
    CHECK(store.objects.at("a/2") == bytes({5, 0, 7, 8}));
    const auto parsed = parse_array_meta(text, "a/.zarray");
    CHECK(parsed.shape == std::vector<std::uint64_t>{5});
    CHECK(parsed.fill == bytes({7, 8}));
    CHECK(store.objects.size() == 4);
  }

  TEST_CASE("a row may have several axes, which a chunk spans") {
    MemoryStore store;
    ArrayWriter writer(store, "a", meta_of(2, {2, 1}));
    writer.append(bytes({1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0}));
    const auto parsed = parse_array_meta(writer.close(), "a/.zarray");
    CHECK(parsed.shape == std::vector<std::uint64_t>{3, 2, 1});
    CHECK(store.objects.at("a/0.0.0") == bytes({1, 0, 2, 0, 3, 0, 4, 0}));
    CHECK(store.objects.at("a/1.0.0") == bytes({5, 0, 6, 0, 0, 0, 0, 0}));
  }

  TEST_CASE("a written chunk is reported without its padding") {
    MemoryStore store;
    std::vector<std::vector<std::byte>> rows;
    std::vector<std::uint64_t> numbers;
    ArrayWriter writer(store, "a", meta_of(2), [&](const WrittenChunk& chunk) {
      numbers.push_back(chunk.number);
      rows.emplace_back(chunk.rows.begin(), chunk.rows.end());
      CHECK(chunk.encoded.size() == 4);
    });
    writer.append(bytes({1, 0, 2, 0, 3, 0}));
    writer.close();
    CHECK(numbers == std::vector<std::uint64_t>{0, 1});
    CHECK(rows[1] == bytes({3, 0}));
  }

  TEST_CASE("an empty array has no chunks") {
    MemoryStore store;
    ArrayWriter writer(store, "a", meta_of(2));
    CHECK(parse_array_meta(writer.close(), "a").shape == std::vector<std::uint64_t>{0});
    CHECK(store.objects.size() == 1);
  }

  TEST_CASE("invalid chunks and rows are refused") {
    MemoryStore store;
    CHECK_THROWS_WITH_AS(ArrayWriter(store, "a", meta_of(0)),
                         "a: chunk length must not be 0", Error);
    CHECK_THROWS_WITH_AS(ArrayWriter(store, "a", meta_of(std::uint64_t{1} << 60)),
                         "a: chunk length too large (found 1152921504606846976 rows, "
                         "expected at most 536870912)",
                         Error);
    auto parts = meta_of(2, {4});
    parts.chunks[1] = 2;
    CHECK_THROWS_WITH_AS(ArrayWriter(store, "a", parts),
                         "a: chunks must span all axes but the first", Error);
    ArrayWriter writer(store, "a", meta_of(2));
    CHECK_THROWS_WITH_AS(writer.append(bytes({1, 2, 3})),
                         "a: rows have the wrong length (found 3 bytes, expected a "
                         "multiple of 2)",
                         Error);
    CHECK(writer.rows() == 0);
  }
}

}  // namespace array_writer_test
