#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sqlite/pages.hpp"
#include "core/sqlite/record.hpp"
#include "core/sqlite/tree.hpp"

namespace bev::sqlite {

struct TableColumn {
  std::string name;
  bool is_rowid = false;     ///< an alias of the row's id, which the record lacks
  bool is_real = false;      ///< whole numbers are stored as integers
  bool has_default = false;  ///< of rows that are older than the column
};

struct Index {
  std::string name;
  std::uint32_t root = 0;
  std::vector<std::string> columns;  ///< unknown of a constraint's index: empty
  bool is_plain = false;             ///< of all rows, ascending, compared as bytes
};

struct Table {
  std::string name, sql;
  std::uint32_t root = 0;  ///< 0: a virtual table
  std::vector<TableColumn> columns;
  std::vector<Index> indices;
  std::string unsupported;  ///< why rows cannot be read; "" if they can

  std::optional<std::size_t> find(std::string_view column) const noexcept;
};

/// Returns the columns of a statement CREATE TABLE, and why its rows cannot be read.
void parse_columns(std::string_view sql, Table& table);

/// Reads the columns of a statement CREATE INDEX.
void parse_index(std::string_view sql, Index& index);

/// The tables of a SQLite file, without running SQL.
///
/// Throws  As Pages and the cursors; limit_exceeded above 10,000 tables and indices.
class Database {
 public:
  explicit Database(Pages& pages);

  Pages& pages() const noexcept { return *pages_; }
  const std::vector<Table>& tables() const noexcept { return tables_; }

  /// Returns the table of this name; nullptr if there is none.
  const Table* find(std::string_view name) const noexcept;

  /// Does the same; throws not_found, naming it.
  const Table& table(std::string_view name) const;

  /// Returns an index whose first column is this one, in which entries are found by
  /// bytes; nullptr if there is none. Of a constraint's index, the column is found by
  /// comparing its first entry with its row.
  const Index* index_of(const Table& table, std::string_view column) const;

 private:
  bool is_index_of(const Table& table, const Index& index, std::size_t column) const;

  Pages* pages_;
  std::vector<Table> tables_;
};

/// Reads chosen columns of a table's rows, by increasing id.
///
/// Throws  The constructor throws not_found, naming it, for a column that the table
///         lacks, and unsupported for a table without row ids; all throw as TableCursor.
class Rows {
 public:
  Rows(const Database& database, const Table& table,
       std::initializer_list<std::string_view> columns);

  /// Of all columns.
  Rows(const Database& database, const Table& table);

  /// Move to the first row with at least this id, to the last one, and to the next one.
  /// Return whether there is one.
  bool seek(std::int64_t rowid);
  bool seek_last();
  bool next();

  /// Reads the pages of rows ahead, as TableCursor.
  std::size_t prefetch(std::span<const RowRange> rows) {
    return cursor_.prefetch(rows);
  }

  /// Does the same as seek(), for a reader of all rows from there on: reads them ahead.
  bool seek_all(std::int64_t rowid);

  std::int64_t rowid() const noexcept { return cursor_.rowid(); }
  std::size_t size() const noexcept { return columns_.size(); }

  /// Returns the value of chosen column `i`, valid until the next move.
  Value operator[](std::size_t i);

 private:
  void check() const;

  const Table* table_;
  std::vector<std::size_t> columns_;
  TableCursor cursor_;
  bool is_read_ = false;
  std::span<const std::byte> record_;
  std::vector<Field> fields_;
};

}  // namespace bev::sqlite
