#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// A chunk as it is stored. The key names it in messages: "agents/12".
struct EncodedChunk {
  std::string_view key;
  std::span<const std::byte> bytes;
  std::size_t first_block = 0;  ///< for messages: of a part, its place in the whole
};

/// Rows of a chunk, half open, the chunk's first being 0.
struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const noexcept { return end - begin; }
};

/// Bytes [offset, offset + size) of every record, and where they go.
struct ColumnSlot {
  std::size_t offset = 0;
  std::size_t size = 0;
  std::span<std::byte> out;  ///< rows x size bytes
};

/// Decodes a whole chunk, elements as stored (order, byte order).
///
/// Shapes   `out` is meta.chunk_bytes() long.
/// Errors   corrupt_chunk if the bytes do not decode to exactly that; unsupported for a
///          Blosc chunk in a format that is not read here. The message names key, codec
///          and, for Blosc, the block. `out` is unspecified then.
/// Threads  Any; scratch memory is kept per thread.
void decode_chunk(const ArrayMeta& meta, EncodedChunk chunk, std::span<std::byte> out);

/// Decodes some fields of some rows of a chunk of a one-dimensional array.
///
/// Only what is asked is decoded, as far as the codec allows: with Blosc the blocks
/// that hold the rows; with Blosc's LZ4 and byte shuffle, in them, only up to the last
/// wanted byte of the record, and records are never built. A slot of the whole record
/// (offset 0, all its bytes) gives records. Allocates nothing once scratch has grown.
///
/// Shapes  slot.out is rows.size() * slot.size bytes.
/// Errors  As decode_chunk, where damage outside of what was decoded may go unnoticed;
///         invalid_argument for rows or a slot outside of the chunk or the record.
void decode_columns(const ArrayMeta& meta, EncodedChunk chunk, RowRange rows,
                    std::span<const ColumnSlot> slots);

/// The same from a part of a chunk, which ChunkLayout says how to make.
///
/// @param part_rows  how many rows it holds; `rows` are counted from its first
void decode_part(const ArrayMeta& meta, EncodedChunk part, std::size_t part_rows,
                 RowRange rows, std::span<const ColumnSlot> slots);

}  // namespace bev::zarr
