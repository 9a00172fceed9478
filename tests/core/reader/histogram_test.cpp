#include "core/reader/histogram.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/support/records.hpp"

using bev::reader::Histogram;
using Counts = std::vector<std::uint64_t>;

namespace {

Histogram of(const std::vector<double>& numbers) {
  Histogram out;
  for (const double number : numbers) out.add(number);
  return out;
}

// Checks the bins against each number.
void check(const std::vector<double>& numbers) {
  const auto histogram = of(numbers);
  const auto counts = histogram.counts();
  const double width = histogram.width();
  REQUIRE(width > 0);
  CHECK(std::exp2(std::ilogb(width)) == width);
  CHECK(counts.size() <= Histogram::kMaxBins);
  CHECK(counts.front() > 0);
  CHECK(counts.back() > 0);
  Counts expected(counts.size());
  for (const double number : numbers) {
    const auto bin = std::floor(number / width) - std::floor(histogram.begin() / width);
    REQUIRE(bin >= 0);
    REQUIRE(bin < static_cast<double>(expected.size()));
    ++expected[static_cast<std::size_t>(bin)];
  }
  CHECK(counts == expected);
  // Half the width would need more bins.
  const auto [min, max] = std::minmax_element(numbers.begin(), numbers.end());
  CHECK(std::floor(*max / (width / 2)) - std::floor(*min / (width / 2)) >=
        static_cast<double>(Histogram::kMaxBins));
}

}  // namespace

TEST_SUITE("reader/histogram") {
  TEST_CASE("bins have a power of two as width") {
    const auto histogram = of({1, 2, 100});
    CHECK(histogram.width() == 2);
    CHECK(histogram.begin() == 0);
    CHECK(histogram.counts().size() == 51);
    CHECK(histogram.counts().front() == 1);
    CHECK(histogram.counts()[1] == 1);
    CHECK(histogram.counts().back() == 1);
  }

  TEST_CASE("equal numbers are one bin without width") {
    const auto histogram = of({-2.5, -2.5, -2.5});
    CHECK(histogram.width() == 0);
    CHECK(histogram.begin() == -2.5);
    CHECK(histogram.counts() == Counts{3});
    CHECK(of({0.0, -0.0}).counts() == Counts{2});
    CHECK(Histogram().counts().empty());
  }

  TEST_CASE("every number is counted in its bin") {
    bev::test::Random random(8);
    for (int i = 0; i < 60; ++i) {
      CAPTURE(i);
      const double scale = std::exp2(static_cast<double>(random.below(60)) - 30);
      const double shift = static_cast<double>(random.below(1000)) - 500;
      std::vector<double> numbers;
      for (std::size_t n = 2 + random.below(300); n > 0; --n) {
        const double unit = static_cast<double>(random.next() >> 11) * 0x1p-53;
        numbers.push_back((unit + shift) * scale);
      }
      check(numbers);
      check({numbers.begin(), numbers.begin() + 2});
    }
  }

  TEST_CASE("the order of the numbers does not matter") {
    std::vector<double> numbers;
    bev::test::Random random(9);
    for (int i = 0; i < 200; ++i) {
      numbers.push_back(std::exp2(static_cast<double>(random.below(40)) - 20) *
                        (random.below(2) == 0 ? -1 : 1));
    }
    const auto expected = of(numbers);
    for (int i = 0; i < 20; ++i) {
      for (auto n = numbers.size() - 1; n > 0; --n) {
        std::swap(numbers[n], numbers[random.below(n + 1)]);
      }
      const auto found = of(numbers);
      CHECK(found.width() == expected.width());
      CHECK(found.begin() == expected.begin());
      CHECK(found.counts() == expected.counts());
    }
  }

  TEST_CASE("extreme numbers are counted") {
    constexpr double kMax = std::numeric_limits<double>::max();
    constexpr double kMinDenormal = std::numeric_limits<double>::denorm_min();
    for (const auto& numbers :
         std::vector<std::vector<double>>{{-kMax, kMax},
                                          {kMinDenormal, -kMinDenormal},
                                          {0, kMinDenormal},
                                          {1, std::nextafter(1, 2)},
                                          {kMax, std::nextafter(kMax, 0)},
                                          {-kMinDenormal, kMax, 1},
                                          {0, 1e-300, 1e300, -1e-300}}) {
      const auto histogram = of(numbers);
      const auto counts = histogram.counts();
      CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) ==
            numbers.size());
      CHECK(counts.size() <= Histogram::kMaxBins);
    }
    // A tiny negative number is in the bin below 0.
    CHECK(of({-kMinDenormal, 1e300, 0}).counts()[0] == 1);
  }
}
