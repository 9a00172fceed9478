#include "core/eval/csv_table.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "core/base/error.hpp"

using bev::Error;
using bev::eval::CsvTable;

TEST_SUITE("eval/csv_table") {
  TEST_CASE("cells are found by name, whatever the line ends") {
    CsvTable table("b,a\r\n1,2.5\r\n\n-3,1e3", "t.csv");
    CHECK(table.width() == 2);
    const auto a = table.column("a");
    const auto b = table.column("b");
    REQUIRE(table.next());
    CHECK(table.real(a) == 2.5);
    CHECK(table.integer(b) == 1);
    REQUIRE(table.next());
    CHECK(table.real(a) == 1000);
    CHECK(table.integer(b) == -3);
    CHECK_FALSE(table.next());
  }

  TEST_CASE("a header by itself has no rows") {
    CsvTable table("a,b\r\n", "t.csv");
    CHECK_FALSE(table.next());
  }

  TEST_CASE("errors name the line") {
    CsvTable table("a,b\n1,2\n3\n", "t.csv");
    CHECK(table.next());
    CHECK_THROWS_WITH_AS(table.next(),
                         "t.csv line 3: wrong number of cells (found 1, expected 2)",
                         Error);
    CHECK_THROWS_WITH_AS(table.column("c"), "t.csv: column c not found", Error);
    CHECK_THROWS_WITH_AS(CsvTable("", "t.csv"), "t.csv: header not found", Error);
    CHECK_THROWS_WITH_AS(CsvTable("a,b,a\n", "t.csv"), "t.csv: duplicate column \"a\"",
                         Error);
  }

  TEST_CASE("cells that are no numbers are quoted") {
    CsvTable table("a,b\n1.5,x\n,99999999999999999999\n", "t.csv");
    REQUIRE(table.next());
    CHECK_THROWS_WITH_AS(table.integer(0),
                         "t.csv line 2: a is not an integer (found \"1.5\")", Error);
    CHECK_THROWS_WITH_AS(table.real(1), "t.csv line 2: b is not a number (found \"x\")",
                         Error);
    REQUIRE(table.next());
    CHECK_THROWS_AS(table.real(0), Error);
    CHECK_THROWS_AS(table.integer(1), Error);
  }

  TEST_CASE("a byte order mark is skipped, but only before the header") {
    CsvTable table(
        "\xEF\xBB\xBF"
        "a,b\n1,2\n",
        "t.csv");
    CHECK(table.has("a"));
    REQUIRE(table.next());
    CsvTable later(
        "a\n\xEF\xBB\xBF"
        "1\n",
        "t.csv");
    REQUIRE(later.next());
    CHECK_THROWS_AS(later.integer(0), Error);
  }

  TEST_CASE("commas at the ends are empty cells, and these are not numbers") {
    CsvTable table("a,b\n1,\n,\n1,2,\n", "t.csv");
    REQUIRE(table.next());
    CHECK(table.integer(0) == 1);
    CHECK_THROWS_AS(table.real(1), Error);
    REQUIRE(table.next());
    CHECK_THROWS_AS(table.integer(0), Error);
    CHECK_THROWS_WITH_AS(table.next(),
                         "t.csv line 4: wrong number of cells (found 3, expected 2)",
                         Error);
  }

  TEST_CASE("two columns without a name are duplicates") {
    CHECK_THROWS_WITH_AS(CsvTable("a,,\n", "t.csv"), "t.csv: duplicate column \"\"",
                         Error);
    CHECK(CsvTable("a,\n", "t.csv").has(""));
  }

  TEST_CASE("integers have the range of 64 bits and no decoration") {
    CsvTable table(
        "a,b\n-9223372036854775808,9223372036854775807\n"
        "9223372036854775808,-9223372036854775809\n 1,+1\n\"1\",0x1\n1e3,1 \n",
        "t.csv");
    REQUIRE(table.next());
    CHECK(table.integer(0) == std::numeric_limits<std::int64_t>::min());
    CHECK(table.integer(1) == std::numeric_limits<std::int64_t>::max());
    for (int line = 3; line <= 6; ++line) {
      CAPTURE(line);
      REQUIRE(table.next());
      CHECK_THROWS_AS(table.integer(0), Error);
      CHECK_THROWS_AS(table.integer(1), Error);
    }
  }

  TEST_CASE("bytes of zero and lone carriage returns are part of a cell") {
    CsvTable table(std::string_view("a,b\n1\0,2\r3\n", 11), "t.csv");
    REQUIRE(table.next());
    CHECK_THROWS_AS(table.integer(0), Error);
    CHECK_THROWS_AS(table.real(0), Error);
    CHECK_THROWS_AS(table.real(1), Error);
    CHECK_FALSE(table.next());
  }

  TEST_CASE("a table that is fed line by line counts empty lines") {
    CsvTable table("t.csv");
    CHECK_THROWS_WITH_AS(table.require_header(), "t.csv: header not found", Error);
    CHECK_FALSE(table.take("\r\n"));
    CHECK_FALSE(table.take("a,b"));
    CHECK(table.width() == 2);
    CHECK_FALSE(table.take(""));
    CHECK(table.take("1,2"));
    CHECK(table.lines() == 4);
    CHECK_THROWS_WITH_AS(table.take("1"),
                         "t.csv line 5: wrong number of cells (found 1, expected 2)",
                         Error);
  }
}
