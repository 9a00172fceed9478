#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/zarr/blosc_header.hpp"
#include "core/zarr/decode.hpp"
#include "core/zarr/metadata.hpp"
#include "include/bevscope/byte_range.hpp"

namespace bev::zarr {

/// Returns the number of rows that decode together because they share Blosc blocks,
/// from the chunk's first bytes: ChunkLayout::unit_rows() of any chunk. 0 if there is
/// no such unit.
std::size_t unit_rows_of(const ArrayMeta& meta, EncodedChunk chunk);

/// Byte ranges of the rows in an encoded chunk, so that rows can be decoded from a
/// partly read chunk.
///
/// Rows are read in units: the rows of whole Blosc blocks, or as many as fit in 64 KiB
/// if nothing is compressed. part_head() and the bytes of byte_ranges() together form a
/// valid chunk of the units' rows alone.
///
/// Throws  corrupt_chunk and unsupported, as parse_blosc_header.
class ChunkLayout {
 public:
  /// Returns whether chunks of the array may have units: one axis, no compressor or
  /// Blosc, no filters and no checksum.
  static bool possible(const ArrayMeta& meta) noexcept;

  /// Returns how many leading bytes a layout is parsed from, as far as `head` tells: 0
  /// for uncompressed data; else the size of the header and, once `head` holds that, of
  /// header and table.
  static std::size_t head_bytes(const ArrayMeta& meta, EncodedChunk head);

  /// Fewer rows are not worth a request or a cache entry of their own.
  static constexpr std::size_t kMinRows = 512;

  /// @param head        the first head_bytes() of the chunk, or more
  /// @param least_rows  minimum rows per unit
  ChunkLayout(const ArrayMeta& meta, EncodedChunk head,
              std::size_t least_rows = kMinRows);

  /// Returns the encoded size of the whole chunk.
  std::size_t bytes() const noexcept { return bytes_; }

  /// Returns the rows of every unit but a shorter last one; 0 if the chunk has no units
  /// because its blocks are too few, too large or split records.
  std::size_t unit_rows() const noexcept { return unit_rows_; }

  /// Returns the Blosc block that holds a row; 0 without blocks.
  std::size_t block_of(std::size_t row) const noexcept {
    return block_rows_ == 0 ? 0 : row / block_rows_;
  }

  /// Returns the rows of all units that overlap `rows`.
  RowRange whole_units(RowRange rows) const noexcept;

  /// Appends the byte ranges of `rows`, which are whole units, in row order.
  void byte_ranges(RowRange rows, std::vector<ByteRange>& out) const;

  /// Writes the bytes that precede those of byte_ranges() in a chunk of these rows alone.
  void part_head(RowRange rows, std::vector<std::byte>& out) const;

 private:
  bool read_blocks(EncodedChunk head);

  std::size_t bytes_ = 0;
  std::size_t rows_ = 0;
  std::size_t record_ = 0;
  std::size_t unit_rows_ = 0;
  std::size_t block_rows_ = 0;  // 0: not compressed
  BloscHeader header_;
  std::size_t data_ = 0;           // offset of the records, if not compressed
  std::vector<ByteRange> blocks_;  // one per Blosc block
};

}  // namespace bev::zarr
