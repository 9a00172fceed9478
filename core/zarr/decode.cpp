#include "core/zarr/decode.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/error.hpp"
#include "core/zarr/blosc.hpp"
#include "core/zarr/blosc_header.hpp"
#include "core/zarr/codec.hpp"
#include "core/zarr/crc32c.hpp"
#include "core/zarr/filter.hpp"
#include "core/zarr/gather.hpp"
#include "core/zarr/scratch.hpp"

namespace bev::zarr {
namespace {

using Id = Compressor::Id;

[[noreturn]] void misuse(EncodedChunk chunk, Message what) {
  fail(Errc::invalid_argument, {chunk.key, ": ", joined(what)});
}

void check_slots(const ArrayMeta& meta, EncodedChunk chunk, RowRange rows,
                 std::size_t held_rows, std::span<const ColumnSlot> slots) {
  const std::size_t record_size = meta.dtype.size();
  if (meta.shape.size() != 1)
    misuse(chunk, {"columns of an array that has not one axis"});
  if (rows.begin > rows.end || rows.end > held_rows) {
    misuse(chunk, {"rows ", rows.begin, " to ", rows.end, " of ", held_rows});
  }
  for (const ColumnSlot& slot : slots) {
    if (slot.offset > record_size || slot.size > record_size - slot.offset) {
      misuse(chunk, {"bytes ", slot.offset, " to ", slot.offset + slot.size,
                     " of a record of ", record_size});
    }
    if (slot.out.size() != rows.size() * slot.size) {
      misuse(chunk, {"room for ", slot.out.size(), " bytes, expected ",
                     rows.size() * slot.size});
    }
  }
}

void check_stored(EncodedChunk chunk, std::size_t expected) {
  if (chunk.bytes.size() == expected) return;
  fail(Errc::corrupt_chunk,
       {chunk.key, ": ", chunk.bytes.size(), " bytes, expected ", expected});
}

void gather_raw(EncodedChunk chunk, ChunkShape shape, RowRange rows,
                std::span<const ColumnSlot> slots) {
  check_stored(chunk, shape.rows * shape.record_size);
  gather(chunk.bytes.data() + rows.begin * shape.record_size, shape.record_size,
         rows.size(), slots);
}

// Decodes the whole output of a codec.
void decode_stored(Id codec, EncodedChunk chunk, std::size_t record_size,
                   std::span<std::byte> out) {
  if (codec == Id::none) {
    check_stored(chunk, out.size());
    std::copy(chunk.bytes.begin(), chunk.bytes.end(), out.begin());
    return;
  }
  if (codec != Id::blosc) return decode_stream(codec, chunk, out);
  const std::size_t rows = out.size() / record_size;
  const std::array<ColumnSlot, 1> whole{ColumnSlot{0, record_size, out}};
  decode_blosc(chunk, {record_size, rows}, {0, rows}, whole);
}

void decode_filtered(const ArrayMeta& meta, EncodedChunk chunk,
                     std::span<std::byte> out) {
  const auto size = filtered_bytes(meta);
  if (meta.compressor.id == Id::blosc) {
    parse_blosc_header(chunk, size);
  } else {
    check_plausible(meta.compressor.id, chunk, size);
  }
  std::vector<std::byte> stored(size);
  decode_stored(meta.compressor.id, chunk, 1, stored);
  undo_filters(meta, chunk, stored, out);
}

// Decodes a chunk whole and copies rows out of it.
void decode_then_gather(const ArrayMeta& meta, EncodedChunk chunk, RowRange rows,
                        std::span<const ColumnSlot> slots) {
  const std::size_t bytes = meta.chunk_bytes();
  const std::size_t record_size = meta.dtype.size();
  const auto first = rows.begin * record_size;
  if (!meta.filters.empty()) {
    std::vector<std::byte> whole(bytes);
    decode_filtered(meta, chunk, whole);
    return gather(whole.data() + first, record_size, rows.size(), slots);
  }
  check_plausible(meta.compressor.id, chunk, bytes);
  Scratch scratch(bytes);
  decode_stream(meta.compressor.id, chunk, {scratch.data(), bytes});
  gather(scratch.data() + first, record_size, rows.size(), slots);
}

}  // namespace

void decode_chunk(const ArrayMeta& meta, EncodedChunk chunk, std::span<std::byte> out) {
  const std::size_t bytes = meta.chunk_bytes();
  if (meta.checksum) chunk = without_checksum(chunk);
  if (out.size() != bytes) {
    misuse(chunk, {"room for ", out.size(), " bytes, expected ", bytes});
  }
  if (!meta.filters.empty()) return decode_filtered(meta, chunk, out);
  decode_stored(meta.compressor.id, chunk, meta.dtype.size(), out);
}

void decode_columns(const ArrayMeta& meta, EncodedChunk chunk, RowRange rows,
                    std::span<const ColumnSlot> slots) {
  const auto whole = meta.shape.size() == 1 ? meta.chunks[0] : 0;
  decode_part(meta, chunk, static_cast<std::size_t>(whole), rows, slots);
}

void decode_part(const ArrayMeta& meta, EncodedChunk part, std::size_t part_rows,
                 RowRange rows, std::span<const ColumnSlot> slots) {
  check_slots(meta, part, rows, part_rows, slots);
  if (meta.checksum) part = without_checksum(part);
  const ChunkShape shape{meta.dtype.size(), part_rows};
  if (meta.filters.empty()) {
    const auto id = meta.compressor.id;
    if (id == Id::none) return gather_raw(part, shape, rows, slots);
    if (id == Id::blosc) return decode_blosc(part, shape, rows, slots);
  }
  decode_then_gather(meta, part, rows, slots);
}

}  // namespace bev::zarr
