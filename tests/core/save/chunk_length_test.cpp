#include "core/save/chunk_length.hpp"

#include <doctest/doctest.h>

#include <random>

#include "core/save/chunker.hpp"
#include "core/zarr/decode.hpp"
#include "tests/support/save_configs.hpp"

using bev::save::ChunkLength;
using bev::save::encode_rows;
using bev::save::encode_within_limit;
using bev::test::MadeBatch;
using bev::test::save_compressors;
using bev::test::small_config;

TEST_SUITE("save/chunk_length") {
  TEST_CASE("without a compressor, as many rows as fit") {
    const auto config = small_config(4096);
    CHECK(ChunkLength(config, config.attributes()[0]).rows() == 65);
    CHECK(ChunkLength(config, config.attributes()[1]).rows() == 1024);
  }

  TEST_CASE("chunks of the found length encode to between half the limit and it") {
    for (const auto& compressor : save_compressors()) {
      for (const unsigned noise : {1U, 2U, 8U}) {
        CAPTURE(compressor.dump());
        CAPTURE(noise);
        const auto config = small_config(8192, compressor);
        MadeBatch rows(config, 0, 3000, noise);
        for (std::size_t i = 0; i < 2; ++i) {
          const auto& attribute = config.attributes()[i];
          ChunkLength length(config, attribute);
          const std::span<const std::byte> bytes(rows.bytes(i));
          const auto found = length.finish(bytes);
          const auto chunk = bytes.first(std::min<std::size_t>(
              static_cast<std::size_t>(found) * attribute.row_bytes(), bytes.size()));
          const auto size = encode_rows(config, attribute, chunk).size();
          CHECK(size <= config.max_object_size());
          if (found < 3000) CHECK(2 * size >= config.max_object_size());
        }
      }
    }
  }

  TEST_CASE("rows of zeros give chunks of at most 16 times the limit") {
    for (const auto& compressor : save_compressors()) {
      const auto config = small_config(1024, compressor);
      const auto& label = config.attributes()[1];
      ChunkLength length(config, label);
      const std::vector<std::byte> zeros(40'000);
      const auto rows = length.finish(zeros);
      CHECK(rows * 4 <= ChunkLength::kMaxRatio * 1024);
      if (!compressor.is_null() && compressor["id"] == "blosc") CHECK(rows > 1024);
    }
  }

  TEST_CASE("the length does not depend on how the rows arrive") {
    for (const auto& compressor : save_compressors()) {
      const auto config = small_config(4096, compressor);
      const auto& image = config.attributes()[0];
      MadeBatch rows(config, 0, 600, 3);
      const std::span<const std::byte> all(rows.bytes(0));
      ChunkLength whole(config, image);
      whole.search(all);
      ChunkLength piecewise(config, image);
      for (std::size_t count = 1; count <= 600 && !piecewise.rows(); count += 7) {
        piecewise.search(all.first(count * image.row_bytes()));
      }
      REQUIRE(whole.rows());
      CHECK(whole.rows() == piecewise.rows());
    }
  }

  TEST_CASE("rows that do not fit together are halved, and decode to themselves") {
    for (const auto& compressor : save_compressors()) {
      const auto config = small_config(1024, compressor);
      const auto& image = config.attributes()[0];
      MadeBatch rows(config, 0, 100, 1);
      const auto pieces = encode_within_limit(config, image, 40, rows.bytes(0));
      CHECK(pieces.size() >= 7);
      std::uint64_t next = 40;
      std::vector<std::byte> decoded;
      for (const auto& piece : pieces) {
        CHECK(piece.first == next);
        CHECK(piece.bytes.size() <= 1024);
        next += piece.rows;
        const auto meta = config.array_meta(image, piece.rows, piece.rows);
        std::vector<std::byte> out(meta.chunk_bytes());
        bev::zarr::decode_chunk(meta, {"image/0", piece.bytes}, out);
        decoded.insert(decoded.end(), out.begin(), out.end());
      }
      CHECK(next == 140);
      CHECK(decoded == rows.bytes(0));
      CHECK(encode_within_limit(config, image, 0, {}).empty());
    }
  }

  TEST_CASE("a shortened length is smaller, down to 1") {
    const auto config = small_config(4096);
    CHECK(ChunkLength::shortened(config, 100, 4097) == 99);
    CHECK(ChunkLength::shortened(config, 100, 8192) == 50);
    CHECK(ChunkLength::shortened(config, 2, 4097) == 1);
    CHECK(ChunkLength::shortened(config, 1, 5000) == 1);
  }
}
