#include "core/sqlite/database.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/error_code.hpp"
#include "tests/support/sqlite.hpp"

using namespace bev;
using namespace bev::sqlite;

namespace {

std::vector<std::string> columns_of(std::string_view sql) {
  Table table;
  table.root = 2;
  parse_columns(sql, table);
  std::vector<std::string> out;
  for (const auto& column : table.columns) out.push_back(column.name);
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_SUITE("sqlite/database") {
  TEST_CASE("columns are found in any spelling of CREATE TABLE") {
    CHECK(columns_of("CREATE TABLE t(a, b INT, c)") == Names{"a", "b", "c"});
    CHECK(columns_of("create table \"t(\" ( \"a,\"\"b\" TEXT DEFAULT 'x,)', [c d] REAL,"
                     "`e` DECIMAL(10, 2) CHECK (e > (1)), -- f INT,\n /* , */ g,"
                     "CONSTRAINT k PRIMARY KEY (g), UNIQUE(e, g), CHECK(1))") ==
          Names{"a,\"b", "c d", "e", "g"});
    CHECK(columns_of("") == Names{});
    CHECK(columns_of("CREATE TABLE t(") == Names{});
    CHECK(columns_of("CREATE TABLE t(a, 'b") == columns_of("CREATE TABLE t(a, 'b'"));
  }

  TEST_CASE("aliases of row ids, reals and what is unsupported are known") {
    const auto parsed = [](std::string_view sql) {
      Table table;
      table.root = 2;
      parse_columns(sql, table);
      return table;
    };
    CHECK(parsed("CREATE TABLE t(fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL)")
              .columns[0]
              .is_rowid);
    CHECK(parsed("CREATE TABLE t(a, fid INTEGER, PRIMARY KEY (fid))")
              .columns[1]
              .is_rowid);
    CHECK(!parsed("CREATE TABLE t(fid INT PRIMARY KEY)").columns[0].is_rowid);
    CHECK(!parsed("CREATE TABLE t(a INTEGER, b, PRIMARY KEY (a, b))")
               .columns[0]
               .is_rowid);
    CHECK(parsed("CREATE TABLE t(a FLOAT, b DOUBLE PRECISION)").columns[0].is_real);
    CHECK(!parsed("CREATE TABLE t(a FLOATING POINT)").columns[0].is_real);
    CHECK(parsed("CREATE TABLE t(a, b AS (a + 1))").unsupported == "generated columns");
    CHECK(parsed("CREATE TABLE t(a PRIMARY KEY) WITHOUT ROWID").unsupported ==
          "a table without row ids");
  }

  TEST_CASE("only indices of all rows by bytes are used") {
    const auto is_plain = [](std::string_view sql) {
      Index index;
      parse_index(sql, index);
      return index.is_plain;
    };
    CHECK(is_plain("CREATE INDEX i ON t(a)"));
    CHECK(is_plain("CREATE UNIQUE INDEX \"i\" ON \"t\" (\"a\" ASC, b)"));
    CHECK(!is_plain("CREATE INDEX i ON t(a DESC)"));
    CHECK(!is_plain("CREATE INDEX i ON t(a) WHERE a > 1"));
    CHECK(!is_plain("CREATE INDEX i ON t(a COLLATE NOCASE)"));
    CHECK(!is_plain("CREATE INDEX i ON t(lower(a))"));
  }

  TEST_CASE("a constraint's index is found by its first entry") {
    test::SqliteMaker maker;
    maker.table("t", "CREATE TABLE t(a BLOB, b BLOB, PRIMARY KEY (b))",
                {{test::Blob{"x"}, test::Blob{"y"}}});
    maker.index("sqlite_autoindex_t_1", "t", "", {{test::Blob{"y"}, std::int64_t{1}}});
    const auto bytes = maker.finish();
    Pages pages(test::reader_of(bytes), bytes.size());
    const Database database(pages);
    const auto& table = database.table("t");
    CHECK(database.index_of(table, "b") == &table.indices[0]);
    CHECK(database.index_of(table, "a") == nullptr);
    CHECK(database.index_of(table, "c") == nullptr);
  }

  TEST_CASE("values are those that SQL has") {
    test::SqliteMaker maker;
    maker.table("t", "CREATE TABLE t(fid INTEGER PRIMARY KEY, a FLOAT, b INT, c, d)",
                {{{}, std::int64_t{2}, std::int64_t{2}, {}}}, {17});
    const auto bytes = maker.finish();
    Pages pages(test::reader_of(bytes), bytes.size());
    const Database database(pages);
    Rows rows(database, database.table("t"));
    REQUIRE(rows.seek(0));
    CHECK(rows[0].integer == 17);
    CHECK(rows[1].kind == Kind::real);
    CHECK(rows[1].real == 2);
    CHECK(rows[2].kind == Kind::integer);
    CHECK(rows[3].is_null());
    CHECK(rows[4].is_null());  // added after the row
  }

  TEST_CASE("absent tables and columns, and tables that are not read, are named") {
    test::SqliteMaker maker;
    maker.table("t", "CREATE TABLE t(a, b DEFAULT 3)", {{std::int64_t{1}}});
    maker.table("w", "CREATE TABLE w(a PRIMARY KEY) WITHOUT ROWID", {});
    const auto bytes = maker.finish();
    Pages pages(test::reader_of(bytes), bytes.size());
    const Database database(pages);
    CHECK(test::error_code([&] { database.table("x"); }) == Errc::not_found);
    CHECK(test::error_code([&] { Rows(database, database.table("t"), {"x"}); }) ==
          Errc::not_found);
    CHECK(test::error_code([&] { Rows(database, database.table("w")); }) ==
          Errc::unsupported);
    Rows rows(database, database.table("t"), {"b"});
    REQUIRE(rows.seek(1));
    CHECK(test::error_code([&] { rows[0]; }) == Errc::unsupported);
  }
}
