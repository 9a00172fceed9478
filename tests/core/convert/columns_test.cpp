#include "core/convert/columns.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/support/argoverse2.hpp"
#include "tests/support/error_code.hpp"

using namespace bev;
using namespace bev::convert;

namespace {

const std::vector<double> kNumbers{1.5, 2.5};
const std::vector<std::int64_t> kIntegers{3, 3};
const std::vector<std::int64_t> kOffsets{0, 2, 3};
const std::string kBytes = "abc";

Column numbers() {
  return {"n", std::span<const double>(kNumbers)};
}
Column integers() {
  return {"i", std::span<const std::int64_t>(kIntegers)};
}
Column texts() {
  return {"t", TextColumn{kOffsets, kBytes}};
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("convert/columns") {
  TEST_CASE("columns are found by name, whatever their order") {
    const Table table({texts(), numbers(), integers()});
    CHECK(table.rows() == 2);
    CHECK(table.has("n"));
    CHECK(!table.has("x"));
    CHECK(table.numbers("n")[1] == 2.5);
    CHECK(table.integers("i")[0] == 3);
    CHECK(text_at(table.texts("t"), 0) == "ab");
    CHECK(text_at(table.texts("t"), 1) == "c");
  }

  TEST_CASE("all absent columns are named") {
    const Table table({numbers()});
    constexpr std::string_view kNames[] = {"a", "n", "b"};
    CHECK(test::error_code([&] { table.require(kNames); }) == Errc::not_found);
    CHECK(message_of([&] { table.require(kNames); }) ==
          "columns not found: a, b (found n)");
    CHECK(test::error_code([&] { table.numbers("a"); }) == Errc::not_found);
  }

  TEST_CASE("another type is an error that names column and types") {
    const Table table({numbers(), integers(), texts()});
    CHECK(message_of([&] { table.texts("n"); }) ==
          "column n: wrong type (found float64, expected text)");
    CHECK(message_of([&] { table.numbers("i"); }) ==
          "column i: wrong type (found int64, expected float64)");
    CHECK(message_of([&] { table.integers("t"); }) ==
          "column t: wrong type (found text, expected int64)");
  }

  TEST_CASE("columns of different lengths and equal names are rejected") {
    const std::vector<double> three{1, 2, 3};
    CHECK(message_of([&] {
            Table({numbers(), {"m", std::span<const double>(three)}});
          }) == "column m: wrong length (found 3, expected 2 as of n)");
    CHECK(message_of([&] {
            Table({numbers(), numbers()});
          }) == "column n: duplicate name");
  }

  TEST_CASE("offsets outside the text are rejected before they are used") {
    for (const auto& offsets : std::vector<std::vector<std::int64_t>>{
             {}, {-1, 2}, {0, 4}, {2, 1}, {0, std::numeric_limits<int64_t>::max()}}) {
      CHECK(test::error_code([&] {
              Table({{"t", TextColumn{offsets, kBytes}}});
            }) == Errc::invalid_metadata);
    }
  }

  TEST_CASE("a column with one value gives it, and names the first row that differs") {
    const Table table({numbers(), integers(), texts()});
    CHECK(only_integer(table, "i") == 3);
    CHECK(message_of([&] { only_number(table, "n"); }) ==
          "column n: value differs in row 1, expected one value for all rows");
    CHECK(test::error_code([&] { only_text(table, "t"); }) == Errc::invalid_metadata);
    const Table empty({{"i", std::span<const std::int64_t>()}});
    CHECK(message_of([&] { only_integer(empty, "i"); }) == "column i: no rows");
  }
}
