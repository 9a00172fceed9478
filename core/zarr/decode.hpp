#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// An encoded chunk. The key names it in messages: "agents/12".
struct EncodedChunk {
  std::string_view key;
  std::span<const std::byte> bytes;
  std::size_t first_block = 0;  ///< for messages: number of a part's first block
};

/// Rows [begin, end) of a chunk, counted from the chunk's first row.
struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const noexcept { return end - begin; }
};

/// Bytes [offset, offset + size) of every record, and their destination.
struct ColumnSlot {
  std::size_t offset = 0;
  std::size_t size = 0;
  std::span<std::byte> out;  ///< rows x size bytes
};

/// Decodes a whole chunk. Elements stay as stored (order, byte order).
///
/// Shapes         `out` has meta.chunk_bytes() bytes.
/// Throws         corrupt_chunk if the bytes do not decode to exactly that size;
///                unsupported for an unsupported Blosc format. The message names key,
///                codec and, for Blosc, the block. `out` is then unspecified.
/// Thread safety  Any thread; scratch memory is kept per thread.
void decode_chunk(const ArrayMeta& meta, EncodedChunk chunk, std::span<std::byte> out);

/// Decodes some fields of some rows of a one-dimensional array's chunk.
///
/// Decodes no more than the codec requires: with Blosc the blocks that hold the rows;
/// with Blosc LZ4 and byte shuffle each of these only up to the last selected byte of
/// the record, and without building records. A slot of the whole record (offset 0, all
/// its bytes) yields records. Allocates nothing once scratch memory has grown.
///
/// Shapes  slot.out has rows.size() * slot.size bytes.
/// Throws  As decode_chunk, but damage outside the decoded bytes may go unnoticed;
///         invalid_argument for rows outside the chunk or a slot outside the record.
void decode_columns(const ArrayMeta& meta, EncodedChunk chunk, RowRange rows,
                    std::span<const ColumnSlot> slots);

/// Does the same for a part of a chunk, built as ChunkLayout describes.
///
/// @param part_rows  rows in the part; `rows` count from its first row
void decode_part(const ArrayMeta& meta, EncodedChunk part, std::size_t part_rows,
                 RowRange rows, std::span<const ColumnSlot> slots);

/// Copies the slots' bytes out of `count` contiguous records.
void copy_columns(const std::byte* records, std::size_t record_size, std::size_t count,
                  std::span<const ColumnSlot> slots);

/// Scratch memory of this thread, kept between calls so that decoding does not allocate
/// once it has grown. More than 16 MiB is released.
///
/// Lifetime  One at a time per thread; the initial content is unspecified.
class Scratch {
 public:
  /// Grows to at least `size` bytes.
  explicit Scratch(std::size_t size);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::byte* data() noexcept;

 private:
  static std::vector<std::byte>& bytes() noexcept;
};

}  // namespace bev::zarr
