#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bev::zarr {

/// Attribute of the root group that describes tables whose fields may vary in length or
/// be null; docs/layouts.md has all members:
///
///   {"version": 1, "tables": {"rows": [
///     {"name": "label", "array": "label"},
///     {"name": "speed", "array": "speed", "valid": "speed_valid"},
///     {"name": "lidar", "array": "lidar", "kind": "array", "values": "lidar_values"},
///     {"name": "front", "array": "front", "kind": "image", "values": "front_values",
///      "content_type": "image/jpeg"}]}}
///
/// A field of variable length is the interval of each row in the array `values`.
inline constexpr std::string_view kFieldsAttribute = "bevscope_fields";
inline constexpr std::uint64_t kFieldsVersion = 1;

/// Suffix of the column, and array of a batch, that says which rows of a field are not
/// null; and of the array with the offsets of a field of variable length.
inline constexpr std::string_view kValidSuffix = ".valid";
inline constexpr std::string_view kOffsetsSuffix = ".offsets";

/// What the rows of a field are.
enum class FieldKind : std::uint8_t {
  fixed,  ///< elements of one shape
  array,  ///< elements whose first axis varies in length
  bytes,
  text,   ///< UTF-8
  image,  ///< an encoded image
  npy,    ///< NumPy's format .npy: any dtype and shape
};

/// Returns the name of a kind in metadata: "image"; "" for fixed.
std::string_view name_of(FieldKind kind) noexcept;

/// Parses the name of a kind; nullopt for an unknown one, or "".
std::optional<FieldKind> field_kind(std::string_view name) noexcept;

/// Lengths of axes; nullopt for those that vary.
using FieldShape = std::vector<std::optional<std::uint64_t>>;

/// Whether a text can be the content type of a field: "image/jpeg".
bool is_content_type(std::string_view text) noexcept;

}  // namespace bev::zarr
