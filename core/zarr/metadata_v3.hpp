#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "core/zarr/consolidated.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// What a zarr.json says of an array, in the terms of version 2: its `json` is the
/// .zarray that would say the same.
///
/// Codecs: bytes; before it transpose, to one of the two orders; after it blosc, gzip
/// or zstd; then crc32c; the same in shards that are not nested (sharding_indexed, its
/// index of bytes and crc32c, before or after the chunks). Types: the core ones, r*,
/// struct and structured, fixed-length strings, NumPy's times.
///
/// @returns       nullopt for a group
/// @throws Error  as parse_array_meta
/// Source: Zarr v3 specification, and the extensions that zarr-python writes.
std::optional<ArrayMeta> parse_array_v3(std::string_view text, std::string_view key);

/// The zarr.json at the root of a store: a group, with all that is consolidated in it,
/// or the array that the store is, under "".
Group parse_root_v3(std::string_view text, std::string_view key);

}  // namespace bev::zarr
