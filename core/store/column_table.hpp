#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/store/columns.hpp"

namespace bev::store {

/// Returns the column that holds a field.
///
/// @param stored    the array that holds it
/// @param expected  the type that the array must have
/// Throws  unsupported if chunks of the array do not span all axes but the first;
///         invalid_metadata for another type
StoredColumn stored_column(const zarr::Field& field, const Array& stored,
                           const zarr::DType& expected);

/// Checks that a column has as many rows as another.
///
/// Throws  invalid_metadata
void check_same_length(const Array& column, const Array& first);

/// Returns the metadata of a table as if its records were stored.
///
/// @param record  the type of the records as JSON
/// @param first   a column
zarr::ArrayMeta record_meta(const nlohmann::json& record, const Array& first,
                            std::uint64_t chunk_rows, const std::string& path);

}  // namespace bev::store
