#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::zarr {

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
/// Throws  limit_exceeded if that exceeds the address space.
std::size_t row_bytes(const ArrayMeta& meta);

/// Returns the box of all elements.
Box whole_box(const ArrayMeta& meta);

/// Returns the chunks that overlap the box, in C order.
///
/// Throws  invalid_argument for a box outside the array; limit_exceeded for more than
///         2^22 chunks.
std::vector<ChunkIndex> chunks_of_box(const ArrayMeta& meta, const Box& box);

/// Copies the elements of the box that are in a chunk to their positions in `out`.
///
/// Shapes  `decoded` is the whole chunk, meta.chunk_bytes(), elements in meta.order;
///         `out` is the box's elements in C order; descending axes are reversed.
/// Throws  invalid_argument for other sizes, or for a box or a chunk outside the array.
void copy_box(const ArrayMeta& meta, const ChunkIndex& chunk,
              std::span<const std::byte> decoded, const Box& box,
              std::span<std::byte> out);

/// Fills the positions of these elements with the fill value, for an absent chunk.
void fill_box(const ArrayMeta& meta, const ChunkIndex& chunk, const Box& box,
              std::span<std::byte> out);

/// Bytes [offset, offset + size) of every element: one field of a record, or all.
struct ElementPart {
  std::size_t offset = 0;
  std::size_t size = 0;
};

/// Values for a part of the elements of a box, in C order.
struct BoxValues {
  ElementPart part;
  std::span<const std::byte> bytes;     ///< part.size for each element of the box
  std::span<const std::uint8_t> where;  ///< 0 keeps an element; empty: none is kept
};

/// Copies values to the elements of the box that are in a chunk: the inverse of
/// copy_box().
///
/// Throws  as copy_box(); invalid_argument for a part outside the element
void assign_box(const ArrayMeta& meta, const ChunkIndex& chunk, const Box& box,
                const BoxValues& values, std::span<std::byte> decoded);

/// Returns the number of elements of the box.
///
/// Throws  limit_exceeded if that exceeds 64 bits
std::uint64_t count_of(const Box& box);

/// Returns a decoded chunk of fill values.
std::vector<std::byte> fill_chunk(const ArrayMeta& meta);

}  // namespace bev::zarr
