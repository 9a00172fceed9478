#include "core/eval/csv_table.hpp"

#include <doctest/doctest.h>

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

  TEST_CASE("what is wrong is named with its line") {
    CsvTable table("a,b\n1,2\n3\n", "t.csv");
    CHECK(table.next());
    CHECK_THROWS_WITH_AS(table.next(), "t.csv line 3: 1 cells, expected 2", Error);
    CHECK_THROWS_WITH_AS(table.column("c"), "t.csv: no column c in its header", Error);
    CHECK_THROWS_WITH_AS(CsvTable("", "t.csv"),
                         "t.csv: no header, expected column names", Error);
    CHECK_THROWS_WITH_AS(CsvTable("a,b,a\n", "t.csv"),
                         "t.csv: the column a is there twice, expected once", Error);
  }

  TEST_CASE("cells that are no numbers are quoted") {
    CsvTable table("a,b\n1.5,x\n,99999999999999999999\n", "t.csv");
    REQUIRE(table.next());
    CHECK_THROWS_WITH_AS(table.integer(0),
                         "t.csv line 2: a is \"1.5\", expected a whole number", Error);
    CHECK_THROWS_WITH_AS(table.real(1), "t.csv line 2: b is \"x\", expected a number",
                         Error);
    REQUIRE(table.next());
    CHECK_THROWS_AS(table.real(0), Error);
    CHECK_THROWS_AS(table.integer(1), Error);
  }
}
