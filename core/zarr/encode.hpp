#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Encodes the elements of a chunk by the array's compressor.
///
/// @param elements  a whole chunk, meta.chunk_bytes(), in meta.order, padded with the
///                  fill value past the end of the array
/// @throws Error    invalid_argument for another size; unsupported for data that
///                  exceeds the codec's limit (Blosc: 2 GiB), for filters, shards and
///                  checksums, and in WebAssembly for every codec but none
std::vector<std::byte> encode_chunk(const ArrayMeta& meta,
                                    std::span<const std::byte> elements);

/// Returns the compressor with this name: "none", "zlib", "gzip", "zstd", "lz4", or Blosc
/// with "blosc:blosclz", "blosc:lz4", "blosc:lz4hc", "blosc:zlib", "blosc:zstd".
///
/// @param level   nullopt: 5 for Blosc, 3 for zstd, 1 for the others
/// @throws Error  invalid_argument for another name
Compressor compressor_named(std::string_view name, std::optional<int> level);

/// Returns the .zarray of an array, as zarr-python writes it. Ignores `meta.json`.
std::string array_meta_json(const ArrayMeta& meta);

}  // namespace bev::zarr
