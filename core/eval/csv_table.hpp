#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace bev::eval {

/// A table of numbers in comma separated values, its first line the names of columns.
/// Lines end in CR LF or LF; empty lines are no rows; quotes are not known.
///
/// Lifetime  The text, or the line taken last, outlives the current row.
/// Errors    invalid_argument for a text without a header, a name that stands there
///           twice, and a row of more or fewer cells: "gt.csv line 3: 5 cells, expected
///           38". Cells are converted by the functions below, which name theirs as
///           well.
class CsvTable {
 public:
  /// A table whose lines arrive one by one, through take().
  ///
  /// @param name  what messages call it
  explicit CsvTable(std::string name) : name_(std::move(name)) {}

  /// A table of a whole text, whose rows next() goes through.
  CsvTable(std::string_view text, std::string name);

  /// Takes the next line, with or without its line end. Returns whether it is a row:
  /// not an empty line, and not the header, which is the first other line.
  bool take(std::string_view line);

  /// Throws unless a header was taken.
  void require_header() const;

  /// Lines taken so far.
  std::size_t lines() const noexcept { return line_; }

  std::size_t width() const noexcept { return names_.size(); }

  bool has(std::string_view name) const noexcept;

  /// @throws Error  missing_key for a column that is not there
  std::size_t column(std::string_view name) const;

  /// Goes to the next row; false at the end.
  bool next();

  /// Cells of the row, as numbers.
  double real(std::size_t column) const;
  std::int64_t integer(std::size_t column) const;

  /// What is wrong with the row: throws invalid_argument that names its line.
  [[noreturn]] void refuse(Message what) const;

 private:
  void take_header(std::string_view line);
  /// The position of `name` in order_, or of what follows where it would stand.
  std::vector<std::size_t>::const_iterator lower_bound(
      std::string_view name) const noexcept;
  std::string where() const;

  std::string_view rest_;
  std::string name_;
  std::size_t line_ = 0;
  std::vector<std::string> names_;
  std::vector<std::size_t> order_;  // columns by name
  std::vector<std::string_view> cells_;
};

}  // namespace bev::eval
