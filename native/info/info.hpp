#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "native/source/source.hpp"

namespace bev::native {

/// What a zarr store is, from its metadata and the sizes of its objects:
/// {format, attrs, arrays: {path: {shape, chunks, dtype, order, fill_value, compressor,
/// filters, stored_bytes, stored_chunks, missing_chunks}}, table}.
///
/// Shapes  `stored_bytes` and `stored_chunks` count the chunks of an array, and
///         `missing_chunks` those its shape has beside them; all null where objects
///         cannot be listed, the last also for an array in shards. An array that is the store has
///         the path "". One that cannot be read has `error`, the reason, beside what
///         its metadata says. `table` is L5Kit's summary, null if the store is no data
///         set of L5Kit's.
/// Errors  What reading the metadata throws; missing_key if there is no zarr store.
nlohmann::json info(Source& source);

/// Says which of L5Kit's arrays lack chunks, by what info() returned: "agents: 2 of 16
/// chunks are missing"; "" if none does. Their rows are named by intervals, so a chunk
/// that is not stored was lost.
std::string missing_text(const nlohmann::json& info);

/// The same for a person to read: a line and the fields for each array.
std::string info_text(const nlohmann::json& info, const std::string& name);

}  // namespace bev::native
