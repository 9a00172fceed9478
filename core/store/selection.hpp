#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace bev::store {

/// The end of a range that goes to the end of the array.
inline constexpr std::int64_t kToEnd = std::numeric_limits<std::int64_t>::max();

/// Rows of an array: `count` of them from `first` on, `step` apart; or those of a list.
///
/// Lifetime  The list is the caller's.
/// Errors    range() and list() throw invalid_argument for a step below 1, and
///           out_of_range for rows that are not in the array; both name the array.
struct RowSelection {
  std::uint64_t first = 0;
  std::size_t count = 0;
  std::uint64_t step = 1;
  std::span<const std::int64_t> indices;  ///< where not empty, these rows

  /// The rows begin, begin + step, ... below `end` of an array of `length` rows.
  static RowSelection range(std::string_view array, std::uint64_t length,
                            std::int64_t begin, std::int64_t end,
                            std::int64_t step = 1);
  static RowSelection list(std::string_view array, std::uint64_t length,
                           std::span<const std::int64_t> indices);

  bool contiguous() const noexcept { return indices.empty() && step == 1; }

  /// The row at position `i` of the result.
  std::uint64_t row(std::size_t i) const noexcept {
    if (!indices.empty()) return static_cast<std::uint64_t>(indices[i]);
    return first + i * step;
  }
};

/// The chunks that hold the rows, each once, ascending. `chunk_rows` is at least 1; the
/// result is in the memory of `reuse`, if that is enough.
///
/// Errors  out_of_memory for more than a million, naming the array.
std::vector<std::uint64_t> chunks_of(const RowSelection& rows, std::uint64_t chunk_rows,
                                     std::string_view array,
                                     std::vector<std::uint64_t> reuse = {});

}  // namespace bev::store
