#include "core/distribution/pairs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/base/error.hpp"

namespace bev::distribution {
namespace pairs_test {

using doctest::Approx;
const double kNone = std::nan("");

/// Models 0 and 1 in scenes 0 to 2, one track each; scene 3 has model 1 only.
Table table_of(const std::vector<double>& a, const std::vector<double>& b) {
  Table out({{"model", 2}, {"ade"}, {"speed"}});
  RowIds ids;
  std::vector<double> model, ade, speed;
  const auto add = [&](double of, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      ids.scenes.push_back(static_cast<std::uint32_t>(i));
      ids.frames.push_back(7);
      ids.tracks.push_back(1);
      model.push_back(of);
      ade.push_back(values[i]);
      speed.push_back(static_cast<double>(i));
    }
  };
  add(1, b);
  add(0, a);
  auto values = model;
  values.insert(values.end(), ade.begin(), ade.end());
  values.insert(values.end(), speed.begin(), speed.end());
  out.append(ids, values);
  return out;
}

TEST_SUITE("distribution/pairs") {
  TEST_CASE("the difference is of pairs, whatever the order of rows") {
    const auto found = paired(table_of({1, 2, 3}, {2, 3, 4.5, 9}), 1, {0, 0, 1});
    CHECK(found.a.mean == 2);
    CHECK(found.b.mean == Approx(9.5 / 3));
    CHECK(found.difference.mean == Approx(3.5 / 3));
    CHECK(found.difference.low > 0);  // narrower than the means are wide
    CHECK(found.a.high > found.b.low);
    CHECK(found.difference.count == 3);
    CHECK(found.alone == 1);
    CHECK(found.lower == 0);
  }

  TEST_CASE("a pair with a missing value is counted as missing, not compared") {
    const auto found = paired(table_of({1, kNone, 3}, {1, 0, 2}), 1, {0, 0, 1});
    CHECK(found.missing == 1);
    CHECK(found.difference.count == 2);
    CHECK(found.lower == 1);
    CHECK(found.equal == 1);
    CHECK(found.a.mean == 2);
  }

  TEST_CASE("brushes choose pairs; that of the models does not count") {
    auto table = table_of({1, 2, 3}, {2, 3, 5});
    table.brush(0, {.categories = {0}});
    CHECK(paired(table, 1, {0, 0, 1}).difference.count == 3);
    table.brush(2, {.low = 1});
    CHECK(paired(table, 1, {0, 0, 1}).difference.count == 2);
    CHECK(paired(table, 1, {0, 1, 0}).difference.mean == -1.5);
  }

  TEST_CASE("equal models differ by nothing") {
    const auto found = paired(table_of({1, 2, 3}, {1, 2, 3}), 1, {0, 0, 1});
    CHECK(found.difference.low == 0);
    CHECK(found.difference.high == 0);
    CHECK(found.equal == 3);
  }

  TEST_CASE("two categories of the column are needed") {
    const auto table = table_of({1}, {2});
    CHECK_THROWS_WITH_AS(
        paired(table, 1, {0, 0, 2}),
        "distribution: no pair (found 0 and 2, expected two of 0 to 1)", Error);
    CHECK_THROWS_AS(paired(table, 1, {0, 1, 1}), Error);
    CHECK_THROWS_AS(paired(table, 1, {1, 0, 1}), Error);
  }
}

}  // namespace pairs_test
}  // namespace bev::distribution
