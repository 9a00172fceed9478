#include "core/zarr/shuffle.hpp"

#include <doctest/doctest.h>

#include "tests/support/records.hpp"

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

}  // namespace

TEST_SUITE("zarr/shuffle") {
  TEST_CASE("three records of two bytes") {
    std::vector<std::byte> block = bev::test::Packed().text("ACEBDF").bytes();
    block.resize(block.size() + kOverread);
    std::vector<std::byte> out(6);
    unshuffle({block.data(), 3}, {0, 2, 0, 3}, out.data());
    CHECK(out == bev::test::Packed().text("ABCDEF").bytes());
  }

  TEST_CASE("every size of record, for rows around the width of a vector") {
    bev::test::Random random(3);
    for (std::size_t size = 1; size <= 255; ++size) {
      for (const std::size_t rows : {1u, 15u, 16u, 17u, 33u, 70u}) {
        const auto block = random.bytes(size * rows + kOverread);
        if (!matches(block, rows, {0, size, 0, rows})) FAIL(size << " x " << rows);
      }
    }
  }

  TEST_CASE("any part of a block: some planes of some rows") {
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
}
