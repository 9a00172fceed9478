#pragma once

#include <cstddef>
#include <span>

namespace bev::zarr {

/// What may be read past the end of a shuffled block: a SIMD load's overhang.
inline constexpr std::size_t kOverread = 16;

/// A block of records, byte-shuffled: all first bytes, then all second bytes, ...
///
/// Shapes   `data` is planes x rows bytes, and kOverread readable ones after them.
/// Example  The records AB CD EF are stored as ACE BDF: two planes of three rows.
struct ShuffledBlock {
  const std::byte* data = nullptr;
  std::size_t rows = 0;
};

/// Bytes [plane, plane + size) of the records [row, row + count), side by side.
struct Selection {
  std::size_t plane = 0;
  std::size_t size = 0;
  std::size_t row = 0;
  std::size_t count = 0;
};

/// Writes the selection as `count` pieces of `size` bytes. What is selected lies in the
/// block and `out` has count * size bytes: the caller has checked.
///
/// Source: c-blosc, shuffle-generic.h, for the layout.
void unshuffle(ShuffledBlock block, Selection selection, std::byte* out);

}  // namespace bev::zarr
