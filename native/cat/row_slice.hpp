#pragma once

#include <cstdint>
#include <string_view>

namespace bev::native {

/// The rows begin, begin + step, ... below end.
struct RowSlice {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t step = 1;

  std::uint64_t count() const noexcept {
    return begin < end ? (end - begin - 1) / step + 1 : 0;
  }
  bool operator==(const RowSlice&) const = default;
};

/// Reads A:B or A:B:S as Python reads a slice of `length` rows: each part may be left
/// out, what is negative counts from the end, and what lies outside is cut off.
///
/// @throws cli::UsageError for anything else, and for a step below 1
RowSlice parse_row_slice(std::string_view text, std::uint64_t length);

}  // namespace bev::native
