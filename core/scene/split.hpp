#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Which scenes go into which part when a data set is split by size: as many as the
/// part's share of the bytes, rounded down; the last part takes the rest.
///
/// Units     GB are 2^30 bytes, of the files as stored.
/// @param sizes_gb  of all parts; the last must be -1
/// @throws Error  invalid_argument for no parts, a last size that is not -1, a size
/// that
///                is negative or not finite, and where a part would be empty
///
/// Source  L5Kit, zarr_split.
std::vector<Interval> split_scenes(std::uint64_t scene_count,
                                   std::uint64_t stored_bytes,
                                   std::span<const double> sizes_gb);

}  // namespace bev::scene
