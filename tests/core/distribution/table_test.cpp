#include "core/distribution/table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "tests/core/distribution/random_table.hpp"

namespace bev::distribution {
namespace table_test {

using test::random_columns;
using test::random_rows;
using test::RandomRows;
using Rows = std::vector<std::uint32_t>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool is_chosen(const Column& column, const Brush& brush, double value) {
  if (std::isnan(value)) return brush.missing;
  if (column.categories == 0) return brush.low <= value && value < brush.high;
  for (const auto one : brush.categories) {
    if (one == value) return true;
  }
  return false;
}

/// Chooses values of some columns at random.
std::vector<std::optional<Brush>> random_brushes(test::Random& random) {
  std::vector<std::optional<Brush>> out(4);
  if (random() % 2 == 0) out[0] = Brush{.categories = {random() % 3}};
  if (random() % 2 == 0) {
    const double low = static_cast<int>(random() % 30) - 20;
    out[1] = Brush{
        .low = low, .high = low + 1 + random() % 20, .missing = random() % 3 == 0};
  }
  if (random() % 2 == 0) out[2] = Brush{.low = (random() % 400) / 100.0};
  if (random() % 3 == 0)
    out[3] = Brush{.categories = {1}, .missing = random() % 2 == 0};
  if (random() % 9 == 0) out[2] = Brush{.low = 0, .high = 0, .missing = true};
  return out;
}

void check_counts(Table& table, const RandomRows& rows,
                  const std::vector<std::optional<Brush>>& brushes,
                  std::optional<std::size_t> by) {
  const auto columns = random_columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto counts = table.counts(c, by);
    Rows all(counts.bins.total()), passing(counts.passing.size());
    for (std::size_t row = 0; row < rows.count(); ++row) {
      const auto bin = counts.bins.index(rows.value(c, row));
      ++all[bin];
      bool pass = true;
      for (std::size_t d = 0; d < columns.size(); ++d) {
        if (d == c || !brushes[d]) continue;
        pass = pass && is_chosen(columns[d], *brushes[d], rows.value(d, row));
      }
      const auto group = by ? rows.value(*by, row) : 0;
      const auto at =
          std::isnan(group) ? columns[*by].categories : static_cast<std::size_t>(group);
      if (pass) ++passing[at * counts.bins.total() + bin];
    }
    REQUIRE(counts.all == all);
    REQUIRE(counts.passing == passing);
  }
}

/// A table of one column: scene 0, tracks 0, 1, ...
Table table_of(const std::vector<double>& values, std::uint32_t categories = 0) {
  Table out({{"x", categories}});
  RowIds ids;
  for (std::size_t i = 0; i < values.size(); ++i) {
    ids.scenes.push_back(0);
    ids.frames.push_back(0);
    ids.tracks.push_back(static_cast<std::int64_t>(i));
  }
  out.append(ids, values);
  return out;
}

TEST_SUITE("distribution/table") {
  TEST_CASE("random brushes count what a loop over all rows counts") {
    test::Random random(1);
    for (int round = 0; round < 60; ++round) {
      const auto rows = random_rows(random, 300);
      Table table(random_columns());
      const auto brushes = random_brushes(random);
      const bool before = random() % 2 == 0;
      if (!before) table.append(rows.ids, rows.values);
      for (std::size_t c = 0; c < 4; ++c) {
        if (random() % 2 == 0) table.brush(c, {.low = 0, .high = 0, .missing = true});
        table.clear_brush(c);
        if (brushes[c]) table.brush(c, *brushes[c]);
      }
      if (before) table.append(rows.ids, rows.values);
      check_counts(table, rows, brushes, {});
      check_counts(table, rows, brushes, 0);
    }
  }

  TEST_CASE("a missing value passes a brush only if missing ones are chosen") {
    auto table = table_of({1, kNone, std::numeric_limits<double>::infinity()});
    CHECK(table.passing() == 3);
    table.brush(0, {.low = 0});
    CHECK(passing_rows(table, 0, 9) == Rows{0});
    table.brush(0, {.low = 0, .high = 0, .missing = true});
    CHECK(passing_rows(table, 0, 9) == Rows{1, 2});
    const auto counts = table.counts(0);
    CHECK(counts.all[counts.bins.missing()] == 2);
  }

  TEST_CASE("rows in order are the passing ones with the largest values") {
    test::Random random(2);
    const auto rows = random_rows(random, 500);
    Table table(random_columns());
    table.append(rows.ids, rows.values);
    table.brush(3, {.categories = {1}});
    Rows expected;
    for (std::uint32_t row = 0; row < 500; ++row) {
      const bool known = !std::isnan(rows.value(2, row));
      if (known && rows.value(3, row) == 1) expected.push_back(row);
    }
    std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) {
      return rows.value(2, a) > rows.value(2, b);
    });
    CHECK(ordered_rows(table, 2, 1000) == expected);
    expected.resize(7);
    CHECK(ordered_rows(table, 2, 7) == expected);
  }

  TEST_CASE("rows of a scene, and slices, are the passing ones") {
    test::Random random(3);
    const auto rows = random_rows(random, 200);
    Table table(random_columns());
    table.append(rows.ids, rows.values);
    table.brush(0, {.categories = {0, 2}});
    Rows passing, of_scene;
    for (std::uint32_t row = 0; row < 200; ++row) {
      if (rows.value(0, row) != 0 && rows.value(0, row) != 2) continue;
      passing.push_back(row);
      if (rows.ids.scenes[row] == 3) of_scene.push_back(row);
    }
    CHECK(passing_in_scene(table, 3) == of_scene);
    const auto first = passing_rows(table, 0, 10);
    const auto rest = passing_rows(table, first.back() + 1, 1000);
    CHECK(first.size() + rest.size() == passing.size());
    CHECK(rest.back() == passing.back());
  }

  TEST_CASE("points are spread evenly, and all are counted") {
    std::vector<double> values(1000, 1.0);
    values[3] = kNone;
    const auto table = table_of(values);
    const auto points = points_of(table, 0, 0, 10);
    CHECK(points.count == 999);
    CHECK(points.rows.size() == 10);
    CHECK(std::is_sorted(points.rows.begin(), points.rows.end()));
    CHECK(points.rows[5] > 450);
    CHECK(points_of(table, 0, 0, 999).rows.size() == 999);
  }

  TEST_CASE("what does not fit is refused") {
    CHECK_THROWS_WITH_AS(
        Table({}), "distribution: wrong number of columns (found 0, expected 1 to 31)",
        Error);
    CHECK_THROWS_AS(Table({{"x", 65}}), Error);
    CHECK_THROWS_WITH_AS(table_of({2}, 2),
                         "distribution: x: not a category (expected 0 to 1)", Error);
    auto table = table_of({1, 2});
    CHECK_THROWS_AS(table.append({{0}, {0}, {}}, std::vector<double>{1}), Error);
    CHECK_THROWS_WITH_AS(table.brush(0, {.low = 2, .high = 2}),
                         "distribution: x: the brush is empty", Error);
    CHECK_THROWS_AS(table.brush(0, {.low = kNone}), Error);
    CHECK_THROWS_AS(table.brush(1, {}), Error);
    CHECK_THROWS_AS(table.clear_brush(1), Error);
    CHECK_THROWS_AS(table.brush(0, {.categories = {0}}), Error);
    CHECK_THROWS_WITH_AS(table.counts(0, 0), "distribution: x: no column of categories",
                         Error);
    CHECK(table.rows() == 2);
  }
}

}  // namespace table_test
}  // namespace bev::distribution
