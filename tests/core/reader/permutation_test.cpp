#include "core/reader/permutation.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

using bev::Errc;
using bev::reader::Permutation;
using bev::test::error_code;

namespace {

std::vector<std::uint64_t> items(const Permutation& order) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = 0; i < order.count(); ++i) out.push_back(order(i));
  return out;
}

}  // namespace

TEST_SUITE("reader/permutation") {
  TEST_CASE("each item has one position, for every count up to 300") {
    for (std::uint64_t count = 0; count <= 300; ++count) {
      CAPTURE(count);
      std::vector<int> seen(static_cast<std::size_t>(count));
      for (const auto item : items(Permutation(count, 7))) {
        ++seen.at(static_cast<std::size_t>(item));
      }
      for (const int times : seen) CHECK(times == 1);
    }
  }

  TEST_CASE("the order is the same in every build") {
    CHECK(items(Permutation(8, 0)) ==
          std::vector<std::uint64_t>{2, 7, 6, 4, 1, 3, 5, 0});
  }

  TEST_CASE("seeds and epochs have orders of their own, seed 0 too") {
    const auto first = items(Permutation(1000, 0, 0));
    CHECK(first != items(Permutation(1000, 1, 0)));
    CHECK(first != items(Permutation(1000, 0, 1)));
    CHECK(items(Permutation(1000, 1, 0)) != items(Permutation(1000, 0, 1)));
    std::vector<std::uint64_t> sorted;
    for (std::uint64_t i = 0; i < 1000; ++i) sorted.push_back(i);
    CHECK(first != sorted);
  }

  TEST_CASE(
      "items are spread: each tenth of positions has about a tenth of each tenth") {
    const Permutation order(100'000, 3);
    std::vector<int> counts(100);
    for (std::uint64_t i = 0; i < order.count(); ++i) {
      ++counts.at(static_cast<std::size_t>(i / 10'000 * 10 + order(i) / 10'000));
    }
    for (const int count : counts) {
      CHECK(count > 850);
      CHECK(count < 1150);
    }
  }

  TEST_CASE("positions beyond the count are errors, huge counts too") {
    const Permutation order(3, 1);
    CHECK(error_code([&] { order(3); }) == Errc::out_of_range);
    CHECK(error_code([] { Permutation(0, 1)(0); }) == Errc::out_of_range);
    const auto limit = std::uint64_t{1} << 62;
    CHECK(error_code([&] { Permutation(limit + 1, 1); }) == Errc::limit_exceeded);
    CHECK(Permutation(limit, 1)(limit - 1) < limit);
  }
}
