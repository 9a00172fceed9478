#include "core/save/stored_rows.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/save_configs.hpp"

using bev::save::check_object;
using bev::save::decode_rows;
using bev::save::encode_rows;
using bev::save::entry_of;
using bev::test::MadeBatch;
using bev::test::save_compressors;
using bev::test::small_config;

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
