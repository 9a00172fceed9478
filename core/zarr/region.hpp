#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Rows of an array, half open: a selection along its first axis. An array of no axes
/// has one row.
struct RowSelection {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Elements along an axis: `count` of them from `first` on, `step` apart.
struct AxisRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t step = 1;  ///< at least 1
  bool falling = false;    ///< the last of them comes first

  bool operator==(const AxisRange&) const = default;
};

/// A range along each axis of an array.
using Box = std::vector<AxisRange>;

/// Which chunk: an index along each axis.
using ChunkIndex = std::vector<std::uint64_t>;

/// Bytes of one row: dtype.size() times the lengths of all axes but the first.
///
/// Errors  out_of_memory if that does not fit in memory's addresses.
std::size_t row_bytes(const ArrayMeta& meta);

/// The chunks that hold any of the rows, in C order.
///
/// Errors  invalid_argument for rows outside of the array; out_of_memory for more than
///         4 million chunks.
std::vector<ChunkIndex> chunks_of_rows(const ArrayMeta& meta, RowSelection rows);

/// The chunks that hold any element of the box; the same.
std::vector<ChunkIndex> chunks_of_box(const ArrayMeta& meta, const Box& box);

/// Copies what a chunk holds of the rows to its place among them.
///
/// Shapes  `decoded` is the whole chunk, meta.chunk_bytes(), elements in meta.order;
///         `out` is the rows in C order, (end - begin) * row_bytes(meta).
/// Errors  invalid_argument for other sizes, or rows or a chunk outside of the array.
void copy_region(const ArrayMeta& meta, const ChunkIndex& chunk,
                 std::span<const std::byte> decoded, RowSelection rows,
                 std::span<std::byte> out);

/// The same for a chunk that is not stored: its part becomes the fill value.
void fill_region(const ArrayMeta& meta, const ChunkIndex& chunk, RowSelection rows,
                 std::span<std::byte> out);

/// The same two of a box, whose elements `out` has in C order, falling axes from their
/// end.
void copy_box(const ArrayMeta& meta, const ChunkIndex& chunk,
              std::span<const std::byte> decoded, const Box& box,
              std::span<std::byte> out);
void fill_box(const ArrayMeta& meta, const ChunkIndex& chunk, const Box& box,
              std::span<std::byte> out);

}  // namespace bev::zarr
