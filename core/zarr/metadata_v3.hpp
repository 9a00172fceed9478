#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Parses an array's zarr.json to version 2 terms: `json` of the result is the
/// equivalent .zarray.
///
/// Codecs: bytes; before it transpose, to C or F order; after it blosc, gzip or zstd;
/// then crc32c; the same inside shards that are not nested (sharding_indexed, with an
/// index of bytes and crc32c, before or after the chunks). Types: the core types, r*,
/// struct and structured, fixed-length strings, NumPy's times.
///
/// @returns       nullopt for a group
/// @throws Error  as parse_array_meta
/// Reference  Zarr v3 specification, and the extensions that zarr-python writes.
std::optional<ArrayMeta> parse_array_v3(std::string_view text, std::string_view key);

/// Parses the zarr.json at the root of a store: a group with its consolidated metadata,
/// or the root array, under "".
Group parse_root_v3(std::string_view text, std::string_view key);

}  // namespace bev::zarr
