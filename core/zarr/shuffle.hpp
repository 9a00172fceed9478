#pragma once

#include <cstddef>
#include <span>

namespace bev::zarr {

/// Bytes that may be read past the end of a shuffled block by SIMD loads.
inline constexpr std::size_t kOverread = 16;

/// A byte-shuffled block of records: all first bytes, then all second bytes, ...
///
/// Shapes   `data` has planes x rows bytes, followed by kOverread readable bytes.
/// Example  The records AB CD EF are stored as ACE BDF: two planes of three rows.
struct ShuffledBlock {
  const std::byte* data = nullptr;
  std::size_t rows = 0;
};

/// Bytes [plane, plane + size) of the records [row, row + count).
struct Selection {
  std::size_t plane = 0;
  std::size_t size = 0;
  std::size_t row = 0;
  std::size_t count = 0;
};

/// Writes the selection as `count` pieces of `size` bytes. The caller has checked that
/// it lies in the block and that `out` has count * size bytes.
///
/// Reference  c-blosc, shuffle-generic.h, for the layout.
void unshuffle(ShuffledBlock block, Selection selection, std::byte* out);

/// Undoes bitshuffle: restores the bits of each element.
///
/// Shapes     `from` and `to` have equal length: a multiple of eight elements of `size`
///            bytes.
/// Example    For one-byte elements, the first eighth of `from` holds their lowest
///            bits, eight per byte; the first element's bit is the lowest.
/// Reference  c-blosc's bitshuffle format (bitshuffle-generic.c).
void unshuffle_bits(std::span<const std::byte> from, std::size_t size, std::byte* to);

}  // namespace bev::zarr
