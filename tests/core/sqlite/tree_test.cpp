#include "core/sqlite/tree.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/sqlite/database.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/sqlite.hpp"

using namespace bev;
using namespace bev::sqlite;

namespace {

constexpr auto kStart = std::numeric_limits<std::int64_t>::min();

std::vector<test::SqlRow> numbered_rows(int count, std::size_t padding = 0) {
  std::vector<test::SqlRow> out;
  for (int i = 1; i <= count; ++i) {
    out.push_back({std::int64_t{i}, std::string(padding, 'p')});
  }
  return out;
}

/// A file with a table t(a, b) and an index of it by a, and its pages.
struct File {
  explicit File(int rows, std::size_t padding = 0) {
    test::SqliteMaker maker;
    maker.table("t", "CREATE TABLE t(a INT, b TEXT)", numbered_rows(rows, padding));
    std::vector<test::SqlRow> entries;
    for (std::int64_t i = 1; i <= rows; ++i) entries.push_back({i, i});
    maker.index("i", "t", "CREATE INDEX i ON t(a)", entries);
    bytes = maker.finish();
  }

  std::string bytes;
};

std::uint32_t root_of(Pages& pages) {
  return Database(pages).table("t").root;
}

}  // namespace

TEST_SUITE("sqlite/tree") {
  TEST_CASE("rows of trees of every depth are read in order") {
    for (const int count : {0, 1, 2, 20, 500, 20'000}) {
      CAPTURE(count);
      const File file(count);
      Pages pages(test::reader_of(file.bytes), file.bytes.size());
      TableCursor cursor(pages, root_of(pages));
      std::int64_t expected = 0;
      for (bool has = cursor.seek(kStart); has; has = cursor.next()) {
        REQUIRE(cursor.rowid() == ++expected);
      }
      CHECK(expected == count);
      CHECK(cursor.seek_last() == (count > 0));
      if (count > 0) CHECK(cursor.rowid() == count);
    }
  }

  TEST_CASE("a search finds the first row with at least the id") {
    test::SqliteMaker maker;
    std::vector<std::int64_t> ids;
    for (std::int64_t i = -300; i < 300; ++i) ids.push_back(i * 10);
    maker.table("t", "CREATE TABLE t(a INT, b TEXT)", numbered_rows(600), ids);
    const auto bytes = maker.finish();
    Pages pages(test::reader_of(bytes), bytes.size());
    TableCursor cursor(pages, root_of(pages));
    for (std::int64_t i = -3010; i <= 2990; i += 7) {
      REQUIRE(cursor.seek(i));
      const auto expected = i <= -3000 ? -3000 : (i + 3009) / 10 * 10 - 3000;
      REQUIRE(cursor.rowid() == expected);
    }
    CHECK(!cursor.seek(2991));
  }

  TEST_CASE("an index finds keys, also those in interior pages") {
    const File file(3000);
    Pages pages(test::reader_of(file.bytes), file.bytes.size());
    const Database database(pages);
    IndexCursor cursor(pages, database.table("t").indices[0].root);
    for (std::int64_t i = 0; i <= 3001; ++i) {
      Value key;
      key.kind = Kind::integer;
      key.integer = i;
      const bool has = cursor.seek(key);
      REQUIRE(has == (i <= 3000));
      if (has) REQUIRE(cursor.rowid() == std::max<std::int64_t>(i, 1));
    }
    std::int64_t expected = 0;
    for (bool has = cursor.seek({}); has; has = cursor.next()) {
      REQUIRE(cursor.key().integer == ++expected);
    }
    CHECK(expected == 3000);
  }

  TEST_CASE("searches that are read ahead take a round per level") {
    const File file(20'000);
    std::size_t rounds = 0;
    PagesOptions options{file.bytes.size() * 8, std::size_t{1} << 20U, {}};
    options.announce = [&](std::span<const Missing>) { ++rounds; };
    Pages pages(test::reader_of(file.bytes), file.bytes.size(), options);
    const Database database(pages);
    const auto& table = database.table("t");
    TableCursor cursor(pages, table.root);
    std::vector<RowRange> rows;
    for (std::int64_t i = 100; i < 20'000; i += 1500) rows.push_back({i, i + 20});
    CHECK(cursor.prefetch(rows) == rows.size());
    CHECK(rounds <= 4);
    const auto reads = pages.reads();
    for (const auto& range : rows) {
      REQUIRE(cursor.seek(range.first));
      while (cursor.rowid() < range.last) REQUIRE(cursor.next());
    }
    CHECK(pages.reads() == reads);
    rounds = 0;
    IndexCursor entries(pages, table.indices[0].root);
    std::vector<Value> keys;
    for (std::int64_t i = 100; i < 20'000; i += 1500) {
      keys.push_back({.kind = Kind::integer, .integer = i});
    }
    CHECK(entries.prefetch(keys) == keys.size());
    CHECK(rounds <= 4);
    const auto before = pages.reads();
    for (const auto& key : keys) {
      REQUIRE(entries.seek(key));
      CHECK(entries.rowid() == key.integer);
    }
    CHECK(pages.reads() == before);
  }

  TEST_CASE("searches of which the cache holds a part are read ahead in parts") {
    const File file(20'000);
    Pages pages(test::reader_of(file.bytes), file.bytes.size(), {.max_cached = 1});
    TableCursor cursor(pages, root_of(pages));
    std::vector<RowRange> rows;
    for (std::int64_t i = 1; i < 20'000; i += 100) rows.push_back({i, i});
    std::size_t ahead = 0, parts = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == ahead) {
        ahead += cursor.prefetch(std::span(rows).subspan(i));
        ++parts;
      }
      REQUIRE(cursor.seek(rows[i].first));
      REQUIRE(cursor.rowid() == rows[i].first);
    }
    CHECK(ahead == rows.size());
    CHECK(parts > 10);
    CHECK(parts < rows.size());
    CHECK(cursor.prefetch({}) == 0);
  }

  TEST_CASE("rows are read across pages, to a limit") {
    for (const std::size_t padding : {400U, 480U, 508U, 5000U, 100'000U}) {
      CAPTURE(padding);
      const File file(3, padding);
      Pages pages(test::reader_of(file.bytes), file.bytes.size());
      const Database database(pages);
      Rows rows(database, database.table("t"), {"a", "b"});
      REQUIRE(rows.seek(2));
      CHECK(rows[0].integer == 2);
      CHECK(rows[1].bytes == std::string(padding, 'p'));
    }
    const File file(1, 200'000);
    Pages pages(test::reader_of(file.bytes), file.bytes.size());
    const Database database(pages);
    Rows rows(database, database.table("t"), {"b"});
    REQUIRE(rows.seek(1));
    CHECK(test::error_code([&] { rows[0]; }) == Errc::limit_exceeded);
  }

  TEST_CASE("cycles are errors") {
    const File file(20'000);
    for (std::size_t at = 512; at < file.bytes.size(); at += 512) {
      if (file.bytes[at] != 5 && file.bytes[at] != 2) continue;
      auto bytes = file.bytes;  // the last child is the page itself
      bytes.replace(at + 8, 4,
                    test::big_endian(static_cast<std::uint32_t>(at / 512 + 1)));
      Pages pages(test::reader_of(bytes), bytes.size());
      const Database database(pages);
      const auto& table = database.table("t");
      const auto code = test::error_code([&] {
        TableCursor cursor(pages, table.root);
        for (bool has = cursor.seek(kStart); has;) has = cursor.next();
        IndexCursor entries(pages, table.indices[0].root);
        for (bool has = entries.seek({}); has;) has = entries.next();
      });
      REQUIRE(code == Errc::corrupt_chunk);
    }
  }

  TEST_CASE("pages with many parents are read in bounded time") {
    const File file(20'000);
    auto bytes = file.bytes;
    for (std::size_t at = 512; at < bytes.size(); at += 512) {
      if (bytes[at] != 5 && bytes[at] != 2) continue;
      const auto number = [&](std::size_t place) {
        return static_cast<std::size_t>(static_cast<unsigned char>(bytes[place]))
                   << 8U |
               static_cast<unsigned char>(bytes[place + 1]);
      };
      const auto first = bytes.substr(at + number(at + 12), 4);
      for (std::size_t i = 0; i < number(at + 3); ++i) {
        bytes.replace(at + number(at + 12 + 2 * i), 4, first);
      }
      bytes.replace(at + 8, 4, first);
    }
    Pages pages(test::reader_of(bytes), bytes.size());
    const Database database(pages);
    const auto& table = database.table("t");
    CHECK(test::error_code([&] {
            TableCursor cursor(pages, table.root);
            for (bool has = cursor.seek(kStart); has;) has = cursor.next();
          }) == Errc::corrupt_chunk);
    std::uint64_t steps = 0;
    const auto code = test::error_code([&] {
      IndexCursor entries(pages, table.indices[0].root);
      for (bool has = entries.seek({}); has; ++steps) has = entries.next();
    });
    CHECK((!code || code == Errc::corrupt_chunk));
    CHECK(steps < 256 * (4 * std::uint64_t{pages.count()} + 64));
  }

  TEST_CASE(
      "cells beyond their page, and sizes and counts that are too large, are named") {
    const File file(3, 20);
    std::size_t root = 0;
    {
      Pages pages(test::reader_of(file.bytes), file.bytes.size());
      root = (root_of(pages) - 1) * 512;
    }
    REQUIRE(file.bytes[root] == 13);
    const auto cell =
        static_cast<std::size_t>(static_cast<unsigned char>(file.bytes[root + 8]))
            << 8U |
        static_cast<unsigned char>(file.bytes[root + 9]);
    const auto code = [&](std::size_t at, const std::string& with) {
      auto bytes = file.bytes;
      bytes.replace(root + at, with.size(), with);
      return test::error_code([&] {
        Pages pages(test::reader_of(bytes), bytes.size());
        const Database database(pages);
        Rows rows(database, database.table("t"));
        for (bool has = rows.seek(kStart); has; has = rows.next()) {
          for (std::size_t i = 0; i < rows.size(); ++i) rows[i];
        }
      });
    };
    using std::string;
    CHECK(code(3, "\xff\xff") == Errc::corrupt_chunk);           // cells
    CHECK(code(8, "\xff\xff") == Errc::corrupt_chunk);           // outside
    CHECK(code(8, string("\1\xfe", 2)) == Errc::corrupt_chunk);  // at the end
    CHECK(code(8, string("\0\0", 2)) == Errc::corrupt_chunk);    // in the header
    const auto huge = code(cell, string(9, '\xff'));             // a size
    CHECK((huge == Errc::corrupt_chunk || huge == Errc::limit_exceeded));
    CHECK(code(cell, string(9, '\x80')) == Errc::corrupt_chunk);    // 128, overlong
    CHECK(code(cell, string("\x88\0", 2)) == Errc::corrupt_chunk);  // beyond the page
    // Of the record: the header's size, and a type.
    CHECK(code(cell + 2, string(1, '\x7f')) == Errc::corrupt_chunk);
    CHECK(code(cell + 3, string(1, '\x0a')) == Errc::corrupt_chunk);
    CHECK(code(cell + 4, string(9, '\xff')) == Errc::corrupt_chunk);
  }

  TEST_CASE("a chain of pages that is a cycle ends with its row") {
    File file(1, 5000);
    Pages pages(test::reader_of(file.bytes), file.bytes.size());
    for (std::size_t at = 1024; at < file.bytes.size(); at += 512) {
      if (file.bytes[at + 4] == 'p') {
        file.bytes.replace(at, 4,
                           test::big_endian(static_cast<std::uint32_t>(at / 512 + 1)));
      }
    }
    Pages damaged(test::reader_of(file.bytes), file.bytes.size());
    const Database database(damaged);
    Rows rows(database, database.table("t"), {"b"});
    REQUIRE(rows.seek(1));
    CHECK(rows[0].bytes.size() == 5000);
  }

  TEST_CASE("damaged files are read, or refused, in bounded time") {
    std::mt19937 random(7);
    const File file(400, 30);
    std::map<std::optional<Errc>, int> codes;
    for (int round = 0; round < 2000; ++round) {
      auto bytes = file.bytes;
      for (int i = 0; i < 3; ++i) {
        bytes[100 + random() % (bytes.size() - 100)] = static_cast<char>(random());
      }
      ++codes[test::error_code([&] {
        Pages pages(test::reader_of(bytes), bytes.size());
        const Database database(pages);
        for (const auto& table : database.tables()) {
          if (!table.unsupported.empty()) continue;
          Rows rows(database, table);
          for (bool has = rows.seek(kStart); has; has = rows.next()) {
            for (std::size_t i = 0; i < rows.size(); ++i) rows[i];
          }
          for (const auto& index : table.indices) {
            IndexCursor entries(pages, index.root);
            for (bool has = entries.seek({}); has;) has = entries.next();
          }
        }
      })];
    }
    for (const auto& [code, count] : codes) {
      const bool is_expected = !code || *code == Errc::corrupt_chunk ||
                               *code == Errc::limit_exceeded ||
                               *code == Errc::unsupported;
      CHECK(is_expected);
      CHECK(count > 0);
    }
  }
}
