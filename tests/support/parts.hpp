#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/zarr/chunk_layout.hpp"

namespace bev::test {

/// The chunk of these rows alone, made of a whole one; nullopt where the whole is
/// shorter than its layout says.
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
