#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/distribution/bins.hpp"

namespace bev::distribution {

/// A column of a table: numbers, or categories 0, 1, ...
struct Column {
  std::string name;
  std::uint32_t categories = 0;  ///< 0: numbers
};

/// What rows are of: a prediction, a track of a scene, or a scene.
struct RowIds {
  std::vector<std::uint32_t> scenes;
  std::vector<std::uint32_t> frames;
  std::vector<std::int64_t> tracks;
};

/// Chosen values of a column: numbers with low <= v < high, or some categories. A row
/// without a value passes only if `missing` is set.
struct Brush {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> categories{};
  bool missing = false;
};

/// Rows by bin of a column.
///
/// Shapes  all: bins.total(); passing: the same per group, one group after the other.
struct Counts {
  Bins bins;
  std::vector<std::uint32_t> all;
  /// Rows that pass the brushes of all other columns.
  std::vector<std::uint32_t> passing;
};

/// Rows of numbers with linked brushes: each column's counts are of the rows that pass the
/// brushes of all other columns.
///
/// Complexity  A brush and counts take time in proportion to rows times columns.
/// Throws      invalid_argument for unknown columns, ids or values of other lengths, values
///             that are no category, and empty brushes; limit_exceeded for more than
///             kMaxValues.
class Table {
 public:
  static constexpr std::size_t kMaxColumns = 31;
  static constexpr std::size_t kMaxValues = std::size_t{1} << 26;

  explicit Table(std::vector<Column> columns);

  std::size_t rows() const noexcept { return masks_.size(); }
  const std::vector<Column>& columns() const noexcept { return columns_; }
  const RowIds& ids() const noexcept { return ids_; }
  /// A column's values; NaN without one.
  const std::vector<double>& values(std::size_t column) const;

  /// Adds rows. Infinite values count as missing.
  ///
  /// @param values  one column after the other
  void append(const RowIds& ids, std::span<const double> values);

  /// Sets or clears a column's brush.
  void brush(std::size_t column, const Brush& brush);
  void clear_brush(std::size_t column);

  /// Whether a row passes all brushes, or all but that of a column.
  bool passes(std::size_t row) const noexcept { return masks_[row] == 0; }
  bool passes_without(std::size_t row, std::size_t column) const noexcept {
    return (masks_[row] & ~bit(column)) == 0;
  }
  std::size_t passing();

  /// Returns the counts of a column.
  ///
  /// @param by  a column of categories: counts per category, and of rows without one
  Counts counts(std::size_t column, std::optional<std::size_t> by = {});

  /// Returns number and groups of a grouping: its categories and "no category"; one
  /// without a column.
  std::size_t groups(std::optional<std::size_t> by) const;
  std::size_t group_of(std::size_t row, std::optional<std::size_t> by) const noexcept;

  /// Returns the index of a named column.
  std::size_t find(const std::string& name) const;

 private:
  static constexpr std::uint32_t bit(std::size_t column) noexcept {
    return std::uint32_t{1} << column;
  }
  void check_column(std::size_t column) const;
  void check_values(const RowIds& ids, std::span<const double> values) const;
  void mark(std::size_t column, std::size_t first_row);
  void sort_into_bins(std::size_t column);
  void sort_rows();

  std::vector<Column> columns_;
  RowIds ids_;
  std::vector<std::vector<double>> values_;
  std::vector<std::optional<Brush>> brushes_;
  std::vector<std::uint32_t> masks_;  ///< bit c: the row fails the brush of column c
  // Outdated unless sorted_: the passing rows, and those that fail one brush only.
  bool sorted_ = false;
  std::vector<std::uint32_t> passing_;
  std::vector<std::vector<std::uint32_t>> but_for_;
  struct Binned {
    Bins bins;
    std::vector<std::uint8_t> codes;
    std::vector<std::uint32_t> all;
  };
  std::vector<Binned> binned_;  ///< outdated while codes are fewer than rows
};

/// Returns at most `most` rows that pass and have a value of a column, the largest first;
/// ties in order of rows.
std::vector<std::uint32_t> ordered_rows(const Table& table, std::size_t column,
                                        std::size_t most);

/// Returns the passing rows from `first` on; at most `most`.
std::vector<std::uint32_t> passing_rows(const Table& table, std::size_t first,
                                        std::size_t most);

/// Returns the passing rows of a scene.
std::vector<std::uint32_t> passing_in_scene(const Table& table, std::uint32_t scene);

/// Passing rows with values of two columns.
struct Points {
  std::size_t count = 0;            ///< of all
  std::vector<std::uint32_t> rows;  ///< evenly chosen ones, in order
};
Points points_of(const Table& table, std::size_t x, std::size_t y, std::size_t most);

}  // namespace bev::distribution
