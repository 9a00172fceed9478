#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Returns the zarr.json of an array that has version 2 metadata and the same chunks,
/// named "c/0/1".
///
/// @param chunks_per_shard  along the first axis; 0: each chunk is an object
/// @param where             the prefix of messages: "agents"
/// @throws Error  unsupported for what version 3 lacks: the codecs zlib and lz4 without
///                Blosc, filters, Fortran order, records with subarrays, fields with
///                byte orders of their own
/// Reference  Zarr v3 specification; zarr-python's extensions for strings, dates and
///            records.
nlohmann::json array_v3_json(const ArrayMeta& meta, std::uint64_t chunks_per_shard,
                             std::string_view where);

}  // namespace bev::zarr
