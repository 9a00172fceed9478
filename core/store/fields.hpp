#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/catalogue.hpp"
#include "core/zarr/field_kind.hpp"

namespace bev::store {

using zarr::FieldKind;
using zarr::FieldShape;
using zarr::kFieldsAttribute;
using zarr::kFieldsVersion;
using zarr::kValidSuffix;

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

/// The fields of a table that the attribute kFieldsAttribute describes. The catalogue
/// presents it as an array of records, as one of columns.hpp, but its arrays have any
/// paths and chunk lengths.
struct TableFields {
  std::vector<TableField> all;

  /// Returns a field; null if there is none of this name.
  const TableField* find(std::string_view name) const noexcept;

  /// Whether a column says which rows of another field are not null.
  bool is_validity(std::string_view name) const noexcept;
};

}  // namespace bev::store
