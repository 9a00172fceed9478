#include "core/zarr/decode.hpp"

#include <array>
#include <string>

#include "core/base/error.hpp"
#include "core/zarr/blosc.hpp"
#include "core/zarr/codec.hpp"
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

void gather_raw(EncodedChunk chunk, ChunkShape shape, RowRange rows,
                std::span<const ColumnSlot> slots) {
  const std::size_t expected = shape.rows * shape.record_size;
  if (chunk.bytes.size() != expected) {
    fail(Errc::corrupt_chunk,
         {chunk.key, ": ", chunk.bytes.size(), " bytes, expected ", expected});
  }
  gather(chunk.bytes.data() + rows.begin * shape.record_size, shape.record_size,
         rows.size(), slots);
}

}  // namespace

void decode_chunk(const ArrayMeta& meta, EncodedChunk chunk, std::span<std::byte> out) {
  const std::size_t bytes = meta.chunk_bytes();
  if (out.size() != bytes) {
    misuse(chunk, {"room for ", out.size(), " bytes, expected ", bytes});
  }
  if (meta.compressor.id != Id::blosc) {
    decode_stream(meta.compressor.id, chunk, out);
    return;
  }
  const std::size_t record_size = meta.dtype.size();
  const std::size_t rows = bytes / record_size;
  const std::array<ColumnSlot, 1> whole{ColumnSlot{0, record_size, out}};
  decode_blosc(chunk, {record_size, rows}, {0, rows}, whole);
}

void decode_columns(const ArrayMeta& meta, EncodedChunk chunk, RowRange rows,
                    std::span<const ColumnSlot> slots) {
  const auto whole = meta.shape.size() == 1 ? meta.chunks[0] : 0;
  decode_part(meta, chunk, static_cast<std::size_t>(whole), rows, slots);
}

void decode_part(const ArrayMeta& meta, EncodedChunk part, std::size_t part_rows,
                 RowRange rows, std::span<const ColumnSlot> slots) {
  check_slots(meta, part, rows, part_rows, slots);
  const ChunkShape shape{meta.dtype.size(), part_rows};
  if (meta.compressor.id == Id::none) return gather_raw(part, shape, rows, slots);
  if (meta.compressor.id == Id::blosc) return decode_blosc(part, shape, rows, slots);
  const std::size_t bytes = meta.chunk_bytes();
  check_plausible(meta.compressor.id, part, bytes);
  Scratch scratch(bytes);
  decode_stream(meta.compressor.id, part, {scratch.data(), bytes});
  gather(scratch.data() + rows.begin * shape.record_size, shape.record_size,
         rows.size(), slots);
}

}  // namespace bev::zarr
