#include "core/reader/limits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/reader/compare.hpp"
#include "tests/support/random_filter.hpp"

using bev::reader::compare;
using bev::reader::FieldRows;
using bev::reader::Limits;
using bev::reader::limits_of;
using bev::reader::texts_of;
using bev::test::RandomFilters;
using bev::zarr::DType;
using bev::zarr::Kind;
using bev::zarr::Number;

namespace {

bool same(const Number& a, const Number& b) {
  return a.kind == b.kind && compare(a, b) == 0;
}

// The limits by loading every number, with integers that are not negative as unsigned.
Limits slow_limits(const FieldRows& field, std::size_t element) {
  Limits out;
  const auto size = field.type.item_size;
  for (auto at = element * size; at < field.values.size();
       at += size * field.elements) {
    auto number = load_number(field.type, field.values.data() + at);
    if (number.kind == Number::Kind::signed_int && number.bits >> 63 == 0) {
      number.kind = Number::Kind::unsigned_int;
    }
    if (!compare(number, number)) {
      ++out.nan_count;
      continue;
    }
    if (!out.has_value || *compare(number, out.min) < 0) out.min = number;
    if (!out.has_value || *compare(number, out.max) > 0) out.max = number;
    out.has_value = true;
  }
  return out;
}

// Strings of `points` code points as a little-endian column.
FieldRows texts(const std::vector<std::u32string>& all, std::size_t points,
                std::vector<std::byte>& memory) {
  memory.assign(all.size() * points * 4, std::byte{0});
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all[i].size(); ++j) {
      const auto point = static_cast<std::uint32_t>(all[i][j]);
      std::memcpy(memory.data() + (i * points + j) * 4, &point, 4);
    }
  }
  DType type;
  type.kind = Kind::unicode;
  type.item_size = points * 4;
  type.order = bev::zarr::ByteOrder::little;
  return {type, 1, memory};
}

}  // namespace

TEST_SUITE("reader/limits") {
  TEST_CASE("of zeros of both signs, the first is the limit") {
    DType type;
    type.kind = Kind::real;
    type.order = bev::zarr::ByteOrder::little;
    type.item_size = sizeof(float);
    for (std::size_t count = 2; count < 12; ++count) {
      for (std::size_t negative = 0; negative < count; ++negative) {
        std::vector<float> values(count, 0.0F);
        values[negative] = -0.0F;
        const auto limits = limits_of({type, 1, std::as_bytes(std::span(values))}, 0);
        CHECK(std::signbit(limits.min.real) == (negative == 0));
        CHECK(std::signbit(limits.max.real) == (negative == 0));
      }
    }
  }

  TEST_CASE("limits of every type, width and byte order are those of a plain loop") {
    RandomFilters made(31);
    std::size_t with_nan = 0;
    for (int i = 0; i < 40; ++i) {
      made.new_table(i < 4 ? static_cast<std::size_t>(i) : made.below(1200));
      for (std::size_t c = 0; c < made.schema().columns.size(); ++c) {
        const auto& column = made.schema().columns[c];
        if (!is_number(column.type)) continue;
        const FieldRows field{column.type, column.width, made.rows().columns[c]};
        for (std::size_t e = 0; e < column.width; ++e) {
          CAPTURE(column.name);
          const auto found = limits_of(field, e);
          const auto expected = slow_limits(field, e);
          REQUIRE(found.has_value == expected.has_value);
          REQUIRE(found.nan_count == expected.nan_count);
          with_nan += found.nan_count > 0;
          if (!found.has_value) continue;
          REQUIRE(same(found.min, expected.min));
          REQUIRE(same(found.max, expected.max));
        }
      }
    }
    CHECK(with_nan > 20);
  }

  TEST_CASE("unsigned bytes below 64 have the set of their values") {
    DType byte;
    byte.kind = Kind::unsigned_int;
    byte.item_size = 1;
    const auto codes_of = [&](const std::vector<std::uint8_t>& values,
                              std::size_t elements = 1, std::size_t element = 0) {
      return limits_of({byte, elements, std::as_bytes(std::span(values))}, element)
          .codes;
    };
    CHECK(codes_of({3, 14, 3, 63}) == (1ULL << 3 | 1ULL << 14 | 1ULL << 63));
    CHECK(codes_of({3, 0, 5, 1}, 2, 1) == 3);
    CHECK(codes_of({3, 64}) == 0);
    CHECK(codes_of({}) == 0);
    byte.kind = Kind::boolean;
    CHECK(codes_of({0, 1}) == 0);
  }

  TEST_CASE("no rows have no limits") {
    DType type;
    type.kind = Kind::real;
    type.item_size = 8;
    const auto limits = limits_of({type, 1, {}}, 0);
    CHECK_FALSE(limits.has_value);
    CHECK(limits.nan_count == 0);
    CHECK_FALSE(limits.range().has_nan);
  }

  TEST_CASE("distinct strings are sorted and few") {
    std::vector<std::byte> memory;
    const auto found =
        texts_of(texts({U"b", U"b", U"a", U"b", U"\u20ac", U""}, 3, memory));
    REQUIRE(found);
    CHECK(*found == std::vector<std::string>{"", "a", "b", "\xe2\x82\xac"});
    std::vector<std::u32string> many;
    for (char32_t c = U'a'; c < U'i'; ++c) many.emplace_back(1, c);
    CHECK(texts_of(texts(many, 1, memory))->size() == 8);
    many.emplace_back(U"z");
    CHECK_FALSE(texts_of(texts(many, 1, memory)));
  }

  TEST_CASE("strings that are long or not Unicode are not kept") {
    std::vector<std::byte> memory;
    CHECK(texts_of(texts({std::u32string(64, U'a')}, 64, memory)));
    CHECK_FALSE(texts_of(texts({std::u32string(65, U'a')}, 65, memory)));
    CHECK_FALSE(texts_of(texts({std::u32string(22, U'\u20ac')}, 22, memory)));
    CHECK_FALSE(texts_of(texts({{static_cast<char32_t>(0xd800)}}, 1, memory)));
    CHECK(texts_of(texts({}, 1, memory))->empty());
  }
}
