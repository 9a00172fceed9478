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

}  // namespace bev::zarr
