#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/zarr/dtype.hpp"

namespace bev::zarr {

/// One field of a record, seen over many records.
struct Column {
  std::string path;        ///< "yaw", "pose.x"; "" for a plain dtype
  std::size_t offset = 0;  ///< from the start of the record
  DType type;              ///< with its subarray's shape

  bool operator==(const Column&) const = default;
};

/// The columns that a selection of fields means, in the order asked for.
///
/// Shapes  No paths: every field, in order of offset. A nested record stands for its
///         fields, named with dots; but one with a subarray's shape stays one column of
///         kind record, for its parts do not lie side by side. A plain dtype is one
///         column named "".
/// Errors  not_found for a name that the type does not have; the message lists those it
///         has.
std::vector<Column> columns_of(const DType& type, std::span<const std::string> paths);

/// The same type with little-endian scalars throughout.
DType native_type(DType type);

/// Turns every scalar of the elements in `data` to little-endian, in place.
///
/// Errors  invalid_argument if `data` is not a whole number of elements.
void to_native(const DType& type, std::span<std::byte> data);

}  // namespace bev::zarr
