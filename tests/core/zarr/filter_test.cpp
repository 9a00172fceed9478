#include "core/zarr/filter.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/records.hpp"

namespace filter_test {

using bev::Errc;
using bev::Error;
using bev::test::Packed;
using bev::test::Random;
using namespace bev::zarr;
using nlohmann::json;

namespace {

using Bytes = std::vector<std::byte>;

ArrayMeta array_of(const char* dtype, int rows, const char* filters) {
  const json meta = {{"zarr_format", 2},      {"shape", {rows}},
                     {"chunks", {rows}},      {"dtype", dtype},
                     {"order", "C"},          {"compressor", nullptr},
                     {"fill_value", nullptr}, {"filters", json::parse(filters)}};
  return array_meta_from_json(meta, "a/.zarray");
}

Bytes undone(const ArrayMeta& meta, const Bytes& stored) {
  Bytes out(meta.chunk_bytes());
  undo_filters(meta, {"a/0", stored}, stored, out);
  return out;
}

Errc code_with(const char* dtype, const char* filters) {
  try {
    array_of(dtype, 4, filters);
  } catch (const Error& error) {
    CHECK(std::string(error.what()).starts_with("a/.zarray: "));
    return error.code();
  }
  return Errc::internal;
}

template <class T>
Bytes bytes_of(std::initializer_list<T> values) {
  Packed out;
  for (const auto value : values) out.add(value);
  return out.bytes();
}

}  // namespace

TEST_SUITE("zarr/filter") {
  TEST_CASE("delta sums wrap in the elements' type") {
    const auto narrow =
        array_of("<i4", 4, R"([{"id": "delta", "dtype": "<i4", "astype": "|i1"}])");
    CHECK(filtered_bytes(narrow) == 4);
    CHECK(undone(narrow, bytes_of<std::int8_t>({100, 27, -128, 5})) ==
          bytes_of<std::int32_t>({100, 127, -1, 4}));
    const auto same = array_of("|u1", 3, R"([{"id": "delta", "dtype": "|u1"}])");
    CHECK(undone(same, bytes_of<std::uint8_t>({200, 100, 255})) ==
          bytes_of<std::uint8_t>({200, 44, 43}));
    const auto real = array_of("<f4", 3, R"([{"id": "delta", "dtype": "<f4"}])");
    CHECK(undone(real, bytes_of<float>({-0.0f, 16777216, 1})) ==
          bytes_of<float>({-0.0f, 16777216, 16777216}));
  }

  TEST_CASE("fixedscaleoffset divides, then adds") {
    const auto meta = array_of("<f8", 2,
                               R"([{"id": "fixedscaleoffset", "scale": 10,
                                    "offset": 1000, "dtype": "<f8", "astype": "|u1"}])");
    CHECK(undone(meta, bytes_of<std::uint8_t>({0, 3})) ==
          bytes_of<double>({1000, 1000.3}));
  }

  TEST_CASE("astype converts; out-of-range values become the smallest integer") {
    const auto meta = array_of("<i2", 4,
                               R"([{"id": "astype", "encode_dtype": ">f4",
                                    "decode_dtype": "<i2"}])");
    Bytes stored;
    for (const float value : {-1.9f, 3e9f, -32768.5f, 7.0f}) {
      auto one = bytes_of<float>({value});
      stored.insert(stored.end(), one.rbegin(), one.rend());
    }
    CHECK(undone(meta, stored) == bytes_of<std::int16_t>({-1, -32768, -32768, 7}));
  }

  TEST_CASE("shuffle stores byte planes") {
    const auto meta = array_of("<u2", 3, R"([{"id": "shuffle", "elementsize": 2}])");
    CHECK(undone(meta, bytes_of<std::uint8_t>({1, 3, 5, 2, 4, 6})) ==
          bytes_of<std::uint8_t>({1, 2, 3, 4, 5, 6}));
  }

  TEST_CASE("packbits stores the first element in the highest bit") {
    const auto meta = array_of("|b1", 10, R"([{"id": "packbits"}])");
    CHECK(filtered_bytes(meta) == 3);
    CHECK(undone(meta, bytes_of<std::uint8_t>({6, 0x81, 0x40})) ==
          bytes_of<std::uint8_t>({1, 0, 0, 0, 0, 0, 0, 1, 0, 1}));
    CHECK_THROWS_WITH_AS(undone(meta, bytes_of<std::uint8_t>({5, 0x81, 0x40})),
                         "a/0: packbits: wrong padding (found 5 bits, expected 6)",
                         Error);
  }

  TEST_CASE("filters are undone from the last to the first") {
    const auto meta = array_of("<i4", 2,
                               R"([{"id": "delta", "dtype": "<i4"},
                                   {"id": "astype", "encode_dtype": "<i2",
                                    "decode_dtype": "<i4"},
                                   {"id": "shuffle", "elementsize": 2}])");
    CHECK(undone(meta, bytes_of<std::uint8_t>({0xff, 2, 0xff, 1})) ==
          bytes_of<std::int32_t>({-1, 257}));
  }

  TEST_CASE("a chunk of filtered elements decodes whole and in columns") {
    const auto meta = array_of("<i4", 4, R"([{"id": "delta", "dtype": "<i4"}])");
    const auto stored = bytes_of<std::int32_t>({5, 1, 1, 1});
    Bytes whole(16);
    decode_chunk(meta, {"a/0", stored}, whole);
    CHECK(whole == bytes_of<std::int32_t>({5, 6, 7, 8}));
    Bytes two(8);
    const ColumnSlot slot{0, 4, two};
    decode_columns(meta, {"a/0", stored}, {1, 3}, std::span(&slot, 1));
    CHECK(two == bytes_of<std::int32_t>({6, 7}));
    CHECK_THROWS_WITH_AS(
        decode_chunk(meta, {"a/0", std::span(stored).first(15)}, whole),
        "a/0: none: too short (found 15 bytes for 16 decoded bytes)", Error);
  }

  TEST_CASE("unsupported filters are refused by name") {
    CHECK(code_with("<i4", R"([{"id": "quantize"}])") == Errc::unsupported);
    CHECK(code_with("<i4", R"(["delta"])") == Errc::unsupported);
    CHECK(code_with("<i4", R"({"id": "delta"})") == Errc::invalid_metadata);
    CHECK(code_with("<i4", R"([{"id": "delta"}])") == Errc::invalid_metadata);
    CHECK(code_with("<i4", R"([{"id": "delta", "dtype": "<i4", "astype": "<f4"}])") ==
          Errc::unsupported);
    CHECK(code_with("<i4", R"([{"id": "delta", "dtype": "<U4"}])") ==
          Errc::unsupported);
    CHECK(code_with("<f8", R"([{"id": "fixedscaleoffset", "dtype": "<f8"}])") ==
          Errc::invalid_metadata);
    CHECK(code_with("<f8", R"([{"id": "fixedscaleoffset", "dtype": "<f8",
                               "scale": 0, "offset": 1}])") == Errc::unsupported);
    CHECK(code_with("<i4", R"([{"id": "shuffle", "elementsize": 0}])") ==
          Errc::invalid_metadata);
  }

  TEST_CASE("filters must fit the chunk") {
    CHECK(code_with("<i4", R"([{"id": "shuffle", "elementsize": 3}])") ==
          Errc::invalid_metadata);
    CHECK(code_with("<i2", R"([{"id": "delta", "dtype": "<i4"},
                               {"id": "delta", "dtype": "<f8"},
                               {"id": "shuffle", "elementsize": 5}])") ==
          Errc::invalid_metadata);
  }

  TEST_CASE("every input of the right length is decoded") {
    const auto meta = array_of("<i4", 64,
                               R"([{"id": "fixedscaleoffset", "scale": 1e-300,
                                    "offset": 0, "dtype": "<i4", "astype": "<f8"},
                                   {"id": "delta", "dtype": "<f8"}])");
    Random random(1);
    for (int i = 0; i < 100; ++i) undone(meta, random.bytes(filtered_bytes(meta)));
    CHECK(undone(meta, Bytes(512)) == Bytes(256));
  }
}

}  // namespace filter_test
