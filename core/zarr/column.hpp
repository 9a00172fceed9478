#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/zarr/dtype.hpp"

namespace bev::zarr {

/// One field of a record.
struct Column {
  std::string path;        ///< "yaw", "pose.x"; "" for a plain dtype
  std::size_t offset = 0;  ///< from the start of the record
  DType type;              ///< includes the subarray's shape

  bool operator==(const Column&) const = default;
};

/// Resolves selected fields to columns, in the order of `paths`.
///
/// Shapes  Without paths: every field, by offset. A nested record expands to its
///         fields, with dotted names; a record with a subarray shape stays one column
///         of kind record, because its fields are not contiguous. A plain dtype is one
///         column named "".
/// Throws  not_found for an unknown name; the message lists the known ones.
std::vector<Column> columns_of(const DType& type, std::span<const std::string> paths);

/// Returns the same type with little-endian scalars throughout.
DType native_type(DType type);

/// Converts every scalar of the elements in `data` to little-endian, in place.
///
/// Throws  invalid_argument if `data` is not a whole number of elements.
void to_native(const DType& type, std::span<std::byte> data);

}  // namespace bev::zarr
