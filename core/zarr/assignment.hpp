#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/zarr/box.hpp"

namespace bev::zarr {

/// Elements of an array that are to be changed: a box, or some rows of it.
struct Target {
  Box box;
  /// If `by_rows`, the indices that replace those of the first axis; `box.front()` is
  /// then ignored. In any order; of a row that is there twice, the last value counts.
  std::vector<std::uint64_t> rows = {};
  bool by_rows = false;
};

/// Returns the number of elements of the target.
std::uint64_t count_of(const Target& target);

/// Returns the chunks with elements of the target, in C order.
///
/// Throws  as chunks_of_box(); out_of_range for a row outside the array
std::vector<ChunkIndex> chunks_of(const ArrayMeta& meta, const Target& target);

/// Copies the elements of the target that are in a chunk to their positions in `out`; as
/// copy_box().
void copy_target(const ArrayMeta& meta, const ChunkIndex& chunk,
                 std::span<const std::byte> decoded, const Target& target,
                 std::span<std::byte> out);

/// Values for elements of an array, divided among the chunks.
///
/// Shapes    `values` are those of one or several parts of the elements (fields), each
///           with a value for every element of the target, in C order.
/// Lifetime  The values outlive the assignment.
/// Throws    as chunks_of_box() and assign_box(); invalid_argument for `where` with rows
class Assignment {
 public:
  Assignment(Target target, std::vector<BoxValues> values);

  std::vector<ChunkIndex> chunks(const ArrayMeta& meta) const {
    return chunks_of(meta, target_);
  }

  /// Whether all elements of the chunk that lie within the array are replaced, so that
  /// the old chunk is not needed.
  bool replaces(const ArrayMeta& meta, const ChunkIndex& chunk) const;

  /// Puts the values into a decoded chunk.
  void apply(const ArrayMeta& meta, const ChunkIndex& chunk,
             std::span<std::byte> decoded) const;

 private:
  Target target_;
  std::vector<BoxValues> values_;
  std::size_t prefix_ = 0;  // leading bytes of each element that are all replaced
};

}  // namespace bev::zarr
