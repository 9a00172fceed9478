#include "core/zarr/crc32c.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/records.hpp"

namespace crc32c_test {

using bev::zarr::crc32c;
using bev::zarr::without_checksum;

namespace {

std::uint32_t of(std::string_view text) {
  return crc32c(std::as_bytes(std::span(text.data(), text.size())));
}

// Computes the checksum bit by bit from the polynomial.
std::uint32_t slowly(std::span<const std::byte> bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const auto byte : bytes) {
    crc ^= std::to_integer<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 1) != 0 ? (crc >> 1) ^ 0x82f63b78U : crc >> 1;
    }
  }
  return ~crc;
}

}  // namespace

TEST_SUITE("zarr/crc32c") {
  TEST_CASE("the standard's check values") {
    CHECK(of("") == 0);
    CHECK(of("123456789") == 0xe3069283);
    CHECK(crc32c(std::vector<std::byte>(32)) == 0x8a9136aa);
    CHECK(crc32c(std::vector<std::byte>(32, std::byte{0xff})) == 0x62a8ab43);
  }

  TEST_CASE("every length matches the bitwise algorithm") {
    const auto bytes = bev::test::Random(5).bytes(100);
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      const auto part = std::span(bytes).first(size);
      CHECK(crc32c(part) == slowly(part));
    }
  }

  TEST_CASE("the checksum of no bytes is 0") {
    CHECK(crc32c({}) == 0);
  }

  TEST_CASE("bytes that do not start at a multiple of eight have the same checksum") {
    const auto bytes = bev::test::Random(3).bytes(64);
    for (std::size_t first = 0; first < 9; ++first) {
      const auto part = std::span<const std::byte>(bytes).subspan(first, 40);
      CHECK(crc32c(part) == slowly(part));
    }
  }

  TEST_CASE("a checksum that is appended is the one that is removed") {
    std::vector<std::byte> bytes(9, std::byte{3});
    bev::zarr::append_checksum(bytes);
    REQUIRE(bytes.size() == 13);
    CHECK(without_checksum({"a/0", bytes}).bytes.size() == 9);
  }

  TEST_CASE("a checksum is removed if it matches, and named if it does not") {
    auto bytes = bev::test::Packed().text("123456789").add(0xe3069283U).bytes();
    CHECK(without_checksum({"a/0", bytes}).bytes.size() == 9);
    CHECK(without_checksum({"a/0", bytes}).key == "a/0");
    bytes[0] = std::byte{'2'};
    CHECK_THROWS_WITH_AS(without_checksum({"a/0", bytes}),
                         doctest::Contains("a/0: wrong CRC-32C (found "), bev::Error);
    const std::vector<std::byte> three(3);
    CHECK_THROWS_WITH_AS(without_checksum({"a/0", three}),
                         "a/0: truncated (found 3 bytes, expected a CRC-32C)",
                         bev::Error);
    const std::vector<std::byte> four(4);  // no bytes, whose checksum is 0
    CHECK(without_checksum({"a/0", four}).bytes.empty());
  }
}

}  // namespace crc32c_test
