#include "core/zarr/blosc.hpp"

#include <algorithm>

#include "core/zarr/blosc_header.hpp"
#include "core/zarr/blosc_items.hpp"
#include "core/zarr/lz4_block.hpp"
#include "core/zarr/shuffle.hpp"

namespace bev::zarr {
namespace {

using Bytes = std::span<const std::byte>;

/// Decodes LZ4 blocks with byte shuffle into columns.
///
/// Shapes  Items are the records themselves. An unsplit block is one stream of all
///         planes; a split block has one stream per plane.
class ShuffledLz4 {
 public:
  ShuffledLz4(EncodedChunk chunk, const BloscHeader& header, RowRange rows,
              std::span<const ColumnSlot> slots)
      : chunk_(chunk),
        header_(header),
        table_(header, chunk),
        rows_(rows),
        slots_(slots),
        scratch_(header.blocksize + std::max(kOverread, kLz4Slack)) {
    for (const ColumnSlot& slot : slots) {
      if (slot.size > 0) planes_ = std::max(planes_, slot.offset + slot.size);
    }
  }

  void run() {
    const std::size_t block_rows = header_.blocksize / header_.typesize;
    if (rows_.size() == 0 || planes_ == 0) return;
    const std::size_t last = (rows_.end - 1) / block_rows;
    for (std::size_t block = rows_.begin / block_rows; block <= last; ++block) {
      const std::size_t first_row = block * block_rows;
      const std::size_t begin = std::max(rows_.begin, first_row) - first_row;
      const std::size_t end = std::min(rows_.end - first_row, block_rows);
      decode_planes(block, end);
      write_columns(block, {begin, end});
    }
  }

 private:
  std::size_t rows_in(std::size_t block) const {
    return header_.block_bytes(block) / header_.typesize;
  }

  // Decodes the selected planes into scratch memory, each up to `row_end`.
  void decode_planes(std::size_t block, std::size_t row_end) {
    const std::size_t rows = rows_in(block);
    BloscStreams streams(chunk_, header_, table_, block);
    if (header_.splits(block) == 1) {
      streams.decode({scratch_.data(), rows * header_.typesize},
                     (planes_ - 1) * rows + row_end);
      return;
    }
    for (std::size_t plane = 0; plane < planes_; ++plane) {
      if (is_wanted(plane)) {
        streams.decode({scratch_.data() + plane * rows, rows}, row_end);
      } else {
        streams.skip();
      }
    }
  }

  bool is_wanted(std::size_t plane) const {
    return std::any_of(slots_.begin(), slots_.end(), [&](const ColumnSlot& slot) {
      return plane >= slot.offset && plane < slot.offset + slot.size;
    });
  }

  void write_columns(std::size_t block, RowRange in_block) {
    const ShuffledBlock planes{scratch_.data(), rows_in(block)};
    const std::size_t block_rows = header_.blocksize / header_.typesize;
    const std::size_t row = block * block_rows + in_block.begin - rows_.begin;
    for (const ColumnSlot& slot : slots_) {
      unshuffle(planes, {slot.offset, slot.size, in_block.begin, in_block.size()},
                slot.out.data() + row * slot.size);
    }
  }

  EncodedChunk chunk_;
  const BloscHeader& header_;
  BlockTable table_;
  RowRange rows_;
  std::span<const ColumnSlot> slots_;
  Scratch scratch_;
  std::size_t planes_ = 0;  // planes up to the last selected one
};

void decode_by_items(EncodedChunk chunk, const BloscHeader& header, ChunkShape shape,
                     RowRange rows, std::span<const ColumnSlot> slots) {
  // Items need not be records: round outward to whole items.
  const std::size_t begin = rows.begin * shape.record_size / header.typesize;
  const std::size_t end =
      (rows.end * shape.record_size + header.typesize - 1) / header.typesize;
  const std::size_t skipped = rows.begin * shape.record_size - begin * header.typesize;
  const bool whole = slots.size() == 1 && slots[0].size == shape.record_size;
  if (whole && skipped == 0 && (end - begin) * header.typesize == slots[0].out.size()) {
    blosc_items(chunk, header, {begin, end}, slots[0].out.data());
    return;
  }
  Scratch scratch((end - begin) * header.typesize);
  blosc_items(chunk, header, {begin, end}, scratch.data());
  copy_columns(scratch.data() + skipped, shape.record_size, rows.size(), slots);
}

}  // namespace

void decode_blosc(EncodedChunk chunk, ChunkShape shape, RowRange rows,
                  std::span<const ColumnSlot> slots) {
  const BloscHeader header = parse_blosc_header(chunk, shape.record_size * shape.rows);
  if (rows.size() == 0) return;
  if (header.stored()) {
    const Bytes records = chunk.bytes.subspan(kBloscHeaderBytes);
    copy_columns(records.data() + rows.begin * shape.record_size, shape.record_size,
                 rows.size(), slots);
    return;
  }
  const bool is_shuffled_lz4 = header.format() == BloscHeader::Format::lz4 &&
                               header.byte_shuffled() &&
                               header.blocksize >= header.typesize;
  if (is_shuffled_lz4 && header.typesize == shape.record_size) {
    ShuffledLz4(chunk, header, rows, slots).run();
  } else if (is_shuffled_lz4 && slots.size() == 1 &&
             slots[0].size == shape.record_size &&
             shape.record_size % header.typesize == 0) {
    // Whole rows of several items each
    const auto items = shape.record_size / header.typesize;
    const ColumnSlot slot{0, header.typesize, slots[0].out};
    ShuffledLz4(chunk, header, {rows.begin * items, rows.end * items},
                std::span(&slot, 1))
        .run();
  } else {
    decode_by_items(chunk, header, shape, rows, slots);
  }
}

}  // namespace bev::zarr
