#pragma once

#include <cstddef>

#include "core/zarr/blosc_header.hpp"

namespace bev::zarr {

/// Decodes items of an LZ4 chunk with any shuffle. Used by the wasm module that pages
/// load first, which lacks c-blosc.
///
/// Shapes     `items` count items of the chunk's own item size and are within the
///            chunk; `out` has space for all of them.
/// Throws     corrupt_chunk naming the block; out_of_memory.
/// Reference  c-blosc 1.21, README_CHUNK_FORMAT.rst, and blosc.c, blosc_d.
void lz4_items(EncodedChunk chunk, const BloscHeader& header, RowRange items,
               std::byte* out);

/// Does the same for a chunk of any codec by c-blosc, which undoes bitshuffle with
/// SIMD.
///
/// Throws  As lz4_items. In the module that pages load first, unsupported for all but
///         LZ4.
void blosc_items(EncodedChunk chunk, const BloscHeader& header, RowRange items,
                 std::byte* out);

}  // namespace bev::zarr
