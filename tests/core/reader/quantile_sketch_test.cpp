#include "core/reader/quantile_sketch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/records.hpp"

using bev::reader::QuantileSketch;

namespace {

const std::vector<double> kFractions{0, 0.001, 0.01, 0.25, 0.5, 0.75, 0.99, 1};

// The value at a fraction of sorted numbers, by its definition.
double exact(const std::vector<double>& sorted, double fraction) {
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (static_cast<double>(i + 1) >= fraction * static_cast<double>(sorted.size())) {
      return sorted[i];
    }
  }
  return sorted.back();
}

// The greatest distance of a quantile's rank from the one asked for, as a fraction.
double worst_error(const std::vector<double>& numbers, const QuantileSketch& sketch) {
  auto sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  const auto values = sketch.quantiles(kFractions);
  const auto count = static_cast<double>(sorted.size());
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), values[i]);
    const double least = static_cast<double>(low - sorted.begin()) / count;
    const double most = static_cast<double>(high - sorted.begin()) / count;
    worst = std::max({worst, least - kFractions[i], kFractions[i] - most});
  }
  return worst;
}

}  // namespace

TEST_SUITE("reader/quantile_sketch") {
  TEST_CASE("quantiles of few numbers are exact") {
    bev::test::Random random(5);
    for (const std::size_t count : {1u, 2u, 3u, 10u, 999u, 16'384u}) {
      std::vector<double> numbers;
      QuantileSketch sketch;
      for (std::size_t i = 0; i < count; ++i) {
        numbers.push_back(static_cast<double>(random.below(500)) - 100);
        sketch.add(numbers.back());
      }
      std::sort(numbers.begin(), numbers.end());
      const auto found = sketch.quantiles(kFractions);
      for (std::size_t i = 0; i < kFractions.size(); ++i) {
        CHECK(found[i] == exact(numbers, kFractions[i]));
      }
      CHECK(sketch.rank_error() == 0);
      CHECK(sketch.count() == count);
    }
  }

  TEST_CASE("quantiles of many numbers are within the stated error") {
    constexpr std::size_t kCount = 300'000;
    bev::test::Random random(6);
    for (int shape = 0; shape < 4; ++shape) {
      CAPTURE(shape);
      std::vector<double> numbers;
      QuantileSketch sketch;
      for (std::size_t i = 0; i < kCount; ++i) {
        const double unit = static_cast<double>(random.next() >> 11) * 0x1p-53;
        const double position = static_cast<double>(i);
        const double value = shape == 0   ? position
                             : shape == 1 ? -position
                             : shape == 2 ? std::exp(20 * unit)
                                          : static_cast<double>(random.below(7));
        numbers.push_back(value);
        sketch.add(value);
      }
      CHECK(sketch.count() == kCount);
      CHECK(sketch.rank_error() > 0);
      CHECK(sketch.rank_error() < 0.001);
      CHECK(worst_error(numbers, sketch) <= sketch.rank_error());
    }
  }
}
