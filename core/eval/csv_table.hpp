#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace bev::eval {

/// A table of numbers in comma separated values, its first line the names of columns.
/// Lines end in CR LF or LF; empty lines are no rows; quotes are not known.
///
/// Lifetime  The text outlives the table and what it gives.
/// Errors    invalid_argument for a text without a header, a name that stands there
///           twice, and a row of more or fewer cells: "gt.csv line 3: 5 cells, expected
///           38". Cells are converted by the functions below, which name theirs as
///           well.
class CsvTable {
 public:
  /// @param name  what messages call it
  CsvTable(std::string_view text, std::string name);

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
  bool next_line(std::string_view& line);
  std::string where() const;

  std::string_view rest_;
  std::string name_;
  std::size_t line_ = 0;
  std::vector<std::string_view> names_;
  std::vector<std::string_view> cells_;
};

}  // namespace bev::eval
