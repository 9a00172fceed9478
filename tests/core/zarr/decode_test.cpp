#include "core/zarr/decode.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/zarr/encode.hpp"
#include "tests/support/codec_cases.hpp"
#include "tests/support/records.hpp"

namespace decode_test {

using bev::Errc;
using bev::Error;
using bev::test::codec_cases;
using bev::test::CodecCase;
using bev::test::Random;
using namespace bev::zarr;

namespace {

// Random slots of a record, which may overlap, and their expected content.
struct Request {
  RowRange rows;
  std::vector<ColumnSlot> slots;
  std::vector<std::vector<std::byte>> memory;
};

Request random_request(Random& random, std::size_t record, std::size_t rows) {
  Request request;
  request.rows.begin = random.below(rows + 1);
  request.rows.end = request.rows.begin + random.below(rows - request.rows.begin + 1);
  const std::size_t count = random.below(4);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = random.below(record + 1);
    const std::size_t offset = random.below(record - size + 1);
    request.memory.emplace_back(request.rows.size() * size);
    request.slots.push_back({offset, size, request.memory.back()});
  }
  return request;
}

bool holds(const Request& request, std::span<const std::byte> whole,
           std::size_t record) {
  for (const ColumnSlot& slot : request.slots) {
    for (std::size_t i = 0; i < slot.out.size(); ++i) {
      const std::size_t row = request.rows.begin + i / slot.size;
      if (slot.out[i] != whole[row * record + slot.offset + i % slot.size])
        return false;
    }
  }
  return true;
}

Errc code_of(const ArrayMeta& meta, RowRange rows, ColumnSlot slot) {
  const std::vector<std::byte> bytes(meta.chunk_bytes());
  try {
    decode_columns(meta, {"a/0", bytes}, rows, std::span(&slot, 1));
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

}  // namespace

TEST_SUITE("zarr/decode") {
  TEST_CASE("every codec decodes to the encoded elements") {
    for (const CodecCase& one : codec_cases()) {
      CAPTURE(one.name);
      const ArrayMeta meta = one.meta();
      const auto chunk = one.chunk();
      std::vector<std::byte> out(meta.chunk_bytes());
      decode_chunk(meta, {"a/0", chunk}, out);
      CHECK(out == one.elements());
    }
  }

  TEST_CASE("any fields of any rows equal those of the whole chunk") {
    for (const CodecCase& one : codec_cases()) {
      CAPTURE(one.name);
      const ArrayMeta meta = one.meta();
      const auto chunk = one.chunk();
      const auto whole = one.elements();
      const std::size_t record = meta.dtype.size();
      Random random(17);
      for (int i = 0; i < 60; ++i) {
        const Request request = random_request(random, record, whole.size() / record);
        decode_columns(meta, {"a/0", chunk}, request.rows, request.slots);
        if (!holds(request, whole, record)) FAIL("request " << i);
      }
    }
  }

#ifndef __EMSCRIPTEN__  // cannot encode
  TEST_CASE("rows of several items equal those of the whole chunk") {
    constexpr std::size_t kRows = 5000;
    Random random(5);
    for (const auto* codec : {"blosc:lz4", "blosc:zstd"}) {
      for (const std::size_t items : {2U, 3U, 17U}) {
        CAPTURE(items);
        ArrayMeta meta;
        meta.shape = meta.chunks = {kRows * items};
        meta.dtype = parse_dtype(nlohmann::json("<f4"), "test");
        meta.compressor = compressor_named(codec, std::nullopt);
        meta.compressor.blocksize = 4096;  // no multiple of the rows
        std::vector<std::byte> whole(meta.chunk_bytes());
        for (std::size_t i = 0; i < whole.size(); i += 1 + random.below(4)) {
          whole[i] = static_cast<std::byte>(random.below(8));
        }
        const auto chunk = encode_chunk(meta, whole);
        meta.shape = meta.chunks = {kRows};
        meta.dtype.shape = {items};
        const std::size_t record = meta.dtype.size();
        for (int i = 0; i < 60; ++i) {
          Request request = random_request(random, record, kRows);
          request.memory.emplace_back(request.rows.size() * record);
          request.slots = {{0, record, request.memory.back()}};
          decode_columns(meta, {"a/0", chunk}, request.rows, request.slots);
          if (!holds(request, whole, record)) FAIL("request " << i);
        }
      }
    }
  }
#endif

  TEST_CASE("rows and slots outside the chunk are refused") {
    ArrayMeta meta = codec_cases()[4].meta();
    REQUIRE(meta.compressor.id == Compressor::Id::none);
    std::vector<std::byte> out(20);
    CHECK(code_of(meta, {0, 5}, {16, 4, out}) == Errc::internal);  // nothing is thrown
    CHECK(code_of(meta, {0, 11}, {16, 4, out}) == Errc::invalid_argument);
    CHECK(code_of(meta, {5, 4}, {16, 4, out}) == Errc::invalid_argument);
    CHECK(code_of(meta, {0, 5}, {113, 4, out}) == Errc::invalid_argument);
    CHECK(code_of(meta, {0, 5}, {117, 0, {}}) == Errc::invalid_argument);
    CHECK(code_of(meta, {0, 5}, {0, ~std::size_t{0}, out}) == Errc::invalid_argument);
    CHECK(code_of(meta, {0, 4}, {16, 4, out}) == Errc::invalid_argument);
    meta.shape.push_back(1);
    meta.chunks.push_back(1);
    CHECK(code_of(meta, {0, 5}, {16, 4, out}) == Errc::invalid_argument);
    CHECK_THROWS_AS(decode_chunk(meta, {"a/0", out}, out), Error);
  }

  TEST_CASE("a raw chunk of the wrong length is corrupt, never padded") {
    const ArrayMeta meta = codec_cases()[4].meta();
    for (const std::size_t size : {0u, 1159u, 1161u, 2320u}) {
      CAPTURE(size);
      const std::vector<std::byte> bytes(size);
      std::vector<std::byte> out(1160);
      const std::array slots{ColumnSlot{0, 116, out}};
      CHECK_THROWS_AS(decode_chunk(meta, {"a/0", bytes}, out), Error);
      CHECK_THROWS_WITH_AS(decode_columns(meta, {"a/0", bytes}, {0, 10}, slots),
                           ("a/0: wrong length (found " + std::to_string(size) +
                            " bytes, expected 1160)")
                               .c_str(),
                           Error);
    }
  }

  TEST_CASE("an HTML page in place of a chunk is corrupt under every codec") {
    const auto page =
        bev::test::Packed().text("<!doctype html><title>404</title>").bytes();
    for (const CodecCase& one : codec_cases()) {
      CAPTURE(one.name);
      std::vector<std::byte> out(one.meta().chunk_bytes());
      CHECK_THROWS_AS(decode_chunk(one.meta(), {"a/0", page}, out), Error);
      CHECK_THROWS_AS(decode_chunk(one.meta(), {"a/0", {}}, out), Error);
    }
  }

  TEST_CASE("any field of any record is copied, and nothing else is written") {
    bev::test::Random random(5);
    for (std::size_t record = 1; record < 40; ++record) {
      const std::size_t rows = random.below(5);
      const auto data = random.bytes(record * rows);
      for (std::size_t size = 0; size <= record; ++size) {
        const std::size_t offset = random.below(record - size + 1);
        std::vector<std::byte> out(rows * size);
        const std::array slots{ColumnSlot{offset, size, out}};
        copy_columns(data.data(), record, rows, slots);
        for (std::size_t i = 0; i < out.size(); ++i) {
          if (out[i] == data[i / size * record + offset + i % size]) continue;
          FAIL("record " << record << " size " << size);
        }
      }
    }
  }

  TEST_CASE("scratch memory is reused") {
    const std::byte* first = nullptr;
    {
      Scratch scratch(1000);
      first = scratch.data();
      std::memset(scratch.data(), 1, 1000);
    }
    Scratch again(500);
    CHECK(again.data() == first);
  }

  TEST_CASE("scratch memory of a huge chunk is released") {
    constexpr std::size_t kHuge = std::size_t{17} << 20;
    {
      Scratch scratch(kHuge);
      scratch.data()[kHuge - 1] = std::byte{42};
    }
    Scratch small(kHuge);
    CHECK(small.data()[kHuge - 1] == std::byte{0});  // fresh
  }
}

}  // namespace decode_test
