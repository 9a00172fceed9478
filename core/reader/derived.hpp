#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/reader/view.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/dtype.hpp"

namespace bev::reader {

/// Returns whether a column of this origin derives from a single field of the row's own
/// array: derive_from_field() computes it.
bool derives_from_field(Origin origin) noexcept;

/// Derives a column's values, one per row.
///
/// @param field  rows of the column's input in native byte order
/// @param out    as many values of the column's type
void derive_from_field(Origin origin, std::span<const std::byte> field,
                       std::span<std::byte> out);

/// A derived column whose limits are in the statistics, beside those of the fields.
struct DerivedColumn {
  std::string name;
  zarr::DType type;
  Origin origin = Origin::speed;
  zarr::Column input;  ///< a field of the array; its path is "" if the array has none
};

/// Returns the derived columns of an array at `path` whose input is one of its fields,
/// in the type that L5Kit writes: of `agents` speed, label, label_probability, class and
/// kept, of `traffic_light_faces` state. `path` is a table or a column of a table that is
/// stored by column, such as "agents/velocity".
std::vector<DerivedColumn> derived_columns(std::string_view path,
                                           const zarr::DType& dtype);

}  // namespace bev::reader
