#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "native/source/source.hpp"

namespace bev::native {

/// What a zarr store is, from its metadata and the sizes of its objects:
/// {format, attrs, arrays: {path: {shape, chunks, dtype, order, fill_value, compressor,
/// filters, stored_bytes}}, table}.
///
/// Shapes  `stored_bytes` counts the chunks of an array. An array that is the store has
///         the path "". One that cannot be read has `error`, the reason, beside what
///         its metadata says. `table` is L5Kit's summary, null if the store is no data
///         set of L5Kit's.
/// Errors  What reading the metadata throws; missing_key if there is no zarr store.
nlohmann::json info(Source& source);

/// The same for a person to read: a line and the fields for each array.
std::string info_text(const nlohmann::json& info, const std::string& name);

}  // namespace bev::native
