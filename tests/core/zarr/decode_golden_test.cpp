#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/zarr/column.hpp"
#include "core/zarr/decode.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/npz.hpp"

using namespace bev::zarr;
using bev::test::read_file;
using bev::test::read_text;

namespace {

constexpr const char* kStores[] = {"blosc_blosclz",
                                   "blosc_lz4_bit",
                                   "blosc_lz4_blocks",
                                   "blosc_lz4hc",
                                   "blosc_zlib_noshuffle",
                                   "blosc_zstd_bit",
                                   "gzip",
                                   "zlib",
                                   "zstd"};
constexpr const char* kArrays[] = {"agents", "frames", "scenes", "traffic_light_faces"};

// Reads a column of the whole array. An absent chunk has the fill value, here zeros.
std::vector<std::byte> read_column(const std::string& folder, const ArrayMeta& meta,
                                   const Column& column) {
  const std::size_t size = column.type.size();
  std::vector<std::byte> out(static_cast<std::size_t>(meta.shape[0]) * size);
  for (std::uint64_t i = 0; i * meta.chunks[0] < meta.shape[0]; ++i) {
    const std::uint64_t first = i * meta.chunks[0];
    const auto rows =
        static_cast<std::size_t>(std::min(meta.chunks[0], meta.shape[0] - first));
    const auto chunk = bev::test::find_file(folder + chunk_key(meta, std::array{i}));
    const std::array slots{ColumnSlot{
        column.offset, size,
        std::span(out).subspan(static_cast<std::size_t>(first) * size, rows * size)}};
    if (chunk) decode_columns(meta, {folder, *chunk}, {0, rows}, slots);
  }
  return out;
}

void check_store(const std::string& store, const std::string& content) {
  const auto expected =
      bev::test::read_npz(bev::test::goldens() + "/outputs/data/" + content);
  std::size_t compared = 0;
  for (const std::string array : kArrays) {
    const std::string folder =
        bev::test::goldens() + "/inputs/codecs/" + store + ".zarr/" + array + "/";
    const ArrayMeta meta = parse_array_meta(read_text(folder + ".zarray"), folder);
    const std::string saved = array == "traffic_light_faces" ? "tl_faces" : array;
    for (const Column& column : columns_of(meta.dtype, {})) {
      CAPTURE(folder);
      CAPTURE(column.path);
      const auto found = expected.find(saved + "." + column.path);
      REQUIRE(found != expected.end());
      CHECK(read_column(folder, meta, column) == found->second.bytes);
      ++compared;
    }
  }
  CHECK(compared == expected.size());
}

std::string codecs() {
  return bev::test::goldens() + "/inputs/codecs/";
}

}  // namespace

TEST_SUITE("zarr/decode golden") {
  TEST_CASE("every codec decodes to the uncompressed store's content") {
    BEV_REQUIRE_GOLDENS();
    for (const char* store : kStores) {
      for (const char* array : kArrays) {
        const std::string name = std::string(array) + "/";
        const std::string path = codecs() + store + ".zarr/" + name;
        CAPTURE(path);
        const ArrayMeta meta = parse_array_meta(read_text(path + ".zarray"), name);
        const std::uint64_t chunks = (meta.shape[0] - 1) / meta.chunks[0] + 1;
        for (std::uint64_t i = 0; i < chunks; ++i) {
          const std::string key = chunk_key(meta, std::array{i});
          const auto raw = read_file(codecs() + "raw.zarr/" + name + key);
          const auto bytes = read_file(path + key);
          std::vector<std::byte> out(meta.chunk_bytes());
          decode_chunk(meta, {name + key, bytes}, out);
          CHECK(out == raw);
        }
      }
    }
  }

  TEST_CASE("every field of every store equals L5Kit's") {
    BEV_REQUIRE_GOLDENS();
    for (const char* store : kStores) check_store(store, "codecs_content.npz");
    check_store("raw", "codecs_content.npz");
    check_store("missing_chunk", "codecs_missing_chunk.npz");
  }
}
