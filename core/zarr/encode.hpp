#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Encodes the elements of a chunk by the array's compressor, and adds the checksum.
///
/// @param elements  a whole chunk, meta.chunk_bytes(), in meta.order, padded with the
///                  fill value past the end of the array
/// @throws Error    invalid_argument for another size; unsupported for data that
///                  exceeds the codec's limit (Blosc: 2 GiB), for filters and shards,
///                  and in WebAssembly for every codec but none
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

/// Member of an array's attributes that names its axes, for xarray.
inline constexpr std::string_view kDimensions = "_ARRAY_DIMENSIONS";

/// Returns the .zattrs of an array: {"_ARRAY_DIMENSIONS": [rows, "NAME_1", "NAME_2"]}.
///
/// @param rows   name of the first axis, which arrays of equally many rows share
/// @param array  the array's name, of which those of the other axes are made
std::string axis_names_json(std::string_view rows, std::string_view array,
                            std::size_t axes);

}  // namespace bev::zarr
