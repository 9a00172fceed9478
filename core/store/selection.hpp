#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace bev::store {

/// End of a range that extends to the end of the array: after its last row, or, with a
/// negative step, before its first. As the begin of a range with a negative step: the
/// last row.
inline constexpr std::int64_t kToEnd = std::numeric_limits<std::int64_t>::max();

/// Selected rows of an array: `count` rows from `first`, `step` apart, ascending or
/// descending; or a list of rows.
///
/// Lifetime  The caller owns the list.
/// Throws    range() and list() throw invalid_argument for a step of 0, out_of_range
///           for rows outside the array, and limit_exceeded for more than 2^31 rows; all
///           name the array.
struct RowSelection {
  std::uint64_t first = 0;
  std::size_t count = 0;
  std::uint64_t step = 1;
  std::span<const std::int64_t> indices;  ///< if not empty, these rows
  bool falling = false;                   ///< descending: the last row comes first

  /// Selects rows begin, begin + step, ... below `end` of an array of `length` rows;
  /// with a negative step, rows above `end`, where -1 is before the first row.
  static RowSelection range(std::string_view array, std::uint64_t length,
                            std::int64_t begin, std::int64_t end,
                            std::int64_t step = 1);
  static RowSelection list(std::string_view array, std::uint64_t length,
                           std::span<const std::int64_t> indices);

  bool contiguous() const noexcept { return indices.empty() && step == 1 && !falling; }

  /// Returns the highest row of a non-empty range.
  std::uint64_t last() const noexcept { return first + (count - 1) * step; }

  /// Returns the row at position `i` of the result.
  std::uint64_t row(std::size_t i) const noexcept {
    if (!indices.empty()) return static_cast<std::uint64_t>(indices[i]);
    return first + (falling ? count - 1 - i : i) * step;
  }
};

/// Returns the rows whose mask byte is not 0.
///
/// Throws  invalid_argument, naming the array, if the mask's length is not `length`.
std::vector<std::int64_t> rows_where(std::string_view array, std::uint64_t length,
                                     std::span<const std::uint8_t> mask);

/// Returns the chunks that hold the rows, each once, ascending. `chunk_rows` is at
/// least 1. Reuses the memory of `reuse`.
///
/// Throws  limit_exceeded, naming the array, if a range spans more than 2^20 chunks.
std::vector<std::uint64_t> chunks_of(const RowSelection& rows, std::uint64_t chunk_rows,
                                     std::string_view array,
                                     std::vector<std::uint64_t> reuse = {});

}  // namespace bev::store
