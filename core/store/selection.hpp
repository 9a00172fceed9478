#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace bev::store {

/// The end of a range that goes to the end of the array: its last row, or, with a step
/// below 0, its first. As a beginning, with such a step, the last row.
inline constexpr std::int64_t kToEnd = std::numeric_limits<std::int64_t>::max();

/// Rows of an array: `count` of them from `first` on, `step` apart, maybe in falling
/// order; or those of a list.
///
/// Lifetime  The list is the caller's.
/// Errors    range() and list() throw invalid_argument for a step of 0, and
///           out_of_range for rows that are not in the array; both name the array.
struct RowSelection {
  std::uint64_t first = 0;
  std::size_t count = 0;
  std::uint64_t step = 1;
  std::span<const std::int64_t> indices;  ///< where not empty, these rows
  bool falling = false;                   ///< the last of them comes first

  /// The rows begin, begin + step, ... below `end` of an array of `length` rows; with a
  /// step below 0 those above it, where -1 is before the first.
  static RowSelection range(std::string_view array, std::uint64_t length,
                            std::int64_t begin, std::int64_t end,
                            std::int64_t step = 1);
  static RowSelection list(std::string_view array, std::uint64_t length,
                           std::span<const std::int64_t> indices);

  bool contiguous() const noexcept { return indices.empty() && step == 1 && !falling; }

  /// The highest row of a range; there is one at least.
  std::uint64_t last() const noexcept { return first + (count - 1) * step; }

  /// The row at position `i` of the result.
  std::uint64_t row(std::size_t i) const noexcept {
    if (!indices.empty()) return static_cast<std::uint64_t>(indices[i]);
    return first + (falling ? count - 1 - i : i) * step;
  }
};

/// The rows whose byte of the mask is not 0.
///
/// Errors  invalid_argument for a mask of another length, naming the array.
std::vector<std::int64_t> rows_where(std::string_view array, std::uint64_t length,
                                     std::span<const std::uint8_t> mask);

/// The chunks that hold the rows, each once, ascending. `chunk_rows` is at least 1; the
/// result is in the memory of `reuse`, if that is enough.
///
/// Errors  out_of_memory for more than a million, naming the array.
std::vector<std::uint64_t> chunks_of(const RowSelection& rows, std::uint64_t chunk_rows,
                                     std::string_view array,
                                     std::vector<std::uint64_t> reuse = {});

}  // namespace bev::store
