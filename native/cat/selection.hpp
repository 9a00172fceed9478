#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/store/box_selection.hpp"

namespace bev::native {

/// Parses a selection per axis, as in NumPy's brackets: "0,::-1,3:".
///
/// Throws  cli::UsageError for invalid syntax
std::vector<store::AxisSlice> parse_axis_slices(std::string_view text);

/// Rows begin, begin + step, ... below end.
struct RowSlice {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t step = 1;

  std::uint64_t count() const noexcept {
    return begin < end ? (end - begin - 1) / step + 1 : 0;
  }
  bool operator==(const RowSlice&) const = default;
};

/// Parses A:B or A:B:S like a Python slice of `length` rows: each part is optional,
/// negative values count from the end, and values outside are clamped.
///
/// Throws  cli::UsageError for invalid syntax and for a step below 1
RowSlice parse_row_slice(std::string_view text, std::uint64_t length);

}  // namespace bev::native
