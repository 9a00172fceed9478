#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/catalogue.hpp"

namespace bev::store {

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
/// The catalogue presents a table as an array of records, as one of columns.hpp, but its
/// arrays have any paths and chunk lengths. A field of variable length is the interval
/// of each row in the array `values`.
inline constexpr std::string_view kFieldsAttribute = "bevscope_fields";
inline constexpr std::uint64_t kFieldsVersion = 1;

/// Suffix of the field that says which rows of another are not null.
inline constexpr std::string_view kValidSuffix = ".valid";

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

/// A field of a table.
struct TableField {
  std::string name;
  FieldKind kind = FieldKind::fixed;
  bool nullable = false;
  std::string content_type = {};  ///< of images and bytes; "" if not known
  std::string npy_dtype = {};     ///< NumPy's code of all rows; "" if it varies
  std::optional<FieldShape> npy_shape = std::nullopt;
  /// The values of a field of variable length: one axis; others are the shape of its
  /// elements.
  Array values = {};

  bool is_ragged() const noexcept { return kind != FieldKind::fixed; }
};

/// The fields of a table.
struct TableFields {
  std::vector<TableField> all;

  /// Returns a field; null if there is none of this name.
  const TableField* find(std::string_view name) const noexcept;

  /// Whether a column says which rows of another field are not null.
  bool is_validity(std::string_view name) const noexcept;
};

}  // namespace bev::store
