#include "core/zarr/shuffle.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/records.hpp"

namespace shuffle_test {

using namespace bev::zarr;

namespace {

std::vector<std::byte> plainly(const std::vector<std::byte>& block, std::size_t rows,
                               const Selection& wanted) {
  std::vector<std::byte> out;
  for (std::size_t row = wanted.row; row < wanted.row + wanted.count; ++row) {
    for (std::size_t i = 0; i < wanted.size; ++i) {
      out.push_back(block[(wanted.plane + i) * rows + row]);
    }
  }
  return out;
}

// A guard byte on each side detects writes out of bounds.
bool matches(const std::vector<std::byte>& block, std::size_t rows,
             const Selection& wanted) {
  constexpr auto kGuard = std::byte{0xa5};
  const auto expected = plainly(block, rows, wanted);
  std::vector<std::byte> out(expected.size() + 2, kGuard);
  unshuffle({block.data(), rows}, wanted, out.data() + 1);
  return out.front() == kGuard && out.back() == kGuard &&
         std::equal(expected.begin(), expected.end(), out.begin() + 1);
}

// Shuffles bit by bit: the lowest bits of all first bytes, then the next, and so on.
std::vector<std::byte> bit_shuffled(const std::vector<std::byte>& plain,
                                    std::size_t size) {
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

TEST_SUITE("zarr/shuffle") {
  TEST_CASE("three records of two bytes") {
    std::vector<std::byte> block = bev::test::Packed().text("ACEBDF").bytes();
    block.resize(block.size() + kOverread);
    std::vector<std::byte> out(6);
    unshuffle({block.data(), 3}, {0, 2, 0, 3}, out.data());
    CHECK(out == bev::test::Packed().text("ABCDEF").bytes());
  }

  TEST_CASE("every record size, with row counts around a vector's width") {
    bev::test::Random random(3);
    for (std::size_t size = 1; size <= 255; ++size) {
      for (const std::size_t rows : {1u, 15u, 16u, 17u, 33u, 70u}) {
        const auto block = random.bytes(size * rows + kOverread);
        if (!matches(block, rows, {0, size, 0, rows})) FAIL(size << " x " << rows);
      }
    }
  }

  TEST_CASE("any planes of any rows of a block") {
    bev::test::Random random(4);
    for (int i = 0; i < 3000; ++i) {
      const std::size_t planes = 1 + random.below(140);
      const std::size_t rows = 1 + random.below(90);
      const auto block = random.bytes(planes * rows + kOverread);
      Selection part;
      part.plane = random.below(planes);
      part.size = random.below(planes - part.plane + 1);
      part.row = random.below(rows);
      part.count = random.below(rows - part.row + 1);
      if (!matches(block, rows, part)) FAIL("case " << i);
    }
  }

  TEST_CASE("bitshuffle is undone for every item size") {
    bev::test::Random random(11);
    for (const std::size_t size : {1U, 2U, 3U, 4U, 8U, 17U}) {
      for (const std::size_t eights : {1U, 2U, 5U, 64U}) {
        std::vector<std::byte> plain(size * eights * 8);
        for (auto& byte : plain) byte = static_cast<std::byte>(random.below(256));
        std::vector<std::byte> back(plain.size());
        unshuffle_bits(bit_shuffled(plain, size), size, back.data());
        CHECK(back == plain);
      }
    }
  }

  TEST_CASE("bitshuffle: the first byte holds the lowest bits of eight elements") {
    std::vector<std::byte> planes(8);
    planes[0] = std::byte{0b00000101};
    planes[7] = std::byte{0b10000000};
    std::vector<std::byte> elements(8);
    unshuffle_bits(planes, 1, elements.data());
    CHECK(elements == std::vector{std::byte{1}, std::byte{0}, std::byte{1},
                                  std::byte{0}, std::byte{0}, std::byte{0},
                                  std::byte{0}, std::byte{0x80}});
  }

  TEST_CASE("bitshuffle of no bytes writes nothing") {
    unshuffle_bits({}, 4, nullptr);
  }
}

}  // namespace shuffle_test
