#include "core/zarr/metadata_v3_json.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/metadata_v3.hpp"
#include "tests/support/error_code.hpp"

namespace metadata_v3_json_test {

using bev::Errc;
using bev::test::error_code;
using namespace bev::zarr;
using nlohmann::json;

namespace {

ArrayMeta meta_of(const json& dtype, const char* codec = "blosc:lz4") {
  const json document = {{"zarr_format", 2},   {"shape", {100, 4}},
                         {"chunks", {10, 4}},  {"dtype", dtype},
                         {"order", "C"},       {"fill_value", nullptr},
                         {"filters", nullptr}, {"compressor", nullptr}};
  auto meta = array_meta_from_json(document, "x/.zarray");
  meta.compressor = compressor_named(codec, std::nullopt);
  return meta;
}

ArrayMeta read_again(const ArrayMeta& meta, std::uint64_t per_shard = 0) {
  return *parse_array_v3(array_v3_json(meta, per_shard, "x").dump(), "x/zarr.json");
}

}  // namespace

TEST_SUITE("zarr/metadata_v3_json") {
  TEST_CASE("types are read again as they were") {
    const auto record = json::parse(R"([["a", "<f4"], ["b", "<i8"], ["c", "|S3"]])");
    for (const json& dtype :
         {json("|b1"), json("|i1"), json("<i2"), json(">i4"), json("<i8"), json("|u1"),
          json("<u2"), json(">u8"), json("<f2"), json("<f4"), json(">f8"), json("<c8"),
          json("|S64"), json("<U16"), json("|V9"), json("<M8[ns]"), json("<m8[25s]"),
          json("<M8"), record}) {
      const auto meta = meta_of(dtype);
      const auto again = read_again(meta);
      CHECK(again.dtype == meta.dtype);
      CHECK(again.shape == meta.shape);
      CHECK(again.chunks == meta.chunks);
      CHECK(again.fill == meta.fill);
      CHECK(again.prefixed_keys);
      CHECK_FALSE(again.sharding.has_value());
    }
  }

  TEST_CASE("codecs are read again as they were") {
    for (const auto* codec : {"none", "gzip", "zstd", "blosc:lz4", "blosc:zstd"}) {
      const auto meta = meta_of("<f8", codec);
      CHECK(read_again(meta).compressor == meta.compressor);
    }
    for (const int shuffle : {-1, 0, 1, 2}) {
      auto meta = meta_of("<f8");
      meta.compressor.shuffle = shuffle;
      CHECK(read_again(meta).compressor.shuffle == (shuffle < 0 ? 1 : shuffle));
      meta = meta_of("|u1");
      meta.compressor.shuffle = shuffle;
      CHECK(read_again(meta).compressor.shuffle == (shuffle < 0 ? 2 : shuffle));
    }
  }

  TEST_CASE("fill values are read again as they were") {
    auto meta = meta_of("<f4");
    meta.fill = {std::byte{0}, std::byte{0}, std::byte{0xc0}, std::byte{0x7f}};  // NaN
    CHECK(array_v3_json(meta, 0, "x")["fill_value"] == "NaN");
    CHECK(read_again(meta).fill == meta.fill);
    meta = meta_of("|b1");
    meta.fill = {std::byte{1}};
    CHECK(array_v3_json(meta, 0, "x")["fill_value"] == true);
    CHECK(read_again(meta).fill == meta.fill);
  }

  TEST_CASE("shards have whole chunks and a checked index after them") {
    const auto meta = meta_of("<f8");
    const auto node = array_v3_json(meta, 7, "x");
    CHECK(node["chunk_grid"]["configuration"]["chunk_shape"] == json({70, 4}));
    const auto again = read_again(meta, 7);
    CHECK(again.chunks == meta.chunks);
    CHECK(again.compressor == meta.compressor);
    const Sharding expected{.counts = {7, 1}, .checksum = true};
    CHECK(again.sharding == expected);
  }

  TEST_CASE("what version 3 lacks is refused") {
    const auto refused = [](const ArrayMeta& meta) {
      return error_code([&] { array_v3_json(meta, 0, "x"); }) == Errc::unsupported;
    };
    CHECK(refused(meta_of("<f8", "zlib")));
    CHECK(refused(meta_of("<f8", "lz4")));
    CHECK(refused(meta_of(json::parse(R"([["a", "<f8", [2]]])"))));
    CHECK(refused(meta_of(json::parse(R"([["a", "<f8"], ["b", ">f8"]])"))));
    auto meta = meta_of("<f8");
    meta.order = 'F';
    CHECK(refused(meta));
    meta = meta_of("<f8");
    meta.filters.emplace_back();
    CHECK(refused(meta));
  }
}

}  // namespace metadata_v3_json_test
