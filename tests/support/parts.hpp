#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/zarr/chunk_layout.hpp"

namespace bev::test {

/// Cuts the part with these rows out of a whole chunk; nullopt if the chunk is shorter
/// than its layout states.
inline std::optional<std::vector<std::byte>> part_of_chunk(
    const zarr::ChunkLayout& layout, zarr::RowRange rows,
    const std::vector<std::byte>& whole) {
  std::vector<std::byte> part;
  layout.part_head(rows, part);
  std::vector<ByteRange> ranges;
  layout.byte_ranges(rows, ranges);
  for (const auto& range : ranges) {
    if (range.end > whole.size()) return std::nullopt;
    part.insert(part.end(), whole.begin() + static_cast<std::ptrdiff_t>(range.begin),
                whole.begin() + static_cast<std::ptrdiff_t>(range.end));
  }
  return part;
}

}  // namespace bev::test
