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
  std::vector<zarr::Extent> extents;
  layout.extents(rows, extents);
  for (const auto& extent : extents) {
    if (extent.end > whole.size()) return std::nullopt;
    part.insert(part.end(), whole.begin() + static_cast<std::ptrdiff_t>(extent.begin),
                whole.begin() + static_cast<std::ptrdiff_t>(extent.end));
  }
  return part;
}

}  // namespace bev::test
