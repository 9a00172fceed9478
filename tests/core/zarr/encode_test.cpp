#include "core/zarr/encode.hpp"

#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/decode.hpp"
#include "tests/support/codec_cases.hpp"
#include "tests/support/records.hpp"

using bev::Errc;
using bev::Error;
using bev::test::Random;
using nlohmann::json;
using namespace bev::zarr;

namespace {

using Id = Compressor::Id;

#ifdef __EMSCRIPTEN__
constexpr bool kWritesCodecs = false;
#else
constexpr bool kWritesCodecs = true;
#endif

template <class T, std::size_t kCount>
T one_of(Random& random, const T (&choices)[kCount]) {
  return choices[random.below(kCount)];
}

json random_type(Random& random, int depth) {
  constexpr const char* kCodes[] = {"|b1", "|i1", ">i2", "<i4", "<i8",     ">u4",
                                    "<u8", "<f2", ">f4", "<f8", "<c8",     ">c16",
                                    "|S5", "<U3", ">U1", "|V9", "<M8[ns]", ">m8[25s]"};
  if (depth > 2 || random.below(3) > 0) return one_of(random, kCodes);
  json list = json::array();
  const std::size_t fields = 1 + random.below(4);
  for (std::size_t i = 0; i < fields; ++i) {
    json field = json::array({"f" + std::to_string(i), random_type(random, depth + 1)});
    if (random.below(3) == 0) field.push_back(json::array({1 + random.below(3), 2}));
    list.push_back(field);
  }
  return list;
}

Compressor random_compressor(Random& random) {
  constexpr Id kIds[] = {Id::none, Id::blosc, Id::blosc, Id::blosc,
                         Id::zlib, Id::gzip,  Id::zstd,  Id::lz4};
  constexpr const char* kNames[] = {"lz4", "lz4hc", "blosclz", "zstd", "zlib"};
  constexpr std::size_t kBlocks[] = {0, 0, 256, 1000, 4096};
  Compressor compressor;
  compressor.id = kWritesCodecs ? one_of(random, kIds) : Id::none;
  if (compressor.id == Id::none) return compressor;
  compressor.level = static_cast<int>(1 + random.below(5));
  if (compressor.id != Id::blosc) return compressor;
  compressor.cname = one_of(random, kNames);
  compressor.shuffle = static_cast<int>(random.below(4)) - 1;
  compressor.blocksize = one_of(random, kBlocks);
  return compressor;
}

ArrayMeta random_meta(Random& random) {
  ArrayMeta meta;
  const std::size_t axes = random.below(4);
  for (std::size_t i = 0; i < axes; ++i) {
    meta.shape.push_back(random.below(300));
    meta.chunks.push_back(1 + random.below(axes == 1 ? 700 : 9));
  }
  meta.dtype = parse_dtype(random_type(random, 0), "random");
  meta.order = random.below(2) == 0 ? 'C' : 'F';
  meta.separator = random.below(2) == 0 ? '.' : '/';
  meta.fill.resize(meta.dtype.size());
  meta.fill_is_null = random.below(2) == 0;
  meta.compressor = random_compressor(random);
  return meta;
}

// Repeating noise: partly compressible, partly not.
std::vector<std::byte> random_elements(Random& random, std::size_t size) {
  std::vector<std::byte> out = random.bytes(size);
  const std::size_t period = 1 + random.below(200);
  const std::size_t from = random.below(2) * size / 2;
  for (std::size_t i = from + period; i < size; ++i) out[i] = out[i - period];
  return out;
}

void check_columns(const ArrayMeta& meta, const std::vector<std::byte>& chunk,
                   const std::vector<std::byte>& elements) {
  const auto rows = static_cast<std::size_t>(meta.chunks[0]);
  const std::size_t record = meta.dtype.size();
  for (const Column& column : columns_of(meta.dtype, {})) {
    const std::size_t size = column.type.size();
    std::vector<std::byte> out(rows * size);
    const std::array slots{ColumnSlot{column.offset, size, out}};
    decode_columns(meta, {"a/0", chunk}, {0, rows}, slots);
    bool same = true;
    for (std::size_t i = 0; i < out.size(); ++i) {
      same = same && out[i] == elements[i / size * record + column.offset + i % size];
    }
    CHECK(same);
  }
}

}  // namespace

TEST_SUITE("zarr/encode") {
  TEST_CASE("every written array is read back") {
    Random random(2024);
    for (int i = 0; i < 300; ++i) {
      const ArrayMeta meta = random_meta(random);
      const std::string text = array_meta_json(meta);
      CAPTURE(text);
      const ArrayMeta again = parse_array_meta(text, "again");
      CHECK(again.shape == meta.shape);
      CHECK(again.chunks == meta.chunks);
      CHECK(again.dtype == meta.dtype);
      CHECK(again.fill == meta.fill);
      CHECK(again.compressor == meta.compressor);
      CHECK(again.order == meta.order);
      const auto elements = random_elements(random, meta.chunk_bytes());
      const auto chunk = encode_chunk(meta, elements);
      std::vector<std::byte> out(elements.size());
      decode_chunk(again, {"a/0", chunk}, out);
      CHECK(out == elements);
      if (meta.shape.size() == 1) check_columns(meta, chunk, elements);
    }
  }

  TEST_CASE("a .zarray equals zarr-python's") {
    ArrayMeta meta;
    meta.shape = {300};
    meta.chunks = {128};
    meta.dtype = parse_dtype(json::parse(R"([["x","<f4",[2]],["y","|u1"]])"), "a");
    meta.fill.resize(9);
    meta.compressor = {Id::blosc, "lz4", 5, 1, 0};
    CHECK(array_meta_json(meta) == R"({
    "chunks": [
        128
    ],
    "compressor": {
        "blocksize": 0,
        "clevel": 5,
        "cname": "lz4",
        "id": "blosc",
        "shuffle": 1
    },
    "dtype": [
        [
            "x",
            "<f4",
            [
                2
            ]
        ],
        [
            "y",
            "|u1"
        ]
    ],
    "fill_value": "AAAAAAAAAAAA",
    "filters": null,
    "order": "C",
    "shape": [
        300
    ],
    "zarr_format": 2
})");
  }

  TEST_CASE("a chunk of the wrong size is refused") {
    const auto meta = bev::test::codec_cases()[0].meta();
    const std::vector<std::byte> elements(meta.chunk_bytes() - 1);
    CHECK_THROWS_WITH_AS(encode_chunk(meta, elements),
                         "encode: wrong length (found 4639 bytes, expected 4640)",
                         Error);
  }

  TEST_CASE("writing compressed chunks is unsupported in WebAssembly") {
    const auto meta = bev::test::codec_cases()[0].meta();
    const std::vector<std::byte> elements(meta.chunk_bytes());
    if (kWritesCodecs) {
      CHECK_FALSE(encode_chunk(meta, elements).empty());
    } else {
      CHECK_THROWS_WITH_AS(
          encode_chunk(meta, elements),
          "writing with compressor zlib is not supported in WebAssembly", Error);
    }
  }

  TEST_CASE("compressors have names and usual levels") {
    CHECK(compressor_named("none", std::nullopt) == Compressor{});
    CHECK(compressor_named("zstd", std::nullopt).level == 3);
    CHECK(compressor_named("gzip", std::nullopt).level == 1);
    CHECK(compressor_named("zlib", 9).level == 9);
    const auto blosc = compressor_named("blosc:lz4hc", std::nullopt);
    CHECK(blosc.id == Id::blosc);
    CHECK(blosc.cname == "lz4hc");
    CHECK(blosc.level == 5);
    for (const auto* name : {"", "blosc", "blosc:", "blosc:rar", "LZ4", "lz4hc"}) {
      CAPTURE(name);
      CHECK_THROWS_AS(compressor_named(name, 1), Error);
    }
  }
}
