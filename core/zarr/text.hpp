#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/zarr/dtype.hpp"

namespace bev::zarr {

/// A list of strings in one buffer.
///
/// Shapes  String i is utf8[offsets[i]] to utf8[offsets[i + 1]]; n strings have n + 1
///         offsets.
struct Text {
  std::vector<char> utf8;
  std::vector<std::uint32_t> offsets;

  std::size_t size() const noexcept { return offsets.size() - 1; }
  std::string_view operator[](std::size_t i) const noexcept {
    return {utf8.data() + offsets[i], offsets[i + 1] - offsets[i]};
  }
};

/// Decodes the strings of a U or S column (subarrays flattened), without zero padding.
/// Code units that are not Unicode scalar values (surrogates, above 10FFFF) become
/// U+FFFD; so does each byte of an S string that is not UTF-8. Reuses the memory of
/// `reuse`.
///
/// Throws  invalid_argument for another kind, or for bytes that are not a whole number
///         of elements; limit_exceeded if the text is 4 GiB or longer.
Text decode_text(const DType& type, std::span<const std::byte> column, Text reuse = {});

/// Returns the length of the longest prefix that is valid UTF-8.
std::size_t valid_utf8(std::string_view text) noexcept;

/// Returns the code points of a UTF-8 string; U+FFFD for each invalid byte.
std::vector<std::uint32_t> code_points(std::string_view utf8);

}  // namespace bev::zarr
