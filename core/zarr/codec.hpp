#pragma once

#include <cstddef>
#include <span>

#include "core/zarr/decode.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Throws corrupt_chunk if no stream of the codec this short can hold so many bytes;
/// asked before memory for them is allocated.
void check_plausible(Compressor::Id codec, EncodedChunk chunk,
                     std::size_t decoded_size);

/// Decodes a chunk of a codec that is one stream: none, zlib, gzip, zstd or lz4.
///
/// The stream has to give out.size() bytes and end with the chunk; gzip may have
/// several members and zero padding, zstd several frames. lz4 is a block after its
/// decoded size in four bytes, little-endian, as numcodecs writes it.
///
/// Errors  corrupt_chunk; `out` is unspecified then.
void decode_stream(Compressor::Id codec, EncodedChunk chunk, std::span<std::byte> out);

}  // namespace bev::zarr
