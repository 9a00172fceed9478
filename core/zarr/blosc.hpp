#pragma once

#include <cstddef>
#include <span>

#include "core/zarr/decode.hpp"

namespace bev::zarr {

/// Size of a chunk of records according to the metadata.
struct ChunkShape {
  std::size_t record_size = 0;
  std::size_t rows = 0;
};

/// Decodes columns of some rows of a Blosc chunk, as decode_columns. The caller has
/// checked rows and slots.
///
/// LZ4 with byte shuffle is decoded here, block by block, straight into the
/// columns; everything else by c-blosc's blosc_getitem, which unlike blosc_decompress
/// links no compressor.
void decode_blosc(EncodedChunk chunk, ChunkShape shape, RowRange rows,
                  std::span<const ColumnSlot> slots);

}  // namespace bev::zarr
