#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/reader/filter.hpp"
#include "core/zarr/dtype.hpp"
#include "core/zarr/number.hpp"

namespace bev::reader {

/// Limits of one element of a field in the rows of a chunk.
struct Limits {
  zarr::Number min = {};  ///< NaN is not counted
  zarr::Number max = {};
  std::uint64_t nan_count = 0;
  bool has_value = false;   ///< whether there is anything but NaN
  std::uint64_t codes = 0;  ///< as Range::codes; of unsigned bytes only

  Range range() const noexcept { return {min, max, nan_count > 0, has_value, codes}; }
};

/// A field's decoded rows: `elements` elements of a row after each other.
struct FieldRows {
  zarr::DType type;  ///< of one element
  std::size_t elements = 1;
  std::span<const std::byte> values;
};

/// Returns the limits of element `element` of a field of numbers, in one pass. Integers
/// are exact: those that are not negative are unsigned. Booleans are integers.
Limits limits_of(const FieldRows& field, std::size_t element);

/// Maximum number and size (UTF-8) of a field's distinct strings that are kept.
inline constexpr std::size_t kMaxTexts = 8;
inline constexpr std::size_t kMaxTextBytes = 64;

/// Returns the distinct strings of a unicode field, sorted; nullopt if there are more
/// than `most`, a longer one than kMaxTextBytes, or one that is not valid Unicode.
std::optional<std::vector<std::string>> texts_of(const FieldRows& field,
                                                 std::size_t most = kMaxTexts);

}  // namespace bev::reader
