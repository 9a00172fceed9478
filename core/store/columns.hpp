#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/store/catalogue.hpp"
#include "core/zarr/decode.hpp"

namespace bev::store {

/// Attribute of the root group that describes a columnar copy:
///
///   {"version": 1, "tables": {"agents": [["centroid", "<f8", [2]], ...], ...}}
///
/// A table is a group with one array per field. The catalogue presents it as an array of
/// records of this type, which the reader assembles from the columns. A column has the
/// field's type, whose shape are the axes after the first; a string of the type <U is
/// stored as UTF-8, zero-padded, of the same size. All columns of a table have the same
/// length and chunk length, and a chunk spans all axes but the first.
///
/// With "split_vectors": true, a field with a shape is a group with one array per
/// element, "agents/centroid/0", "agents/centroid/1", in the order of memory: who needs
/// one element reads only its bytes.
inline constexpr std::string_view kColumnsAttribute = "bevscope_columns";
inline constexpr std::uint64_t kColumnsVersion = 1;
inline constexpr std::string_view kSplitVectors = "split_vectors";

/// A field of a table and the array that holds it.
struct StoredColumn {
  std::size_t offset = 0;  ///< in the record
  std::size_t size = 0;    ///< bytes of the field
  /// The array with one axis: other axes are the shape of its elements.
  Array array;
  bool is_text = false;  ///< UTF-8 of a field of code points
};

/// The columns of a table, in the order of the fields.
struct Columns {
  std::vector<StoredColumn> all;
};

/// Returns the fields whose elements are stored together: the given ones, or, if vectors
/// are split, their elements, named "centroid/0".
std::vector<zarr::Field> stored_fields(const std::vector<zarr::Field>& fields,
                                       bool split_vectors);

/// Returns the array that holds the bytes at `offset` of the records: a column, or the
/// array itself if it is not stored by column.
const Array& stored_at(const Array& array, std::size_t offset) noexcept;

/// Returns the arrays that hold the fields: the columns, or the array itself.
std::vector<const Array*> stored_arrays(const Array& array);

/// Returns those that hold bytes of the slots.
std::vector<const Array*> stored_arrays(const Array& array,
                                        std::span<const zarr::ColumnSlot> slots);

}  // namespace bev::store
