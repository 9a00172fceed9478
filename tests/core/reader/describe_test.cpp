#include "core/reader/describe.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/reader/compare.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/random_filter.hpp"

using bev::Errc;
using bev::reader::Column;
using bev::reader::compare;
using bev::reader::Description;
using bev::test::error_code;
using bev::test::RandomFilters;
using bev::zarr::Kind;
using nlohmann::json;

namespace {

Column column(std::string name, Kind kind, std::size_t size, std::size_t width = 1) {
  Column out{std::move(name), {}, width};
  out.type.kind = kind;
  out.type.item_size = size;
  return out;
}

template <class T>
std::vector<std::byte> packed(std::initializer_list<T> values) {
  std::vector<std::byte> out(values.size() * sizeof(T));
  std::size_t at = 0;
  for (const T value : values) bev::store_le(out.data() + sizeof(T) * at++, value);
  return out;
}

// Mean and deviation in two passes, in extended precision.
std::pair<double, double> moments(const std::vector<double>& values) {
  long double sum = 0;
  for (const double value : values) sum += value;
  const auto count = static_cast<long double>(values.size());
  const auto mean = sum / count;
  long double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {static_cast<double>(mean), static_cast<double>(std::sqrt(squares / count))};
}

bool near(double found, double expected, double scale) {
  return std::fabs(found - expected) <= 1e-12 * scale;
}

}  // namespace

TEST_SUITE("reader/describe") {
  TEST_CASE("a description has the documented form") {
    Description description(
        {column("x", Kind::real, 8), column("id", Kind::unsigned_int, 8),
         column("host", Kind::unicode, 8), column("pair", Kind::signed_int, 2, 2)});
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const auto x = packed<double>({1, kNan, 4, -kInf});
    const auto id = packed<std::uint64_t>({7, 7, 7, ~std::uint64_t{0}});
    const auto pair = packed<std::int16_t>({1, -1, 2, -2, 3, -3, 4, -4});
    const std::span<const std::byte> values[] = {x, id, {}, pair};
    description.add(4, values);
    const auto out = json::parse(description.to_json());
    CHECK(out["rows"] == 4);
    REQUIRE(out["columns"].size() == 4);
    const auto& first = out["columns"][0];
    CHECK(first["name"] == "x");
    CHECK_FALSE(first.contains("element"));
    CHECK(first["count"] == 4);
    CHECK(first["nan"] == 1);
    CHECK(first["infinite"] == 1);
    CHECK(first["min"] == "-inf");
    CHECK(first["max"] == 4.0);
    CHECK(first["mean"] == 2.5);
    CHECK(first["std"] == 1.5);
    CHECK(first["quantiles"][3] == json::array({0.5, 1.0}));
    CHECK(first["rank_error"] == 0.0);
    CHECK(first["histogram"]["width"] == 0.0625);
    CHECK(first["histogram"]["begin"] == 1.0);
    CHECK(first["histogram"]["counts"].size() == 49);
    CHECK(out["columns"][1]["max"] == "18446744073709551615");
    CHECK(out["columns"][1]["min"] == 7);
    CHECK(out["columns"][3]["element"] == 1);
    CHECK(out["columns"][3]["mean"] == -2.5);
    CHECK(description.find("host", 0) == nullptr);
    CHECK(description.find("pair", 2) == nullptr);
    CHECK(description.find("pair", 1)->count() == 4);
  }

  TEST_CASE("no rows, or only NaN, have no values") {
    Description description({column("x", Kind::real, 4)});
    const auto check = [&](std::uint64_t count) {
      const auto one = json::parse(description.to_json())["columns"][0];
      CHECK(one["count"] == count);
      for (const auto* key : {"min", "max", "mean", "std", "histogram"}) {
        CHECK(one[key].is_null());
      }
      CHECK(one["quantiles"].empty());
    };
    check(0);
    const auto x = packed<float>({std::nanf(""), std::nanf("")});
    const std::span<const std::byte> values[] = {x};
    description.add(2, values);
    check(2);
  }

  TEST_CASE("random columns, in random blocks, equal a plain computation") {
    RandomFilters made(51);
    for (int i = 0; i < 20; ++i) {
      made.new_table(500);
      const auto& rows = made.rows();
      Description description(made.schema().columns);
      for (std::size_t begin = 0; begin < rows.count;) {
        const auto count = std::min(1 + made.below(200), rows.count - begin);
        std::vector<std::span<const std::byte>> part;
        for (const auto& bytes : rows.columns) {
          const auto size = bytes.size() / rows.count;
          part.push_back(std::span(bytes).subspan(begin * size, count * size));
        }
        description.add(count, part);
        begin += count;
      }
      for (std::size_t c = 0; c < made.schema().columns.size(); ++c) {
        const auto& one = made.schema().columns[c];
        for (std::size_t e = 0; is_number(one.type) && e < one.width; ++e) {
          CAPTURE(one.name);
          const auto limits =
              bev::reader::limits_of({one.type, one.width, rows.columns[c]}, e);
          std::vector<double> finite;
          std::uint64_t infinite = 0;
          for (std::size_t row = 0; row < rows.count; ++row) {
            const double value =
                load_number(one.type, rows.columns[c].data() +
                                          (row * one.width + e) * one.type.item_size)
                    .as_real();
            if (std::isfinite(value)) finite.push_back(value);
            infinite += std::isinf(value);
          }
          const auto* summary = description.find(one.name, e);
          REQUIRE(summary != nullptr);
          CHECK(summary->count() == rows.count);
          CHECK(summary->infinite_count() == infinite);
          CHECK(summary->finite_count() == finite.size());
          CHECK(summary->limits().nan_count == limits.nan_count);
          if (finite.empty()) continue;
          CHECK(compare(summary->limits().min, limits.min) == 0);
          CHECK(compare(summary->limits().max, limits.max) == 0);
          const auto [mean, deviation] = moments(finite);
          double scale = 0;
          for (const double value : finite) scale = std::max(scale, std::fabs(value));
          CHECK(near(summary->mean(), mean, scale));
          if (scale < 1e150) CHECK(near(summary->deviation(), deviation, scale));
          std::sort(finite.begin(), finite.end());
          const auto median = summary->quantiles().quantiles({0.5})[0];
          CHECK(median == finite[(finite.size() + 1) / 2 - 1]);
        }
      }
    }
  }

  TEST_CASE("columns of the wrong size and too many columns are refused") {
    Description description({column("x", Kind::real, 4)});
    const auto x = packed<float>({1, 2});
    const std::span<const std::byte> values[] = {x};
    CHECK_THROWS_WITH_AS(description.add(3, values),
                         "describe, field x: wrong size (found 8 bytes, expected 12)",
                         bev::Error);
    CHECK(error_code([&] { description.add(1, {}); }) == Errc::invalid_argument);
    CHECK(error_code([] { Description({column("x", Kind::real, 4, 1001)}); }) ==
          Errc::limit_exceeded);
  }
}
