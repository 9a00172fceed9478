#include "core/save/chunker.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_configs.hpp"

using bev::save::Chunker;
using bev::save::RowBlock;
using bev::test::MadeBatch;
using bev::test::save_compressors;
using bev::test::small_config;

namespace {

std::vector<RowBlock> blocks_of(Chunker& chunker) {
  std::vector<RowBlock> out;
  while (auto block = chunker.take()) out.push_back(std::move(*block));
  return out;
}

}  // namespace

TEST_SUITE("save/chunker") {
  TEST_CASE("chunks are the same however the rows arrive") {
    for (const auto& compressor : save_compressors()) {
      const auto config = small_config(4096, compressor);
      const auto& image = config.attributes()[0];
      const auto row = image.row_bytes();
      MadeBatch rows(config, 0, 900, 3);
      Chunker whole(config, image);
      whole.append(rows.bytes(0));
      const auto expected = blocks_of(whole);
      CHECK(expected.size() > 1);
      for (const std::size_t step : {1U, 17U, 400U}) {
        Chunker chunker(config, image);
        std::vector<RowBlock> found;
        for (std::size_t at = 0; at < 900; at += step) {
          const auto count = std::min<std::size_t>(step, 900 - at);
          chunker.append(std::span(rows.bytes(0)).subspan(at * row, count * row));
          for (auto& block : blocks_of(chunker)) found.push_back(std::move(block));
        }
        REQUIRE(found.size() == expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
          CHECK(found[i].first == expected[i].first);
          CHECK(found[i].bytes == expected[i].bytes);
        }
        CHECK(chunker.rest().first == whole.rest().first);
        CHECK(chunker.rest().bytes == whole.rest().bytes);
        CHECK(chunker.chunk_rows() == whole.chunk_rows());
      }
    }
  }

  TEST_CASE("a resumed chunker continues with the same chunks") {
    const auto config = small_config(4096);
    const auto& image = config.attributes()[0];
    MadeBatch rows(config, 0, 200);
    const std::span<const std::byte> all(rows.bytes(0));
    Chunker whole(config, image);
    whole.append(all);
    const auto expected = blocks_of(whole);
    REQUIRE(expected.size() == 3);
    Chunker resumed(config, image);
    resumed.resume(65, 65);
    resumed.append(all.subspan(65 * image.row_bytes()));
    const auto found = blocks_of(resumed);
    REQUIRE(found.size() == 2);
    CHECK(found[1].first == expected[2].first);
    CHECK(found[1].bytes == expected[2].bytes);
    CHECK(resumed.rest().bytes == whole.rest().bytes);
  }

#ifdef __EMSCRIPTEN__
  TEST_CASE("a compressor that cannot encode is an error before the first row") {
    const auto config = small_config(4096, {{"id", "zlib"}, {"level", 1}});
    CHECK(bev::test::error_code([&] { Chunker(config, config.attributes()[0]); }) ==
          bev::Errc::unsupported);
  }
#endif
}
