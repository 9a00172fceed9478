#include "core/reader/learnt_ranges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

using bev::reader::FieldRows;
using bev::reader::LearntRanges;

namespace {

constexpr LearntRanges::Chunk kChunk{"agents", 3};

template <class T>
FieldRows field_of(std::span<const T> values, std::size_t elements = 1) {
  FieldRows out;
  out.type.kind = std::is_floating_point_v<T> ? bev::zarr::Kind::real
                                              : bev::zarr::Kind::unsigned_int;
  out.type.order = bev::zarr::ByteOrder::little;
  out.type.item_size = sizeof(T);
  out.elements = elements;
  out.values = std::as_bytes(values);
  return out;
}

/// Adds rows [begin, end) of a chunk.
void add(LearntRanges& learnt, const std::vector<double>& chunk, std::uint64_t begin,
         std::uint64_t end) {
  const auto values = std::span(chunk).subspan(static_cast<std::size_t>(begin),
                                               static_cast<std::size_t>(end - begin));
  learnt.add(kChunk, "x", {begin, end, chunk.size(), 100}, field_of<double>(values));
}

FieldRows texts_of(const std::u32string& characters) {
  FieldRows out;
  out.type.kind = bev::zarr::Kind::unicode;
  out.type.order = bev::zarr::ByteOrder::little;
  out.type.item_size = 4;
  out.values = std::as_bytes(std::span(characters));
  return out;
}

}  // namespace

TEST_SUITE("reader/learnt_ranges") {
  TEST_CASE("limits are known once all rows were read, in any order of parts") {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
      std::vector<double> chunk(1 + random() % 40);
      for (auto& value : chunk) value = static_cast<double>(random() % 1000);
      // Parts overlap and repeat; each row is in one of them.
      std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
      for (std::uint64_t begin = 0; begin < chunk.size();) {
        const auto end =
            std::min<std::uint64_t>(begin + 1 + random() % 9, chunk.size());
        parts.emplace_back(begin - std::min<std::uint64_t>(begin, random() % 3), end);
        begin = end;
      }
      std::shuffle(parts.begin(), parts.end(), random);
      LearntRanges learnt;
      std::vector<bool> seen(chunk.size());
      for (const auto& [begin, end] : parts) {
        CHECK(learnt.range(kChunk, "x", 0).has_value() ==
              (std::count(seen.begin(), seen.end(), false) == 0));
        add(learnt, chunk, begin, end);
        std::fill(seen.begin() + static_cast<std::ptrdiff_t>(begin),
                  seen.begin() + static_cast<std::ptrdiff_t>(end), true);
      }
      const auto range = learnt.range(kChunk, "x", 0);
      REQUIRE(range.has_value());
      CHECK(range->min.as_real() == *std::min_element(chunk.begin(), chunk.end()));
      CHECK(range->max.as_real() == *std::max_element(chunk.begin(), chunk.end()));
      CHECK_FALSE(range->has_nan);
    }
  }

  TEST_CASE("NaN in one part is remembered, and elements have ranges of their own") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> first{nan, 1, nan, 4}, second{7, 3};
    LearntRanges learnt;
    learnt.add(kChunk, "x", {0, 2, 3, 9}, field_of<double>(first, 2));
    learnt.add(kChunk, "x", {2, 3, 3, 9}, field_of<double>(second, 2));
    CHECK(learnt.range(kChunk, "x", 0)->has_nan);
    CHECK(learnt.range(kChunk, "x", 0)->min.as_real() == 7);
    CHECK_FALSE(learnt.range(kChunk, "x", 1)->has_nan);
    CHECK(learnt.range(kChunk, "x", 1)->min.as_real() == 1);
    CHECK(learnt.range(kChunk, "x", 1)->max.as_real() == 4);
    CHECK_FALSE(learnt.range(kChunk, "x", 2));
    CHECK_FALSE(learnt.range(kChunk, "y", 0));
    CHECK_FALSE(learnt.range({"agents", 4}, "x", 0));
  }

  TEST_CASE("distinct strings are merged, and given up above the limit") {
    LearntRanges learnt;
    learnt.add(kChunk, "host", {0, 3, 5, 9}, texts_of(U"bab"));
    CHECK(learnt.texts(kChunk, "host") == nullptr);
    learnt.add(kChunk, "host", {3, 5, 5, 9}, texts_of(U"ca"));
    REQUIRE(learnt.texts(kChunk, "host") != nullptr);
    CHECK(*learnt.texts(kChunk, "host") == std::vector<std::string>{"a", "b", "c"});
    CHECK_FALSE(learnt.range(kChunk, "host", 0));
    learnt.add(kChunk, "many", {0, 5, 10, 9}, texts_of(U"abcde"));
    learnt.add(kChunk, "many", {5, 10, 10, 9}, texts_of(U"fghij"));
    CHECK(learnt.texts(kChunk, "many") == nullptr);
  }

  TEST_CASE("sets of codes are merged, and given up with a greater value") {
    LearntRanges learnt;
    const auto add_codes = [&](std::string_view column, std::uint64_t begin,
                               const std::vector<std::uint8_t>& codes) {
      learnt.add(kChunk, column, {begin, begin + codes.size(), 4, 9},
                 field_of<std::uint8_t>(codes));
    };
    add_codes("label", 0, {3, 14});
    add_codes("label", 2, {3, 5});
    CHECK(learnt.range(kChunk, "label", 0)->codes == (1U << 3 | 1U << 14 | 1U << 5));
    add_codes("red", 0, {3, 200});
    add_codes("red", 2, {3, 5});
    CHECK(learnt.range(kChunk, "red", 0)->codes == 0);
  }

  TEST_CASE("elements of a column may be learnt apart") {
    const std::vector<double> values{5, 7, 6};
    LearntRanges learnt;
    learnt.add(kChunk, "x", {0, 3, 3, 9, 2}, field_of<double>(values));
    CHECK_FALSE(learnt.range(kChunk, "x", 0));
    REQUIRE(learnt.range(kChunk, "x", 2));
    CHECK(learnt.range(kChunk, "x", 2)->max.as_real() == 7);
    CHECK_FALSE(learnt.range(kChunk, "x", 3));
    const std::vector<double> first{1, 2};
    learnt.add(kChunk, "x", {0, 2, 3, 9}, field_of<double>(first));
    CHECK_FALSE(learnt.range(kChunk, "x", 0));
    CHECK(learnt.range(kChunk, "x", 2)->max.as_real() == 7);
    CHECK(learnt.entry_count() == 2);
    learnt.add(kChunk, "x", {0, 3, 3, 10}, field_of<double>(values));
    CHECK_FALSE(learnt.range(kChunk, "x", 2));
    CHECK(learnt.range(kChunk, "x", 0)->max.as_real() == 7);
    CHECK(learnt.entry_count() == 1);
  }

  TEST_CASE("another size of the chunk forgets what was learnt") {
    const std::vector<double> values{1, 2};
    LearntRanges learnt;
    learnt.add(kChunk, "x", {0, 2, 2, 100}, field_of<double>(values));
    CHECK(learnt.encoded_bytes(kChunk) == 100U);
    learnt.add(kChunk, "y", {0, 1, 2, 101},
               field_of<double>(std::span(values).first(1)));
    CHECK(learnt.encoded_bytes(kChunk) == 101U);
    CHECK_FALSE(learnt.range(kChunk, "x", 0));
    CHECK(learnt.entry_count() == 1);
    CHECK_FALSE(learnt.encoded_bytes({"agents", 4}));
  }

  TEST_CASE("parts outside of the chunk are ignored, and entries are limited") {
    const std::vector<double> value{1};
    LearntRanges learnt;
    learnt.add(kChunk, "x", {1, 2, 1, 9}, field_of<double>(value));
    learnt.add(kChunk, "x", {1, 1, 1, 9}, {});
    CHECK(learnt.entry_count() == 0);
    for (std::uint64_t i = 0; i < LearntRanges::kMaxEntries + 10; ++i) {
      learnt.add({"agents", i}, "x", {0, 1, 1, 9}, field_of<double>(value));
    }
    CHECK(learnt.entry_count() == LearntRanges::kMaxEntries);
    CHECK(learnt.range({"agents", LearntRanges::kMaxEntries - 1}, "x", 0).has_value());
    CHECK_FALSE(learnt.range({"agents", LearntRanges::kMaxEntries}, "x", 0));
  }
}
