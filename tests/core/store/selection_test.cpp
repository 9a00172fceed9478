#include "core/store/selection.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/records.hpp"

namespace selection_test {

using bev::Errc;
using bev::Error;
using bev::store::chunks_of;
using bev::store::kToEnd;
using bev::store::RowSelection;

namespace {

using Numbers = std::vector<std::uint64_t>;
constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax = std::numeric_limits<std::int64_t>::max();

Numbers rows_of(const RowSelection& selection) {
  Numbers rows;
  for (std::size_t i = 0; i < selection.count; ++i) rows.push_back(selection.row(i));
  return rows;
}

}  // namespace

TEST_SUITE("store/selection") {
  TEST_CASE("a range with a step equals Python's") {
    CHECK(rows_of(RowSelection::range("a", 10, 2, 9, 3)) == Numbers{2, 5, 8});
    CHECK(rows_of(RowSelection::range("a", 10, 2, 8, 3)) == Numbers{2, 5});
    CHECK(rows_of(RowSelection::range("a", 3, 0, kToEnd)) == Numbers{0, 1, 2});
    CHECK(RowSelection::range("a", 10, 4, 4).count == 0);
    CHECK(RowSelection::range("a", 0, 0, kToEnd).count == 0);
    CHECK(rows_of(RowSelection::range("a", 10, 0, 10, kMax)) == Numbers{0});
  }

  TEST_CASE("a negative step descends as Python's") {
    CHECK(rows_of(RowSelection::range("a", 10, 9, -1, -3)) == Numbers{9, 6, 3, 0});
    CHECK(rows_of(RowSelection::range("a", 10, 8, 2, -3)) == Numbers{8, 5});
    CHECK(rows_of(RowSelection::range("a", 3, kToEnd, kToEnd, -1)) == Numbers{2, 1, 0});
    CHECK(rows_of(RowSelection::range("a", 10, 4, kToEnd, kMin)) == Numbers{4});
    CHECK(RowSelection::range("a", 10, 4, 4, -1).count == 0);
    CHECK(RowSelection::range("a", 0, kToEnd, kToEnd, -1).count == 0);
    CHECK_FALSE(RowSelection::range("a", 3, 2, -1, -1).contiguous());
    CHECK_THROWS_WITH_AS(RowSelection::range("a", 10, 10, 0, -1),
                         "a: rows 10:0 are out of range (count 10)", Error);
    CHECK_THROWS_AS(RowSelection::range("a", 10, 2, 5, -1), Error);
    CHECK_THROWS_AS(RowSelection::range("a", 10, 2, -2, -1), Error);
    CHECK_THROWS_AS(RowSelection::range("a", 10, kMin, kMin, -1), Error);
    CHECK(chunks_of(RowSelection::range("a", 100, 99, 20, -30), 10, "a") ==
          Numbers{3, 6, 9});
  }

  TEST_CASE("a step of 0 is refused") {
    CHECK_THROWS_WITH_AS(RowSelection::range("agents", 10, 0, 10, 0),
                         "agents: step must not be 0", Error);
  }

  TEST_CASE("a mask gives the rows that are set") {
    const std::vector<std::uint8_t> mask{0, 1, 0, 255};
    CHECK(bev::store::rows_where("a", 4, mask) == std::vector<std::int64_t>{1, 3});
    CHECK_THROWS_WITH_AS(bev::store::rows_where("a", 5, mask),
                         "a: mask has the wrong length (found 4, expected 5)", Error);
  }

  TEST_CASE("rows outside the array are refused") {
    CHECK_THROWS_WITH_AS(RowSelection::range("agents", 10, 5, 11),
                         "agents: rows 5:11 are out of range (count 10)", Error);
    CHECK_THROWS_AS(RowSelection::range("a", 10, -1, 5), Error);
    CHECK_THROWS_AS(RowSelection::range("a", 10, 6, 5), Error);
    CHECK_THROWS_AS(RowSelection::range("a", 10, 11, kToEnd), Error);
    CHECK_THROWS_AS(RowSelection::range("a", 10, kMin, kMax - 1), Error);
    const std::vector<std::int64_t> list{3, 10};
    CHECK_THROWS_WITH_AS(RowSelection::list("agents", 10, list),
                         "agents: row 10 is out of range (count 10)", Error);
    const std::vector<std::int64_t> negative{-1};
    CHECK_THROWS_AS(RowSelection::list("a", 10, negative), Error);
  }

  TEST_CASE("more rows than fit in memory are refused first") {
    CHECK_THROWS_AS(RowSelection::range("a", ~0ULL, 0, kToEnd), Error);
    CHECK_THROWS_AS(RowSelection::range("a", 1ULL << 62, 0, kMax - 1), Error);
    CHECK(RowSelection::range("a", ~0ULL, 0, kToEnd, kMax).count == 3);
  }

  TEST_CASE("chunks are listed once, ascending") {
    CHECK(chunks_of(RowSelection::range("a", 100, 5, 25), 10, "a") == Numbers{0, 1, 2});
    CHECK(chunks_of(RowSelection::range("a", 100, 10, 20), 10, "a") == Numbers{1});
    CHECK(chunks_of(RowSelection::range("a", 100, 0, 100, 25), 10, "a") ==
          Numbers{0, 2, 5, 7});
    CHECK(chunks_of(RowSelection::range("a", 100, 3, 3), 10, "a").empty());
    const std::vector<std::int64_t> list{99, 3, 98, 4, 3};
    CHECK(chunks_of(RowSelection::list("a", 100, list), 10, "a") == Numbers{0, 9});
  }

  TEST_CASE("a chunk longer than the array is one chunk") {
    CHECK(chunks_of(RowSelection::range("a", 9, 0, 9), ~0ULL, "a") == Numbers{0});
  }

  TEST_CASE("more than a million chunks are refused") {
    CHECK_THROWS_WITH_AS(
        chunks_of(RowSelection::range("agents", 1 << 21, 0, kToEnd), 1, "agents"),
        "agents: selection has too many chunks (expected at most 1048576)", Error);
  }

  TEST_CASE("every valid range equals a plain loop, and all others are refused") {
    constexpr std::int64_t kLength = 7;
    for (std::int64_t begin = -2; begin <= kLength + 1; ++begin) {
      for (std::int64_t end = -2; end <= kLength + 1; ++end) {
        for (const std::int64_t step : {1, 2, 3, 7, 100, -1, -2, -3, -7, -100}) {
          CAPTURE(begin);
          CAPTURE(end);
          CAPTURE(step);
          Numbers expected;
          for (auto row = begin; step > 0 ? row < end : row > end; row += step) {
            expected.push_back(static_cast<std::uint64_t>(row));
          }
          const bool empty = begin == end && begin >= -1 && begin < kLength;
          const bool valid = step > 0 ? begin >= 0 && begin <= end && end <= kLength
                                      : empty || (end >= -1 && begin >= end &&
                                                  begin >= 0 && begin < kLength);
          if (valid) {
            REQUIRE(rows_of(RowSelection::range("a", kLength, begin, end, step)) ==
                    expected);
          } else {
            REQUIRE_THROWS_AS(RowSelection::range("a", kLength, begin, end, step),
                              Error);
          }
        }
      }
    }
  }

  TEST_CASE("chunks of random ranges and lists equal those of their rows") {
    bev::test::Random random(41);
    for (int i = 0; i < 300; ++i) {
      const auto length = static_cast<std::int64_t>(1 + random.below(60));
      const std::uint64_t chunk_rows = 1 + random.below(70);
      const auto begin =
          static_cast<std::int64_t>(random.below(static_cast<std::size_t>(length)));
      const auto step = static_cast<std::int64_t>(1 + random.below(9));
      std::vector<std::int64_t> list(random.below(20));
      for (auto& row : list) {
        row = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(length)));
      }
      const auto size = static_cast<std::uint64_t>(length);
      for (const auto& rows : {RowSelection::range("a", size, begin, length, step),
                               RowSelection::range("a", size, begin, -1, -step),
                               RowSelection::list("a", size, list)}) {
        std::set<std::uint64_t> expected;
        for (const auto row : rows_of(rows)) expected.insert(row / chunk_rows);
        REQUIRE(chunks_of(rows, chunk_rows, "a") ==
                Numbers(expected.begin(), expected.end()));
      }
    }
  }

  TEST_CASE("chunks_of discards what the reused memory held") {
    const auto rows = RowSelection::range("a", 10, 0, 10);
    CHECK(chunks_of(rows, 5, "a", {7, 8, 9}) == Numbers{0, 1});
    CHECK(chunks_of(RowSelection::range("a", 10, 3, 3), 5, "a", {7}).empty());
  }

  TEST_CASE("extreme lists are refused") {
    for (const auto row : {kMin, kMax, std::int64_t{-1}, std::int64_t{10}}) {
      CHECK_THROWS_AS(RowSelection::list("a", 10, std::vector<std::int64_t>{0, row}),
                      Error);
    }
    CHECK_THROWS_AS(RowSelection::list("a", 0, std::vector<std::int64_t>{0}), Error);
    CHECK(RowSelection::list("a", 0, {}).count == 0);
  }
}

}  // namespace selection_test
