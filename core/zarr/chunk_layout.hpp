#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/zarr/blosc_header.hpp"
#include "core/zarr/decode.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Bytes [begin, end) of an encoded chunk.
struct Extent {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const noexcept { return end - begin; }
  bool operator==(const Extent&) const = default;
};

/// Rows that are best decoded together, for they lie in the same Blosc blocks: the
/// unit_rows() of a ChunkLayout, but of any chunk, and by its first bytes alone. 0
/// where it does not matter.
std::size_t unit_rows_of(const ArrayMeta& meta, EncodedChunk chunk);

/// Which bytes of an encoded chunk hold which of its rows, so that a chunk can be
/// decoded of which only a part was read.
///
/// Rows are read in units: as many as whole Blosc blocks hold, or as many as fit in
/// 64 KiB where nothing is compressed. What is read of them is put together as a chunk
/// of its own, by part_head() and the extents after it.
///
/// Errors  corrupt_chunk and unsupported, as parse_blosc_header.
class ChunkLayout {
 public:
  /// Whether chunks of the array may have units: one axis, no compressor or Blosc.
  static bool possible(const ArrayMeta& meta) noexcept;

  /// How many bytes at its start a layout is read from, as far as those at hand tell:
  /// 0 for what is not compressed, a header's and then its table's.
  static std::size_t head_bytes(const ArrayMeta& meta, EncodedChunk head);

  /// Fewer rows are not worth a request, nor a place in a cache, of their own.
  static constexpr std::size_t kLeastRows = 512;

  /// @param head        the first head_bytes() of the chunk, or more of it
  /// @param least_rows  of a unit
  ChunkLayout(const ArrayMeta& meta, EncodedChunk head,
              std::size_t least_rows = kLeastRows);

  /// Of the whole chunk, as stored.
  std::size_t bytes() const noexcept { return bytes_; }

  /// Rows of every unit but a shorter last one; 0 where the chunk has no units, for
  /// its blocks are too few, too large, or cut records in two.
  std::size_t unit_rows() const noexcept { return unit_rows_; }

  /// The Blosc block that holds a row; 0 where there are none.
  std::size_t block_of(std::size_t row) const noexcept {
    return block_rows_ == 0 ? 0 : row / block_rows_;
  }

  /// The rows of the units that hold any of `rows`.
  RowRange whole_units(RowRange rows) const noexcept;

  /// Where the units of `rows` lie, in order of row; `rows` are whole units.
  void extents(RowRange rows, std::vector<Extent>& out) const;

  /// What precedes the bytes of extents() in a chunk of these rows alone.
  void part_head(RowRange rows, std::vector<std::byte>& out) const;

 private:
  bool read_blocks(EncodedChunk head);

  std::size_t bytes_ = 0;
  std::size_t rows_ = 0;
  std::size_t record_ = 0;
  std::size_t unit_rows_ = 0;
  std::size_t block_rows_ = 0;  // 0: not compressed
  BloscHeader header_;
  std::size_t data_ = 0;        // where records lie that are not compressed
  std::vector<Extent> blocks_;  // of each Blosc block
};

}  // namespace bev::zarr
