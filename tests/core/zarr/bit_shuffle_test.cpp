#include "core/zarr/bit_shuffle.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/records.hpp"

using bev::test::Random;
using bev::zarr::unshuffle_bits;

namespace {

// Shuffles bit by bit: the lowest bits of all first bytes, then the next, and so on.
std::vector<std::byte> shuffled(const std::vector<std::byte>& plain, std::size_t size) {
  std::vector<std::byte> out(plain.size());
  std::size_t to = 0;
  for (std::size_t byte = 0; byte < size; ++byte) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      for (std::size_t at = byte; at < plain.size(); at += size, ++to) {
        const auto value = plain[at] >> bit & std::byte{1};
        out[to / 8] |= value << to % 8;
      }
    }
  }
  return out;
}

}  // namespace

TEST_SUITE("zarr/bit_shuffle") {
  TEST_CASE("the bits of elements are put back") {
    Random random(11);
    for (const std::size_t size : {1U, 2U, 3U, 4U, 8U, 17U}) {
      for (const std::size_t eights : {1U, 2U, 5U, 64U}) {
        std::vector<std::byte> plain(size * eights * 8);
        for (auto& byte : plain) byte = static_cast<std::byte>(random.below(256));
        std::vector<std::byte> back(plain.size());
        unshuffle_bits(shuffled(plain, size), size, back.data());
        CHECK(back == plain);
      }
    }
  }

  TEST_CASE("the first byte holds the lowest bits of eight elements") {
    std::vector<std::byte> planes(8);
    planes[0] = std::byte{0b00000101};
    planes[7] = std::byte{0b10000000};
    std::vector<std::byte> elements(8);
    unshuffle_bits(planes, 1, elements.data());
    CHECK(elements == std::vector{std::byte{1}, std::byte{0}, std::byte{1},
                                  std::byte{0}, std::byte{0}, std::byte{0},
                                  std::byte{0}, std::byte{0x80}});
  }

  TEST_CASE("of nothing nothing is written") {
    unshuffle_bits({}, 4, nullptr);
  }
}
