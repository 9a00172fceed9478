#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/zarr/decode.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Returns whether this build decodes the codec; for blosc, chunks with that `cname`.
/// formats_refused.cpp answers for the smaller WebAssembly module.
bool decodes(Compressor::Id codec, std::string_view cname) noexcept;

/// Throws corrupt_chunk if no stream of this length can decode to `decoded_size` bytes.
/// Called before memory is allocated.
void check_plausible(Compressor::Id codec, EncodedChunk chunk,
                     std::size_t decoded_size);

/// Decodes a chunk that is a single zlib, gzip, zstd or lz4 stream.
///
/// The stream must decode to exactly out.size() bytes and end with the chunk. gzip may
/// have several members and zero padding, zstd several frames. lz4 is a block preceded
/// by its decoded size in four bytes, little-endian, as numcodecs writes it.
///
/// Throws  corrupt_chunk; `out` is then unspecified.
void decode_stream(Compressor::Id codec, EncodedChunk chunk, std::span<std::byte> out);

}  // namespace bev::zarr
