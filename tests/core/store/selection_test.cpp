#include "core/store/selection.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "core/base/error.hpp"

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
  TEST_CASE("a range with a step is Python's") {
    CHECK(rows_of(RowSelection::range("a", 10, 2, 9, 3)) == Numbers{2, 5, 8});
    CHECK(rows_of(RowSelection::range("a", 10, 2, 8, 3)) == Numbers{2, 5});
    CHECK(rows_of(RowSelection::range("a", 3, 0, kToEnd)) == Numbers{0, 1, 2});
    CHECK(RowSelection::range("a", 10, 4, 4).count == 0);
    CHECK(RowSelection::range("a", 0, 0, kToEnd).count == 0);
    CHECK(rows_of(RowSelection::range("a", 10, 0, 10, kMax)) == Numbers{0});
  }

  TEST_CASE("a step below 0 goes down, as Python's") {
    CHECK(rows_of(RowSelection::range("a", 10, 9, -1, -3)) == Numbers{9, 6, 3, 0});
    CHECK(rows_of(RowSelection::range("a", 10, 8, 2, -3)) == Numbers{8, 5});
    CHECK(rows_of(RowSelection::range("a", 3, kToEnd, kToEnd, -1)) == Numbers{2, 1, 0});
    CHECK(rows_of(RowSelection::range("a", 10, 4, kToEnd, kMin)) == Numbers{4});
    CHECK(RowSelection::range("a", 10, 4, 4, -1).count == 0);
    CHECK(RowSelection::range("a", 0, kToEnd, kToEnd, -1).count == 0);
    CHECK_FALSE(RowSelection::range("a", 3, 2, -1, -1).contiguous());
    CHECK_THROWS_WITH_AS(RowSelection::range("a", 10, 10, 0, -1),
                         "a: rows 10:0, it has 10", Error);
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

  TEST_CASE("a mask names the rows that are set in it") {
    const std::vector<std::uint8_t> mask{0, 1, 0, 255};
    CHECK(bev::store::rows_where("a", 4, mask) == std::vector<std::int64_t>{1, 3});
    CHECK_THROWS_WITH_AS(bev::store::rows_where("a", 5, mask),
                         "a: a mask of 4 rows, it has 5", Error);
  }

  TEST_CASE("rows outside of the array are refused") {
    CHECK_THROWS_WITH_AS(RowSelection::range("agents", 10, 5, 11),
                         "agents: rows 5:11, it has 10", Error);
    CHECK_THROWS_AS(RowSelection::range("a", 10, -1, 5), Error);
    CHECK_THROWS_AS(RowSelection::range("a", 10, 6, 5), Error);
    CHECK_THROWS_AS(RowSelection::range("a", 10, 11, kToEnd), Error);
    CHECK_THROWS_AS(RowSelection::range("a", 10, kMin, kMax - 1), Error);
    const std::vector<std::int64_t> list{3, 10};
    CHECK_THROWS_WITH_AS(RowSelection::list("agents", 10, list),
                         "agents: row 10, it has 10", Error);
    const std::vector<std::int64_t> negative{-1};
    CHECK_THROWS_AS(RowSelection::list("a", 10, negative), Error);
  }

  TEST_CASE("more rows than memory could hold are refused before anything else") {
    CHECK_THROWS_AS(RowSelection::range("a", ~0ULL, 0, kToEnd), Error);
    CHECK_THROWS_AS(RowSelection::range("a", 1ULL << 62, 0, kMax - 1), Error);
    CHECK(RowSelection::range("a", ~0ULL, 0, kToEnd, kMax).count == 3);
  }

  TEST_CASE("chunks are those that hold rows, each once, ascending") {
    CHECK(chunks_of(RowSelection::range("a", 100, 5, 25), 10, "a") == Numbers{0, 1, 2});
    CHECK(chunks_of(RowSelection::range("a", 100, 10, 20), 10, "a") == Numbers{1});
    CHECK(chunks_of(RowSelection::range("a", 100, 0, 100, 25), 10, "a") ==
          Numbers{0, 2, 5, 7});
    CHECK(chunks_of(RowSelection::range("a", 100, 3, 3), 10, "a").empty());
    const std::vector<std::int64_t> list{99, 3, 98, 4, 3};
    CHECK(chunks_of(RowSelection::list("a", 100, list), 10, "a") == Numbers{0, 9});
  }

  TEST_CASE("a chunk length beyond the array, or beyond all bounds, is one chunk") {
    CHECK(chunks_of(RowSelection::range("a", 9, 0, 9), ~0ULL, "a") == Numbers{0});
  }

  TEST_CASE("more than a million chunks are refused") {
    CHECK_THROWS_WITH_AS(
        chunks_of(RowSelection::range("agents", 1 << 21, 0, kToEnd), 1, "agents"),
        "agents: the rows lie in more than 1048576 chunks", Error);
  }
}
