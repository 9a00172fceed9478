#include "core/reader/hash.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/reader/filter.hpp"

namespace hash_test {

using bev::reader::Filter;
using bev::reader::hash_of;
using bev::reader::mixed;
using bev::reader::parse_filter;
using bev::reader::Schema;
using bev::reader::unit_of;
using bev::zarr::ByteOrder;
using bev::zarr::DType;
using bev::zarr::Kind;
using bev::zarr::Number;
using Mask = std::vector<std::uint8_t>;

namespace {

Number real(double value) {
  return {Number::Kind::real, 0, value};
}

// Parts of `count` consecutive numbers as elements of a type.
Mask split_as(const DType& type, const std::string& filter, std::size_t count) {
  Schema schema;
  schema.columns = {{"id", type}};
  std::vector<std::byte> values(count * type.item_size);
  for (std::size_t i = 0; i < count; ++i) {
    store_number(type, {Number::Kind::unsigned_int, i, 0},
                 values.data() + i * type.item_size);
  }
  Mask mask(count);
  const std::array<std::span<const std::byte>, 1> columns{values};
  Filter(parse_filter(filter), schema).select(columns, mask);
  return mask;
}

DType type_of(Kind kind, std::size_t size, ByteOrder order = ByteOrder::little) {
  DType out;
  out.kind = kind;
  out.item_size = size;
  out.order = order;
  return out;
}

// The part of a string, of a column with `points` code points per string.
bool text_passes(std::u32string text, std::size_t points, ByteOrder order) {
  Schema schema;
  schema.columns = {{"host", type_of(Kind::unicode, 4 * points, order)}};
  text.resize(points);
  std::vector<std::byte> values(4 * points);
  for (std::size_t i = 0; i < points; ++i) {
    bev::store_as(values.data() + 4 * i, static_cast<std::uint32_t>(text[i]),
                  order == ByteOrder::big ? std::endian::big : std::endian::little);
  }
  Mask mask(1);
  const std::array<std::span<const std::byte>, 1> columns{values};
  Filter(parse_filter("hash_split(host, [0.5, 0.5], 0, seed=3)"), schema)
      .select(columns, mask);
  return mask[0] != 0;
}

}  // namespace

TEST_SUITE("reader/hash") {
  TEST_CASE("hashes are those of earlier versions") {
    // SplitMix64 seeded with 0 begins with these.
    CHECK(mixed(0) == 0xe220a8397b1dcdafu);
    CHECK(mixed(0x9e3779b97f4a7c15u) == 0x6e789e6aa1b965f4u);
    CHECK(hash_of(Number{Number::Kind::unsigned_int, 0, 0}, 0) == 0xa706dd2f4d197e6fu);
    CHECK(hash_of(Number{Number::Kind::unsigned_int, 42, 0}, 7) == 0x6eab8625df268fbcu);
    CHECK(hash_of(real(0.1), 7) == 0xcbf54d5d0232ada1u);
    CHECK(hash_of(std::as_bytes(std::span("twelve bytes", 12)), 7) ==
          0x77be3c73c7d6e09au);
    CHECK(hash_of(std::span<const std::byte>(), 0) == 0xe220a8397b1dcdafu);
  }

  TEST_CASE("equal numbers of all kinds have equal hashes") {
    const auto same = [](const Number& a, const Number& b) {
      return hash_of(a, 9) == hash_of(b, 9);
    };
    CHECK(same({Number::Kind::unsigned_int, 5, 0}, {Number::Kind::signed_int, 5, 0}));
    CHECK(same({Number::Kind::unsigned_int, 5, 0}, real(5)));
    CHECK(same({Number::Kind::signed_int, ~std::uint64_t{0}, 0}, real(-1)));
    CHECK(same(real(0.0), real(-0.0)));
    CHECK(same({Number::Kind::unsigned_int, std::uint64_t{1} << 63, 0}, real(0x1p63)));
    CHECK(same(real(std::nan("1")), real(-std::nan("2"))));
    CHECK_FALSE(same(real(0.5), real(0.25)));
  }

  TEST_CASE("a split does not depend on the column's type") {
    const std::string filter = "hash_split(id, [0.5, 0.5], 1, seed=5)";
    const auto expected = split_as(type_of(Kind::unsigned_int, 8), filter, 100);
    CHECK(split_as(type_of(Kind::unsigned_int, 1), filter, 100) == expected);
    CHECK(split_as(type_of(Kind::signed_int, 4, ByteOrder::big), filter, 100) ==
          expected);
    CHECK(split_as(type_of(Kind::real, 2), filter, 100) == expected);
    CHECK(split_as(type_of(Kind::real, 8), filter, 100) == expected);
    CHECK(split_as(type_of(Kind::real, 4), "hash_split(id + 0, [0.5, 0.5], 1, seed=5)",
                   100) == expected);
  }

  TEST_CASE("a split of strings does not depend on the column's width or byte order") {
    int first = 0;
    for (char32_t i = 0; i < 40; ++i) {
      const std::u32string text{U'h', U'o', static_cast<char32_t>(U'0' + i), U'\u20ac'};
      const bool expected = text_passes(text, 4, ByteOrder::little);
      CHECK(text_passes(text, 9, ByteOrder::little) == expected);
      CHECK(text_passes(text, 16, ByteOrder::big) == expected);
      first += expected;
    }
    CHECK(first > 10);
    CHECK(first < 30);
  }

  TEST_CASE("parts have the sizes asked for, and every row is in one of them") {
    constexpr std::size_t kCount = 100'000;
    constexpr double kFractions[] = {0.8, 0.1, 0.1};
    std::vector<int> parts(kCount);
    for (std::size_t part = 0; part < 3; ++part) {
      const auto mask = split_as(
          type_of(Kind::unsigned_int, 8),
          "hash_split(id, [0.8, 0.1, 0.1], " + std::to_string(part) + ")", kCount);
      double size = 0;
      for (std::size_t i = 0; i < kCount; ++i) {
        parts[i] += mask[i];
        size += mask[i];
      }
      // Five standard deviations.
      const double p = kFractions[part];
      CHECK(std::fabs(size / kCount - p) < 5 * std::sqrt(p * (1 - p) / kCount));
    }
    CHECK(parts == std::vector<int>(kCount, 1));
  }

  TEST_CASE("fractions below 1 leave rows out") {
    const auto mask = split_as(type_of(Kind::unsigned_int, 8),
                               "hash_split(id, [0.25, 0.25], 0) or "
                               "hash_split(id, [0.25, 0.25], 1)",
                               10'000);
    int count = 0;
    for (const auto one : mask) count += one;
    CHECK(count > 4750);
    CHECK(count < 5250);
    CHECK(split_as(type_of(Kind::unsigned_int, 8), "hash_split(id, [0, 1], 0)", 500) ==
          Mask(500, 0));
    CHECK(split_as(type_of(Kind::unsigned_int, 8), "hash_split(id, [0, 1], 1)", 500) ==
          Mask(500, 1));
  }

  TEST_CASE("seeds give independent splits") {
    const auto type = type_of(Kind::unsigned_int, 8);
    const auto a = split_as(type, "hash_split(id, [0.5], 0, seed=1)", 10'000);
    const auto b = split_as(type, "hash_split(id, [0.5], 0, seed=2)", 10'000);
    int both = 0;
    for (std::size_t i = 0; i < a.size(); ++i) both += a[i] & b[i];
    CHECK(both > 2250);
    CHECK(both < 2750);
  }

  TEST_CASE("units are from 0 to below 1") {
    CHECK(unit_of(0) == 0);
    CHECK(unit_of(~std::uint64_t{0}) < 1);
    CHECK(unit_of(std::uint64_t{1} << 63) == 0.5);
  }
}

}  // namespace hash_test
