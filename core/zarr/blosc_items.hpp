#pragma once

#include <cstddef>

#include "core/zarr/blosc_header.hpp"

namespace bev::zarr {

/// Items of a compressed chunk of LZ4, however its bytes and bits are shuffled: for the
/// module that pages load first, which has no c-blosc.
///
/// Shapes  `items` are of the chunk's own size of items, and within the chunk; there is
///         room for all of them at `out`.
/// Errors  corrupt_chunk naming the block; out_of_memory.
/// Source: c-blosc 1.21, README_CHUNK_FORMAT.rst, and blosc.c, blosc_d.
void lz4_items(EncodedChunk chunk, const BloscHeader& header, RowRange items,
               std::byte* out);

/// The same of a chunk of any codec, by c-blosc, whose ways back from bits are vectors.
///
/// Errors  In the module that pages load first, unsupported for all but LZ4.
void blosc_items(EncodedChunk chunk, const BloscHeader& header, RowRange items,
                 std::byte* out);

}  // namespace bev::zarr
