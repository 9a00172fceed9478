#include "core/distribution/bins.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/core/distribution/random_table.hpp"

namespace bev::distribution {
namespace bins_test {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
using Edges = std::vector<double>;

TEST_SUITE("distribution/bins") {
  TEST_CASE("bins have a round width and contain every value") {
    const auto bins = bins_of({0.02, 0.31, 0.6, 1.1, kNone});
    CHECK(bins.edges.front() == 0);
    CHECK(bins.edges[1] == 0.05);
    CHECK(bins.edges[3] == 0.15);  // not 0.15000000000000002
    CHECK(bins.edges.back() == doctest::Approx(1.15));
    CHECK(bins.index(0.02) == 0);
    CHECK(bins.index(1.1) == bins.size() - 1);
    CHECK(bins.index(kNone) == bins.missing());
  }

  TEST_CASE("a value on an edge is in the bin that begins there") {
    const auto bins = bins_of({0, 10, 20, 25});
    CHECK(bins.edges[1] == 1);
    CHECK(bins.index(10) == 10);
    CHECK(bins.index(std::nextafter(10.0, 0.0)) == 9);
  }

  TEST_CASE("outliers beyond the percentiles are in bins of their own") {
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) values.push_back(i / 500.0);
    values.push_back(1e9);
    values.push_back(-600);
    const auto bins = bins_of(values);
    CHECK(bins.edges.front() == 0);
    CHECK(bins.edges.back() <= 2.5);
    CHECK(bins.index(1e9) == bins.above());
    CHECK(bins.index(-600) == bins.below());
  }

  TEST_CASE("whole numbers have bins of at least 1") {
    CHECK(bins_of({3, 3, 4}).edges == Edges{3, 4, 5});
    CHECK(bins_of({7, 7}).edges == Edges{7, 8});
  }

  TEST_CASE("without a value there are no bins") {
    CHECK(bins_of({kNone, kNone}).size() == 0);
    CHECK(bins_of({}).index(kNone) == Bins().missing());
  }

  TEST_CASE("extreme values have bins") {
    const double greatest = std::numeric_limits<double>::max();
    for (const auto& values : std::vector<std::vector<double>>{{-greatest, greatest},
                                                               {1e300, 1e300 + 1e290},
                                                               {5e-324, 0},
                                                               {1e15 + 0.5}}) {
      const auto bins = bins_of(values);
      CHECK(bins.size() <= Bins::kMaxBins);
      for (const double value : values) CHECK(bins.index(value) < bins.total());
    }
  }

  TEST_CASE("random values are in the bins between whose edges they are") {
    test::Random random(7);
    for (int round = 0; round < 200; ++round) {
      std::vector<double> values;
      const double scale = std::pow(10.0, static_cast<int>(random() % 12) - 6);
      for (int i = 0; i < 60; ++i) values.push_back(scale * (random() % 1000) / 7.0);
      const auto bins = bins_of(values);
      REQUIRE(bins.size() <= Bins::kMaxBins);
      for (const double value : values) {
        const auto at = bins.index(value);
        if (at == bins.above()) REQUIRE(value >= bins.edges.back());
        if (at >= bins.size()) continue;
        REQUIRE(bins.edges[at] <= value);
        REQUIRE(value < bins.edges[at + 1]);
      }
    }
  }

  TEST_CASE("each category has a bin") {
    const auto bins = category_bins(3);
    CHECK(bins.edges == Edges{0, 1, 2, 3});
    CHECK(bins.index(2) == 2);
  }
}

}  // namespace bins_test
}  // namespace bev::distribution
