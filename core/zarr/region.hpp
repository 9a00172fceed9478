#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Rows [begin, end) along the first axis of an array. An array without axes has one
/// row.
struct RowSelection {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Elements along an axis: `count` elements from `first`, `step` apart.
struct AxisRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t step = 1;  ///< at least 1
  bool falling = false;    ///< descending: the last element comes first

  bool operator==(const AxisRange&) const = default;
};

/// One range per axis of an array.
using Box = std::vector<AxisRange>;

/// A chunk's index along each axis.
using ChunkIndex = std::vector<std::uint64_t>;

/// Returns the bytes of one row: dtype.size() times the lengths of all axes but the
/// first.
///
/// Throws  out_of_memory if that exceeds the address space.
std::size_t row_bytes(const ArrayMeta& meta);

/// Returns the chunks that overlap the rows, in C order.
///
/// Throws  invalid_argument for rows outside the array; out_of_memory for more than
///         2^22 chunks.
std::vector<ChunkIndex> chunks_of_rows(const ArrayMeta& meta, RowSelection rows);

/// Does the same for the chunks that overlap the box.
std::vector<ChunkIndex> chunks_of_box(const ArrayMeta& meta, const Box& box);

/// Copies the part of a chunk that overlaps the rows to its place in `out`.
///
/// Shapes  `decoded` is the whole chunk, meta.chunk_bytes(), elements in meta.order;
///         `out` is the rows in C order, (end - begin) * row_bytes(meta).
/// Throws  invalid_argument for other sizes, or for rows or a chunk outside the array.
void copy_region(const ArrayMeta& meta, const ChunkIndex& chunk,
                 std::span<const std::byte> decoded, RowSelection rows,
                 std::span<std::byte> out);

/// Fills the part of an absent chunk that overlaps the rows with the fill value.
void fill_region(const ArrayMeta& meta, const ChunkIndex& chunk, RowSelection rows,
                 std::span<std::byte> out);

/// Do the same for a box. `out` holds its elements in C order; descending axes are
/// reversed.
void copy_box(const ArrayMeta& meta, const ChunkIndex& chunk,
              std::span<const std::byte> decoded, const Box& box,
              std::span<std::byte> out);
void fill_box(const ArrayMeta& meta, const ChunkIndex& chunk, const Box& box,
              std::span<std::byte> out);

}  // namespace bev::zarr
