#pragma once

#include <cstddef>

#include "core/zarr/blosc_header.hpp"

namespace bev::zarr {

/// Items of a compressed chunk of LZ4, however its bytes and bits are shuffled.
///
/// Shapes  `items` are of the chunk's own size of items, and within the chunk; `out`
/// has
///         room for all of them.
/// Errors  corrupt_chunk naming the block; out_of_memory.
/// Source: c-blosc 1.21, README_CHUNK_FORMAT.rst, and blosc.c, blosc_d.
void lz4_items(EncodedChunk chunk, const BloscHeader& header, RowRange items,
               std::byte* out);

/// The same of a chunk of any other codec, by c-blosc.
///
/// Errors  unsupported in the module that pages load first.
void blosc_items(EncodedChunk chunk, const BloscHeader& header, RowRange items,
                 std::byte* out);

}  // namespace bev::zarr
