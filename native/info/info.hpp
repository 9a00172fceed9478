#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "native/source/source.hpp"

namespace bev::native {

/// Describes a zarr store from its metadata and object sizes: {format, attrs, arrays:
/// {path: {shape, chunks, dtype, order, fill_value, compressor, filters, stored_bytes,
/// stored_chunks, missing_chunks}}, table}.
///
/// Shapes  `stored_bytes` and `stored_chunks` count an array's stored chunks,
///         `missing_chunks` the absent ones; null if objects cannot be listed;
///         `missing_chunks` is also null for sharded arrays. An array at the store's
///         root has the path "". An unreadable array has `error`, the reason, beside
///         its metadata. `table` is L5Kit's summary, or null if the store is not an
///         L5Kit data set.
/// Throws  Errors of reading the metadata; missing_key if there is no zarr store.
nlohmann::json info(Source& source);

/// Returns which L5Kit arrays lack chunks, from the result of info(): "agents: 2 of 16
/// chunks are missing"; "" if none does. Intervals refer to every row of these arrays,
/// so an absent chunk is lost data.
std::string missing_text(const nlohmann::json& info);

/// Formats the result of info() as text: one line and the fields per array.
std::string info_text(const nlohmann::json& info, const std::string& name);

}  // namespace bev::native
