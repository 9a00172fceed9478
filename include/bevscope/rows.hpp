#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "export.hpp"

namespace bev {

/// Rows begin, begin + step, ... below `end`. By default all rows; with a negative step
/// from the last row to the first.
struct RowRange {
  std::optional<std::int64_t> begin = std::nullopt;  ///< first row
  std::optional<std::int64_t> end = std::nullopt;    ///< row after the last one
  std::int64_t step = 1;                             ///< distance; not 0
};

/// These rows, in this order. A row may occur several times.
struct RowList {
  std::vector<std::int64_t> rows;  ///< row indices, not negative
};

/// The rows whose value is not 0.
struct RowMask {
  std::vector<std::uint8_t> mask;  ///< one value per row of the array
};

/// A slice of an axis with NumPy's rules: negative numbers count from the end, and the
/// slice is clamped to the axis.
struct Slice {
  std::optional<std::int64_t> begin = std::nullopt;  ///< first index
  std::optional<std::int64_t> end = std::nullopt;    ///< index after the last one
  std::int64_t step = 1;                             ///< distance; not 0
};

/// One index of an axis; the result lacks this axis.
struct Index {
  std::int64_t at = 0;  ///< negative numbers count from the end
};

/// A box of elements: one slice or index per axis. Trailing axes may be omitted. The
/// array, or the selected field, is read as one column.
struct Box {
  std::vector<std::variant<Slice, Index>> axes;  ///< one per axis
};

/// The elements of an array to read. `{}` is all rows.
using Selection = std::variant<RowRange, RowList, RowMask, Box>;

/// The values of a field: a row per selected row of the array.
///
/// Lifetime  As the Table that returned it.
template <Element T>
class Column {
 public:
  /// Creates a column of values with the given shape, rows first.
  Column(std::span<const T> values, std::span<const std::size_t> shape)
      : values_(values), shape_(shape), size_(shape.empty() ? 1 : shape[0]) {}

  /// Returns the number of rows.
  std::size_t size() const noexcept { return size_; }

  /// Returns the number of values per row.
  std::size_t width() const noexcept { return size_ == 0 ? 0 : values_.size() / size_; }

  /// Returns the shape, rows first: (n, 2).
  std::span<const std::size_t> shape() const noexcept { return shape_; }

  /// Returns all values, row after row.
  std::span<const T> values() const noexcept { return values_; }

  /// Returns the values of row `i`, which must be less than size().
  std::span<const T> operator[](std::size_t i) const noexcept {
    return values_.subspan(i * width(), width());
  }

  /// Returns value `j` of row `i`.
  T operator()(std::size_t i, std::size_t j = 0) const noexcept {
    return values_[i * width() + j];
  }

 private:
  std::span<const T> values_;
  std::span<const std::size_t> shape_;
  std::size_t size_;
};

/// Rows of an array as columns, one per field. The column of an array without fields
/// has the name "".
class BEV_EXPORT Table : public Arrays {
 public:
  /// Creates an empty table.
  Table() = default;

  /// Creates a table of arrays that have one row count.
  explicit Table(Arrays arrays) : Arrays(std::move(arrays)) {}

  /// Returns the number of rows.
  std::size_t row_count() const noexcept { return all().empty() ? 0 : all()[0].size(); }

  /// Returns a field: `column<double>("centroid")`. Float16 is returned as float.
  ///
  /// Throws  not_found for an unknown field; invalid_argument for another type
  template <Element T>
  Column<T> column(std::string_view name) const& {
    const auto& view = (*this)[name];
    return {view.values<T>(), view.shape()};
  }
  template <Element T>
  Column<T> column(std::string_view) const&& = delete;  ///< would dangle
};

}  // namespace bev
