#include "core/zarr/decode.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "core/base/error.hpp"
#include "core/zarr/blosc.hpp"
#include "core/zarr/blosc_header.hpp"
#include "core/zarr/codec.hpp"
#include "core/zarr/crc32c.hpp"
#include "core/zarr/filter.hpp"

namespace bev::zarr {
namespace {

using Id = Compressor::Id;

// Whole decoded chunks of common datasets fit (L5Kit's largest is 2.3 MB).
constexpr std::size_t kMaxRetained = std::size_t{16} << 20;

[[noreturn]] void wrong_length(Errc code, EncodedChunk chunk, std::size_t found,
                               std::size_t expected) {
  fail_at(code, chunk.key,
          {"wrong length (found ", found, " bytes, expected ", expected, ")"});
}

// A constant size lets the compiler copy in registers.
template <std::size_t kSize>
void copy_fixed(const std::byte* from, std::size_t record_size, std::size_t count,
                std::byte* to) {
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to + i * kSize, from + i * record_size, kSize);
  }
}

void copy_slot(const std::byte* from, std::size_t record_size, std::size_t count,
               const ColumnSlot& slot) {
  std::byte* to = slot.out.data();
  switch (slot.size) {
    case 1: return copy_fixed<1>(from, record_size, count, to);
    case 2: return copy_fixed<2>(from, record_size, count, to);
    case 4: return copy_fixed<4>(from, record_size, count, to);
    case 8: return copy_fixed<8>(from, record_size, count, to);
    case 12: return copy_fixed<12>(from, record_size, count, to);
    case 16: return copy_fixed<16>(from, record_size, count, to);
    default: break;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to + i * slot.size, from + i * record_size, slot.size);
  }
}

void check_slots(const ArrayMeta& meta, EncodedChunk chunk, RowRange rows,
                 std::size_t held_rows, std::span<const ColumnSlot> slots) {
  const std::size_t record_size = meta.dtype.size();
  if (meta.shape.size() != 1)
    fail_at(Errc::invalid_argument, chunk.key,
            {"columns require a one-dimensional array"});
  if (rows.begin > rows.end || rows.end > held_rows) {
    fail_at(Errc::invalid_argument, chunk.key,
            {"rows ", rows.begin, ":", rows.end, " are out of range (count ", held_rows,
             ")"});
  }
  for (const ColumnSlot& slot : slots) {
    if (slot.offset > record_size || slot.size > record_size - slot.offset) {
      fail_at(Errc::invalid_argument, chunk.key,
              {"field bytes ", slot.offset, ":", slot.offset + slot.size,
               " are out of range (record size ", record_size, ")"});
    }
    if (slot.out.size() != rows.size() * slot.size) {
      wrong_length(Errc::invalid_argument, chunk, slot.out.size(),
                   rows.size() * slot.size);
    }
  }
}

void check_stored(EncodedChunk chunk, std::size_t expected) {
  if (chunk.bytes.size() == expected) return;
  wrong_length(Errc::corrupt_chunk, chunk, chunk.bytes.size(), expected);
}

void copy_raw(EncodedChunk chunk, ChunkShape shape, RowRange rows,
              std::span<const ColumnSlot> slots) {
  check_stored(chunk, shape.rows * shape.record_size);
  copy_columns(chunk.bytes.data() + rows.begin * shape.record_size, shape.record_size,
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
void decode_then_copy(const ArrayMeta& meta, EncodedChunk chunk, RowRange rows,
                      std::span<const ColumnSlot> slots) {
  const std::size_t bytes = meta.chunk_bytes();
  const std::size_t record_size = meta.dtype.size();
  const auto first = rows.begin * record_size;
  if (!meta.filters.empty()) {
    std::vector<std::byte> whole(bytes);
    decode_filtered(meta, chunk, whole);
    return copy_columns(whole.data() + first, record_size, rows.size(), slots);
  }
  check_plausible(meta.compressor.id, chunk, bytes);
  Scratch scratch(bytes);
  decode_stream(meta.compressor.id, chunk, {scratch.data(), bytes});
  copy_columns(scratch.data() + first, record_size, rows.size(), slots);
}

}  // namespace

Scratch::Scratch(std::size_t size) {
  if (bytes().size() < size) bytes().resize(size);
}

Scratch::~Scratch() {
  if (bytes().size() > kMaxRetained) std::vector<std::byte>().swap(bytes());
}

std::byte* Scratch::data() noexcept {
  return bytes().data();
}

std::vector<std::byte>& Scratch::bytes() noexcept {
  thread_local std::vector<std::byte> memory;
  return memory;
}

void copy_columns(const std::byte* records, std::size_t record_size, std::size_t count,
                  std::span<const ColumnSlot> slots) {
  if (count == 0) return;
  for (const ColumnSlot& slot : slots) {
    if (slot.size == 0) continue;
    if (slot.size == record_size) {
      std::memcpy(slot.out.data(), records, count * record_size);
    } else {
      copy_slot(records + slot.offset, record_size, count, slot);
    }
  }
}

void decode_chunk(const ArrayMeta& meta, EncodedChunk chunk, std::span<std::byte> out) {
  const std::size_t bytes = meta.chunk_bytes();
  if (meta.checksum) chunk = without_checksum(chunk);
  if (out.size() != bytes) {
    wrong_length(Errc::invalid_argument, chunk, out.size(), bytes);
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
    if (id == Id::none) return copy_raw(part, shape, rows, slots);
    if (id == Id::blosc) return decode_blosc(part, shape, rows, slots);
  }
  decode_then_copy(meta, part, rows, slots);
}

}  // namespace bev::zarr
