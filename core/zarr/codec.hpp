#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/zarr/decode.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Whether this build decodes streams of the codec; of blosc, chunks with that `cname`.
/// formats_refused.cpp has the answers of the WebAssembly module that reads less.
bool decodes(Compressor::Id codec, std::string_view cname) noexcept;

/// Throws corrupt_chunk if no stream of the codec this short can hold so many bytes;
/// asked before memory for them is allocated.
void check_plausible(Compressor::Id codec, EncodedChunk chunk,
                     std::size_t decoded_size);

/// Decodes a chunk of a codec that is one stream: zlib, gzip, zstd or lz4.
///
/// The stream has to give out.size() bytes and end with the chunk; gzip may have
/// several members and zero padding, zstd several frames. lz4 is a block after its
/// decoded size in four bytes, little-endian, as numcodecs writes it.
///
/// Errors  corrupt_chunk; `out` is unspecified then.
void decode_stream(Compressor::Id codec, EncodedChunk chunk, std::span<std::byte> out);

}  // namespace bev::zarr
