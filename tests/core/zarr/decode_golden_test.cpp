#include <doctest/doctest.h>

#include <array>
#include <string>

#include "core/zarr/column.hpp"
#include "core/zarr/decode.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"

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

std::string codecs() {
  return bev::test::goldens() + "/inputs/codecs/";
}

}  // namespace

TEST_SUITE("zarr/decode golden") {
  TEST_CASE("every codec decodes to what the store without one holds") {
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
}
