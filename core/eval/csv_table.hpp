#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace bev::eval {

/// A table of numbers in comma-separated values, with column names in the first line.
/// Lines end in CR LF or LF; empty lines are ignored; quoting is not supported.
///
/// Lifetime  The text, or the last line passed to take(), must outlive the current row.
/// Throws    invalid_argument for a text without a header, a duplicate column name, and
///           a row with another number of cells: "gt.csv line 3: wrong number of cells (found 5, expected 38)".
///           The functions that convert cells throw it too, with the column's name.
class CsvTable {
 public:
  /// Creates a table whose lines are passed to take().
  ///
  /// @param name  the table's name in messages
  explicit CsvTable(std::string name) : name_(std::move(name)) {}

  /// Creates a table from a whole text; next() iterates over its rows.
  CsvTable(std::string_view text, std::string name);

  /// Processes the next line, with or without line end. Returns whether it is a row:
  /// not empty and not the header, which is the first non-empty line.
  bool take(std::string_view line);

  /// Throws  invalid_argument if there was no header
  void require_header() const;

  /// Lines processed so far.
  std::size_t lines() const noexcept { return line_; }

  std::size_t width() const noexcept { return names_.size(); }

  bool has(std::string_view name) const noexcept;

  /// Throws  missing_key for an unknown column
  std::size_t column(std::string_view name) const;

  /// Advances to the next row; returns false at the end.
  bool next();

  /// Cells of the current row, as numbers.
  double real(std::size_t column) const;
  std::int64_t integer(std::size_t column) const;

  /// Throws invalid_argument with the row's line number and `what`.
  [[noreturn]] void refuse(Message what) const;

 private:
  void take_header(std::string_view line);
  /// Returns the position of `name` in order_, or where it would be inserted.
  std::vector<std::size_t>::const_iterator lower_bound(
      std::string_view name) const noexcept;
  std::string where() const;

  std::string_view rest_;
  std::string name_;
  std::size_t line_ = 0;
  std::vector<std::string> names_;
  std::vector<std::size_t> order_;  // columns sorted by name
  std::vector<std::string_view> cells_;
};

}  // namespace bev::eval
