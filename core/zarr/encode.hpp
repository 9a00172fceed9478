#pragma once

#include <cstddef>
#include <span>
#include <string>
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

/// Returns the .zarray of an array, as zarr-python writes it. Ignores `meta.json`.
std::string array_meta_json(const ArrayMeta& meta);

}  // namespace bev::zarr
