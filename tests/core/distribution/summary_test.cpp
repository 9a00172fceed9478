#include "core/distribution/summary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.hpp"
#include "tests/core/distribution/random_table.hpp"

namespace bev::distribution {
namespace summary_test {

TEST_SUITE("distribution/summary") {
  TEST_CASE("a group's summary is that of its passing values") {
    test::Random random(4);
    const auto rows = test::random_rows(random, 400);
    Table table(test::random_columns());
    table.append(rows.ids, rows.values);
    table.brush(3, {.categories = {0}});
    const auto found = summaries(table, 2, 0);
    CHECK(found.size() == 4);  // also rows without a model
    for (const auto& one : found) {
      std::vector<double> values;
      std::size_t missing = 0;
      for (std::size_t row = 0; row < rows.count(); ++row) {
        const double model = rows.value(0, row), value = rows.value(2, row);
        const bool here = std::isnan(model)
                              ? one.group == 3
                              : one.group == static_cast<std::size_t>(model);
        if (!here || rows.value(3, row) != 0) continue;
        if (std::isnan(value))
          ++missing;
        else
          values.push_back(value);
      }
      std::sort(values.begin(), values.end());
      double sum = 0;
      for (const double value : values) sum += value;
      const auto n = static_cast<double>(values.size());
      CHECK(one.missing == missing);
      CHECK(one.mean.count == values.size());
      CHECK(one.mean.mean == doctest::Approx(sum / n));
      for (std::size_t i = 0; i < kFractions.size(); ++i) {
        const auto rank = std::max(1.0, std::ceil(kFractions[i] * n));
        CHECK(one.quantiles[i] == values[static_cast<std::size_t>(rank) - 1]);
      }
    }
  }

  TEST_CASE("values that are all missing have no mean and no quantiles") {
    Table table({{"x"}});
    table.append({{0}, {0}, {0}}, std::vector<double>{std::nan("")});
    const auto found = summaries(table, 0);
    REQUIRE(found.size() == 1);
    CHECK(found[0].missing == 1);
    CHECK(std::isnan(found[0].mean.mean));
    CHECK(std::isnan(found[0].quantiles[3]));
    CHECK_THROWS_AS(summaries(table, 1), Error);
    CHECK_THROWS_AS(summaries(table, 0, 0), Error);
  }
}

}  // namespace summary_test
}  // namespace bev::distribution
