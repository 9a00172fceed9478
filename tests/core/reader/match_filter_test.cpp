#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/reader/compare.hpp"
#include "core/reader/filter.hpp"
#include "tests/support/random_filter.hpp"
#include "tests/support/rounds.hpp"

namespace match_filter_test {

using bev::reader::compare;
using bev::reader::Expression;
using bev::reader::Filter;
using bev::reader::Op;
using bev::reader::parse_filter;
using bev::reader::Range;
using bev::reader::Schema;
using bev::test::RandomFilters;
using bev::test::TableRows;
using bev::zarr::Number;
using Match = Filter::Match;

namespace {

// Ranges by column and element.
class Known final : public Filter::Statistics {
 public:
  std::optional<Range> range(std::size_t column, std::size_t element) const override {
    const auto found = ranges.find({column, element});
    if (found == ranges.end()) return std::nullopt;
    return found->second;
  }

  std::map<std::pair<std::size_t, std::size_t>, Range> ranges;
};

struct Rows {
  std::size_t begin;
  std::size_t end;
};

// The range of an element in some rows, by comparing all of them.
Range range_of(const Schema& schema, const TableRows& rows, Rows part,
               std::pair<std::size_t, std::size_t> at) {
  const auto& column = schema.columns[at.first];
  Range out{{}, {}, false, false};
  for (auto row = part.begin; row < part.end; ++row) {
    const auto number = load_number(
        column.type, rows.columns[at.first].data() +
                         (row * column.width + at.second) * column.type.item_size);
    if (!compare(number, number)) {
      out.has_nan = true;
      continue;
    }
    if (!out.has_value || *compare(number, out.min) < 0) out.min = number;
    if (!out.has_value || *compare(number, out.max) > 0) out.max = number;
    out.has_value = true;
  }
  return out;
}

Known known_of(const Schema& schema, const TableRows& rows, Rows part) {
  Known out;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    if (!is_number(schema.columns[c].type)) continue;
    for (std::size_t e = 0; e < schema.columns[c].width; ++e) {
      out.ranges[{c, e}] = range_of(schema, rows, part, {c, e});
    }
  }
  return out;
}

// How the rows' masks answer.
Match truth(const std::vector<std::uint8_t>& mask, Rows part) {
  bool any = false;
  bool all = true;
  for (auto row = part.begin; row < part.end; ++row) {
    any = any || mask[row] != 0;
    all = all && mask[row] != 0;
  }
  return all ? Match::all : any ? Match::some : Match::none;
}

bool is_safe(Match found, Match true_one) {
  return found == Match::some || found == true_one;
}

std::vector<std::uint8_t> mask_of(Filter& filter, const TableRows& rows) {
  std::vector<std::uint8_t> mask(rows.count);
  filter.select(rows.spans(), mask);
  return mask;
}

// The match of a filter of u (u1) and x (f8) with these limits.
Match match(std::string_view text, std::optional<Range> u, std::optional<Range> x) {
  Schema schema;
  schema.columns.resize(2);
  schema.columns[0].name = "u";
  schema.columns[0].type.kind = bev::zarr::Kind::unsigned_int;
  schema.columns[0].type.item_size = 8;
  schema.columns[1].name = "x";
  schema.columns[1].type.kind = bev::zarr::Kind::real;
  schema.columns[1].type.item_size = 8;
  Known known;
  if (u) known.ranges[{0, 0}] = *u;
  if (x) known.ranges[{1, 0}] = *x;
  return Filter(parse_filter(text), schema).match(known);
}

Range whole(std::uint64_t min, std::uint64_t max) {
  return {{Number::Kind::unsigned_int, min, 0},
          {Number::Kind::unsigned_int, max, 0},
          false};
}

Range real(double min, double max, bool has_nan = false, bool has_value = true) {
  return {
      {Number::Kind::real, 0, min}, {Number::Kind::real, 0, max}, has_nan, has_value};
}

}  // namespace

TEST_SUITE("reader/match_filter") {
  TEST_CASE("1,000 random filters never lose a row of a random division into chunks") {
    RandomFilters made(11);
    std::size_t decided = 0;
    std::size_t decidable = 0;
    for (int i = 0; i < bev::test::rounds(1000); ++i) {
      if (i % 10 == 0) made.new_table(40 + made.below(200));
      const auto tree = made.condition(3);
      CAPTURE(bev::reader::to_text(tree));
      Filter filter(tree, made.schema());
      const auto mask = mask_of(filter, made.rows());
      for (Rows part{0, 0}; part.begin < made.rows().count; part.begin = part.end) {
        part.end = std::min(part.begin + 1 + made.below(60), made.rows().count);
        auto known = known_of(made.schema(), made.rows(), part);
        const auto expected = truth(mask, part);
        const auto full = filter.match(known);
        REQUIRE(is_safe(full, expected));
        decided += full != Match::some;
        decidable += expected != Match::some;
        // Unknown ranges only make it less certain.
        for (auto it = known.ranges.begin(); it != known.ranges.end();) {
          it = made.below(3) == 0 ? known.ranges.erase(it) : std::next(it);
        }
        const auto partial = filter.match(known);
        REQUIRE((partial == full || partial == Match::some));
      }
    }
    MESSAGE("decided: ", decided, " of ", decidable, " chunks that are all or nothing");
    CHECK(decided * 2 > decidable);
  }

  TEST_CASE("single comparisons are decided exactly by limits") {
    RandomFilters made(12);
    std::size_t checked = 0;
    for (int i = 0; i < bev::test::rounds(1000); ++i) {
      if (i % 10 == 0) made.new_table(100);
      const auto tree = made.single_comparison();
      CAPTURE(bev::reader::to_text(tree));
      Filter filter(tree, made.schema());
      const auto mask = mask_of(filter, made.rows());
      for (Rows part{0, 0}; part.begin < made.rows().count; part.begin = part.end) {
        part.end = std::min(part.begin + 1 + made.below(25), made.rows().count);
        const auto known = known_of(made.schema(), made.rows(), part);
        const auto expected = truth(mask, part);
        const auto found = filter.match(known);
        REQUIRE(is_safe(found, expected));
        const bool is_equality = tree.op == Op::equal || tree.op == Op::not_equal;
        if (!is_equality) {
          REQUIRE(found == expected);
          ++checked;
          continue;
        }
        // Limits cannot tell whether a number between them occurs.
        const auto& field = tree.args[tree.args[0].op == Op::field ? 0 : 1];
        const auto& literal = tree.args[tree.args[0].op == Op::field ? 1 : 0];
        const auto range =
            known.ranges.at({*made.schema().find(field.name),
                             static_cast<std::size_t>(std::max(field.index, 0))});
        const bool between = range.has_value &&
                             *compare(range.min, literal.value) < 0 &&
                             *compare(range.max, literal.value) > 0;
        if (between) continue;
        REQUIRE(found == expected);
        ++checked;
      }
    }
    CHECK(checked > bev::test::rounds(5000U));
  }

  TEST_CASE("limits decide conditions") {
    CHECK(match("u > 10", whole(0, 10), {}) == Match::none);
    CHECK(match("u > 10", whole(11, 20), {}) == Match::all);
    CHECK(match("u > 10", whole(5, 20), {}) == Match::some);
    CHECK(match("u > 10", {}, {}) == Match::some);
    CHECK(match("u >= 0", {}, {}) == Match::all);
    CHECK(match("u < 0", {}, {}) == Match::none);
    CHECK(match("u > 18446744073709551615", {}, {}) == Match::none);
    CHECK(match("u in (1, 2, 30)", whole(3, 29), {}) == Match::none);
    CHECK(match("u in (1, 2, 30)", whole(2, 2), {}) == Match::all);
    CHECK(match("u between 3 and 4", whole(3, 4), {}) == Match::all);
    CHECK(match("u == 1 and x > 5", whole(2, 9), {}) == Match::none);
    CHECK(match("u == 1 or x > 5", whole(1, 1), {}) == Match::all);
    CHECK(match("not (u == 1)", whole(1, 1), {}) == Match::none);
    CHECK(match("false", {}, {}) == Match::none);
    CHECK(match("hash_split(u, [0.5], 0)", whole(1, 2), {}) == Match::some);
  }

  TEST_CASE("NaN fails comparisons and passes inequality") {
    CHECK(match("x < 5", {}, real(0, 1)) == Match::all);
    CHECK(match("x < 5", {}, real(0, 1, true)) == Match::some);
    CHECK(match("x > 5", {}, real(0, 1, true)) == Match::none);
    CHECK(match("x != 5", {}, real(0, 1, true)) == Match::all);
    CHECK(match("x == 5", {}, real(5, 5, true)) == Match::some);
    CHECK(match("x != x", {}, real(5, 5, true, false)) == Match::all);
    CHECK(match("x < 5", {}, real(0, 0, true, false)) == Match::none);
    CHECK(match("isnan(x)", {}, real(0, 1)) == Match::none);
    CHECK(match("isnan(x)", {}, real(0, 0, true, false)) == Match::all);
    CHECK(match("isnan(x)", {}, real(0, 1, true)) == Match::some);
    CHECK(match("isnan(u)", {}, {}) == Match::none);
  }

  TEST_CASE("arithmetic is decided by its limits") {
    CHECK(match("x * x < 5", {}, real(-2, 2)) == Match::all);
    CHECK(match("abs(x) > 5", {}, real(-2, 3)) == Match::none);
    CHECK(match("abs(x) > 1", {}, real(-4, -2)) == Match::all);
    CHECK(match("u - x > 100", whole(0, 10), real(-5, 5)) == Match::none);
    CHECK(match("1 / x > 0", {}, real(1, 2)) == Match::all);
    CHECK(match("1 / x > 0", {}, real(0, 2)) == Match::some);
    CHECK(match("min(u, x) > 3", whole(0, 3), real(5, 9)) == Match::none);
    CHECK(match("max(u, x) > 3", whole(0, 3), real(5, 9)) == Match::all);
    CHECK(match("-x < 0", {}, real(1, 9)) == Match::all);
    // Infinity minus infinity is NaN.
    CHECK(match("x - x == 0", {}, real(1, INFINITY)) == Match::some);
    CHECK(match("isnan(x - x)", {}, real(1, INFINITY)) == Match::some);
    // An integer is compared with a computed number without rounding.
    constexpr auto k2To53 = std::uint64_t{1} << 53;
    CHECK(match("u == x + 0", whole(k2To53 + 1, k2To53 + 1), real(0x1p53, 0x1p53)) ==
          Match::none);
  }
}

}  // namespace match_filter_test
