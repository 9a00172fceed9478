#include "core/zarr/blosc.hpp"

#include <blosc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/blosc_header.hpp"
#include "core/zarr/gather.hpp"
#include "core/zarr/lz4_block.hpp"
#include "core/zarr/scratch.hpp"
#include "core/zarr/shuffle.hpp"

namespace bev::zarr {
namespace {

using Bytes = std::span<const std::byte>;

/// Decodes blocks of LZ4 with byte shuffle into columns.
///
/// Shapes  Items are the records themselves. A block unsplit is one stream of all
/// planes;
///         split, a stream for each plane.
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

  // Brings the wanted planes into scratch memory, each as far as `row_end`.
  void decode_planes(std::size_t block, std::size_t row_end) {
    const std::size_t rows = rows_in(block);
    Bytes streams = table_.streams(block);
    if (header_.splits(block) == 1) {
      const std::span<std::byte> all(scratch_.data(), rows * header_.typesize);
      decode_stream(block, take_stream(block, streams), all,
                    (planes_ - 1) * rows + row_end);
      return;
    }
    for (std::size_t plane = 0; plane < planes_; ++plane) {
      const Bytes stream = take_stream(block, streams);
      if (!is_wanted(plane)) continue;
      decode_stream(block, stream, {scratch_.data() + plane * rows, rows}, row_end);
    }
  }

  bool is_wanted(std::size_t plane) const {
    return std::any_of(slots_.begin(), slots_.end(), [&](const ColumnSlot& slot) {
      return plane >= slot.offset && plane < slot.offset + slot.size;
    });
  }

  Bytes take_stream(std::size_t block, Bytes& streams) const {
    const bool has_length = streams.size() >= 4;
    const std::size_t length =
        has_length ? load_le<std::uint32_t>(streams.data()) : std::size_t{0};
    if (!has_length || length > streams.size() - 4) {
      corrupt_block(
          header_, chunk_, block,
          {"a stream of ", length, " bytes, ", streams.size(), " are left for it"});
    }
    const Bytes stream = streams.subspan(4, length);
    streams = streams.subspan(4 + length);
    return stream;
  }

  // At least the first `target` bytes of what the stream holds.
  void decode_stream(std::size_t block, Bytes stream, std::span<std::byte> out,
                     std::size_t target) const {
    if (stream.size() == out.size()) {  // c-blosc's mark of a stream not compressed
      std::memcpy(out.data(), stream.data(), target);
      return;
    }
    if (!decode_lz4(stream, out, target)) {
      corrupt_block(header_, chunk_, block,
                    {"does not decode to ", out.size(), " bytes"});
    }
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
  std::size_t planes_ = 0;  // how many of the first planes hold all that is wanted
};

// blosc_getitem does not check what its malloc returns.
void check_memory(EncodedChunk chunk, const BloscHeader& header) {
  const std::size_t needed = 3 * header.blocksize + 4 * header.typesize;
  void* const memory = std::malloc(needed);
  if (memory == nullptr) {
    fail(Errc::out_of_memory, {chunk.key, ": blosc: no memory for ", needed, " bytes"});
  }
  std::free(memory);
}

// Items [begin, end), of the chunk's own size of items, by c-blosc.
void get_items(EncodedChunk chunk, const BloscHeader& header, RowRange items,
               std::byte* out) {
  BlockTable table(header, chunk);  // its checks; c-blosc makes the rest of them
  check_memory(chunk, header);
  const int got = blosc_getitem(chunk.bytes.data(), static_cast<int>(items.begin),
                                static_cast<int>(items.size()), out);
  const std::size_t bytes = items.size() * header.typesize;
  if (got >= 0 && static_cast<std::size_t>(got) == bytes) return;
  const std::size_t first = items.begin * header.typesize / header.blocksize;
  const std::size_t last = (items.end * header.typesize - 1) / header.blocksize;
  corrupt_block(header, chunk, first,
                {"it or one up to block ", last, " does not decode"});
}

void decode_by_items(EncodedChunk chunk, const BloscHeader& header, ChunkShape shape,
                     RowRange rows, std::span<const ColumnSlot> slots) {
  // Items need not be records: round outward to whole ones.
  const std::size_t begin = rows.begin * shape.record_size / header.typesize;
  const std::size_t end =
      (rows.end * shape.record_size + header.typesize - 1) / header.typesize;
  const std::size_t skipped = rows.begin * shape.record_size - begin * header.typesize;
  const bool whole = slots.size() == 1 && slots[0].size == shape.record_size;
  if (whole && skipped == 0 && (end - begin) * header.typesize == slots[0].out.size()) {
    get_items(chunk, header, {begin, end}, slots[0].out.data());
    return;
  }
  Scratch scratch((end - begin) * header.typesize);
  get_items(chunk, header, {begin, end}, scratch.data());
  gather(scratch.data() + skipped, shape.record_size, rows.size(), slots);
}

}  // namespace

void decode_blosc(EncodedChunk chunk, ChunkShape shape, RowRange rows,
                  std::span<const ColumnSlot> slots) {
  const BloscHeader header = parse_blosc_header(chunk, shape.record_size * shape.rows);
  if (rows.size() == 0) return;
  if (header.stored()) {
    const Bytes records = chunk.bytes.subspan(kBloscHeaderBytes);
    gather(records.data() + rows.begin * shape.record_size, shape.record_size,
           rows.size(), slots);
    return;
  }
  const bool own = header.format() == BloscHeader::Format::lz4 &&
                   header.byte_shuffled() && header.typesize == shape.record_size &&
                   header.blocksize >= header.typesize;
  if (own) {
    ShuffledLz4(chunk, header, rows, slots).run();
  } else {
    decode_by_items(chunk, header, shape, rows, slots);
  }
}

}  // namespace bev::zarr
