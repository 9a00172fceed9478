#include "core/reader/filter.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "tests/support/filter_oracle.hpp"
#include "tests/support/random_filter.hpp"
#include "tests/support/rounds.hpp"

namespace filter_test {

using bev::Error;
using bev::reader::Column;
using bev::reader::Expression;
using bev::reader::Filter;
using bev::reader::parse_filter;
using bev::reader::Schema;
using bev::test::FilterOracle;
using bev::test::RandomFilters;
using bev::test::TableRows;
using bev::zarr::ByteOrder;
using bev::zarr::DType;
using bev::zarr::Kind;
using Mask = std::vector<std::uint8_t>;

namespace {

DType type_of(Kind kind, std::size_t size) {
  DType out;
  out.kind = kind;
  out.item_size = size;
  out.order = size > 1 ? ByteOrder::little : ByteOrder::none;
  return out;
}

Mask expected_mask(const Expression& filter, const Schema& schema,
                   const TableRows& rows) {
  const FilterOracle oracle(schema, rows);
  Mask out(rows.count);
  for (std::size_t row = 0; row < rows.count; ++row) {
    out[row] = oracle.passes(filter, row);
  }
  return out;
}

Mask selected(const Expression& expression, const Schema& schema,
              const TableRows& rows) {
  Filter filter(expression, schema);
  Mask out(rows.count, 7);
  filter.select(rows.spans(), out);
  return out;
}

// A column of consecutive values, from `first` on.
template <class T>
std::vector<std::byte> consecutive(T first, std::size_t count) {
  std::vector<std::byte> out(count * sizeof(T));
  for (std::size_t i = 0; i < count; ++i) {
    bev::store_le(out.data() + i * sizeof(T),
                  static_cast<T>(first + static_cast<T>(i)));
  }
  return out;
}

Schema agents() {
  Schema out;
  out.columns = {{"track_id", type_of(Kind::unsigned_int, 8)},
                 {"speed", type_of(Kind::real, 4)},
                 {"centroid", type_of(Kind::real, 8), 2},
                 {"label", type_of(Kind::unsigned_int, 1), 1, {"CAR", "VAN", "BUS"}},
                 {"host", type_of(Kind::unicode, 16)},
                 {"kept", type_of(Kind::boolean, 1)},
                 {"probabilities", type_of(Kind::real, 4), 2},
                 {"time", type_of(Kind::datetime, 8)}};
  out.label_column = "probabilities";
  out.labels = {"CAR", "VAN", "BUS"};
  return out;
}

std::size_t passing(std::string_view text, std::size_t count) {
  Schema schema;
  schema.columns = {{"n", type_of(Kind::unsigned_int, 4)}};
  const TableRows rows{count, {consecutive<std::uint32_t>(0, count)}};
  const auto mask = selected(parse_filter(text), schema, rows);
  return std::accumulate(mask.begin(), mask.end(), std::size_t{0});
}

}  // namespace

TEST_SUITE("reader/filter") {
  TEST_CASE("1,000 random filters select the rows that a naive evaluation selects") {
    RandomFilters made(1);
    std::size_t mixed = 0;
    for (int i = 0; i < bev::test::rounds(1000); ++i) {
      if (i % 10 == 0) made.new_table(i % 100 == 0 ? 1100 : 30 + made.below(90));
      const auto filter = made.condition(3);
      CAPTURE(bev::reader::to_text(filter));
      const auto expected = expected_mask(filter, made.schema(), made.rows());
      REQUIRE(selected(filter, made.schema(), made.rows()) == expected);
      // Text and JSON have the same meaning.
      REQUIRE(parse_filter(to_text(filter)) == filter);
      REQUIRE(bev::reader::filter_from_json(to_json(filter)) == filter);
      const auto count =
          std::accumulate(expected.begin(), expected.end(), std::size_t{0});
      mixed += count > 0 && count < expected.size();
    }
    CHECK(mixed > bev::test::rounds(400U));  // most filters distinguish rows
  }

  TEST_CASE("the rows' division into calls does not change the result") {
    RandomFilters made(2);
    for (int i = 0; i < 60; ++i) {
      made.new_table(1100);
      const auto filter = made.condition(3);
      CAPTURE(bev::reader::to_text(filter));
      const auto& rows = made.rows();
      const auto whole = selected(filter, made.schema(), rows);
      Filter bound(filter, made.schema());
      Mask joined;
      for (std::size_t begin = 0; begin < rows.count;) {
        const auto count = std::min(1 + made.below(700), rows.count - begin);
        std::vector<std::span<const std::byte>> part;
        for (std::size_t c = 0; c < rows.columns.size(); ++c) {
          const auto size = rows.columns[c].size() / rows.count;
          part.push_back(
              std::span(rows.columns[c]).subspan(begin * size, count * size));
        }
        Mask mask(count);
        bound.select(part, mask);
        joined.insert(joined.end(), mask.begin(), mask.end());
        begin += count;
      }
      REQUIRE(joined == whole);
    }
  }

  TEST_CASE("blocks of every length are evaluated to their end") {
    for (const std::size_t count : {0u, 1u, 511u, 512u, 513u, 1'000'000u}) {
      CAPTURE(count);
      CHECK(passing("n >= 0", count) == count);
      CHECK(passing("n < 0", count) == 0);
      CHECK(passing("n + 1 == " + std::to_string(count), count) == (count > 0));
      CHECK(passing("n < 511 or n * 1 > 512", count) ==
            count - (count > 511) - (count > 512));
    }
  }

  TEST_CASE("integers are compared without rounding") {
    Schema schema;
    schema.columns = {{"u", type_of(Kind::unsigned_int, 8)},
                      {"i", type_of(Kind::signed_int, 8)},
                      {"d", type_of(Kind::real, 8)}};
    constexpr auto k2To53 = std::uint64_t{1} << 53;
    TableRows rows{3, {}};
    rows.columns = {
        consecutive<std::uint64_t>(k2To53, 3), consecutive<std::int64_t>(-1, 3), {}};
    for (int i = 0; i < 3; ++i) {
      rows.columns[2].resize(rows.columns[2].size() + 8);
      bev::store_le(rows.columns[2].data() + 8 * i, 9007199254740992.0);
    }
    const auto mask = [&](std::string_view text) {
      return selected(parse_filter(text), schema, rows);
    };
    CHECK(mask("u == 9007199254740993") == Mask{0, 1, 0});
    CHECK(mask("u == 9007199254740992.0") == Mask{1, 0, 0});
    CHECK(mask("u == d") == Mask{1, 0, 0});
    CHECK(mask("u == d + 0") == Mask{1, 0, 0});
    CHECK(mask("d + 2 == u") == Mask{0, 0, 1});
    CHECK(mask("u in (9007199254740993, 9007199254740994.0)") == Mask{0, 1, 1});
    CHECK(mask("i < u") == Mask{1, 1, 1});
    CHECK(mask("u > -1 and i < 18446744073709551615") == Mask{1, 1, 1});
    CHECK(mask("i == 18446744073709551615") == Mask{0, 0, 0});
    CHECK(mask("i between -0.5 and 0.5") == Mask{0, 1, 0});
  }

  TEST_CASE("NaN is unequal to everything and not between anything") {
    Schema schema;
    schema.columns = {{"x", type_of(Kind::real, 4)}};
    TableRows rows{2, {std::vector<std::byte>(8)}};
    bev::store_le(rows.columns[0].data(), std::numeric_limits<float>::quiet_NaN());
    const auto passes = [&](std::string_view text) {
      return selected(parse_filter(text), schema, rows) == Mask{1, 0};
    };
    CHECK(passes("isnan(x)"));
    CHECK(passes("x != 0"));
    CHECK(passes("x != x"));
    CHECK(passes("not x == x"));
    CHECK(passes("x not between -1 and 1"));
    CHECK(passes("not (x < 1 or x >= 1)"));
    CHECK(passes("x not in (0)"));
    CHECK(passes("isnan(min(x, 1)) and isnan(max(1, x)) and isnan(-abs(x) + 1)"));
  }

  TEST_CASE("boolean columns and strings in either order are conditions") {
    auto schema = agents();
    TableRows rows{2, {}};
    for (const auto& column : schema.columns) {
      rows.columns.emplace_back(2 * column.width * column.type.item_size);
    }
    rows.columns[5][1] = std::byte{1};
    rows.columns[3][1] = std::byte{2};
    const auto mask = [&](std::string_view text) {
      return selected(parse_filter(text), schema, rows);
    };
    CHECK(mask("kept") == Mask{0, 1});
    CHECK(mask("not kept and speed == 0") == Mask{1, 0});
    CHECK(mask("kept == false") == Mask{1, 0});
    CHECK(mask("kept in (true)") == Mask{0, 1});
    CHECK(mask("label == \"BUS\"") == Mask{0, 1});
    CHECK(mask("\"BUS\" != label") == Mask{1, 0});
    CHECK(mask("label in (\"VAN\", \"BUS\") and label > 1") == Mask{0, 1});
    CHECK(mask("host == \"\"") == Mask{1, 1});
    CHECK(mask("host == \"longer than it\"") == Mask{0, 0});
    CHECK(mask("host != \"longer than it\"") == Mask{1, 1});
  }

  TEST_CASE("a filter names the columns it reads") {
    const Filter filter(parse_filter("speed > 1 and label_prob(\"VAN\") > 0 or "
                                     "centroid[1] < centroid[0]"),
                        agents());
    CHECK(filter.columns() == std::vector<std::size_t>{1, 2, 6});
    CHECK(Filter(parse_filter("true"), agents()).columns().empty());
  }

  TEST_CASE("a narrowed filter needs the elements it compares alone") {
    RandomFilters made(29);
    std::size_t narrowed = 0;
    for (int i = 0; i < 300; ++i) {
      if (i % 10 == 0) made.new_table(i % 100 == 0 ? 600 : 50);
      const auto expression = made.condition(2);
      CAPTURE(bev::reader::to_text(expression));
      const auto& [schema, rows] = std::tie(made.schema(), made.rows());
      Filter filter(expression, schema);
      filter.narrow(filter.columns());
      auto values = rows.columns;
      for (const auto column : filter.columns()) {
        const auto& [name, type, width, names, is_ragged, valid] =
            schema.columns[column];
        const auto [first, count] = filter.elements(column);
        REQUIRE(count > 0);
        REQUIRE(first + count <= width);
        narrowed += count < width;
        auto& out = values[column];
        out.clear();
        for (std::size_t row = 0; row < rows.count; ++row) {
          const auto* from =
              rows.columns[column].data() + (row * width + first) * type.item_size;
          out.insert(out.end(), from, from + count * type.item_size);
        }
      }
      Mask mask(rows.count, 7);
      const std::vector<std::span<const std::byte>> spans(values.begin(), values.end());
      filter.select(spans, mask);
      REQUIRE(mask == selected(expression, schema, rows));
    }
    CHECK(narrowed > 30);
  }

  TEST_CASE("a column of the wrong size is refused") {
    Filter filter(parse_filter("speed > 1"), agents());
    std::vector<std::span<const std::byte>> values(8);
    Mask mask(3);
    CHECK_THROWS_WITH_AS(filter.select(values, mask),
                         "filter, field speed: wrong size (found 0 bytes, expected 12)",
                         Error);
    CHECK_THROWS_AS(filter.select({}, mask), Error);
  }
}

}  // namespace filter_test
