#include "core/save/stored_rows.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/zarr/version3_store.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_configs.hpp"

using bev::save::check_object;
using bev::save::chunk_in;
using bev::save::chunk_object;
using bev::save::decode_rows;
using bev::save::encode_rows;
using bev::save::entry_of;
using bev::test::MadeBatch;
using bev::test::save_compressors;
using bev::test::small_config;
using bev::test::with;

TEST_SUITE("save/stored_rows") {
  TEST_CASE("rows are decoded as they were encoded") {
    for (const auto& compressor : save_compressors()) {
      const auto config = small_config(4096, compressor);
      const auto& image = config.attributes()[0];
      MadeBatch rows(config, 0, 20);
      const auto encoded = encode_rows(config, image, rows.bytes(0));
      CHECK(decode_rows(config, image, 20, encoded) == rows.bytes(0));
    }
  }

  TEST_CASE("a chunk is found in its object; a shard without it is damaged") {
    const auto plain = small_config();
    const auto meta = plain.array_meta(plain.attributes()[0], 100, 5);
    CHECK(chunk_object(meta, 7) == "7.0.0");
    const auto config = with(plain, {{"zarr_format", 3}, {"chunks_per_shard", 3}});
    const auto sharded = config.array_meta(config.attributes()[0], 100, 5);
    CHECK(chunk_object(sharded, 7) == "c/2/0/0");
    const std::vector<std::byte> bytes(9, std::byte{7});
    const auto object = bev::zarr::encode_shard({{1, bytes}}, 3);
    const auto found = chunk_in(sharded, {"k", object}, 7);
    CHECK((std::vector(found.begin(), found.end()) == bytes));
    CHECK(chunk_in(meta, {"k", object}, 7).size() == object.size());
    CHECK_THROWS_WITH_AS(chunk_in(sharded, {"k", object}, 6), "k: shard lacks chunk 6",
                         bev::Error);
    for (std::size_t length = 0; length < object.size(); ++length) {
      CHECK(bev::test::error_code([&] {
              chunk_in(sharded, {"k", std::span(object).first(length)}, 7);
            }) == bev::Errc::corrupt_chunk);
    }
  }

  TEST_CASE("an object of another length or content differs from its entry") {
    const std::vector<std::byte> bytes(9, std::byte{7});
    const auto entry = entry_of({5, 3, bytes});
    CHECK(entry.first == 5);
    CHECK(entry.rows == 3);
    CHECK(entry.bytes == 9);
    CHECK_NOTHROW(check_object(entry, bytes, "image/5-3"));
    auto other = bytes;
    other.back() = std::byte{8};
    for (const auto& wrong : {other, std::vector<std::byte>(8, std::byte{7})}) {
      CHECK_THROWS_WITH_AS(check_object(entry, wrong, "image/5-3"),
                           "image/5-3: differs from its entry in the manifest",
                           bev::Error);
    }
  }
}
