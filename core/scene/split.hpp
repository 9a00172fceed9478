#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Splits a dataset by size: returns the scenes of each part. A part gets its share of
/// the bytes in scenes, rounded down; the last part gets the rest.
///
/// @param sizes_gb  of all parts; the last must be -1
/// @throws Error    invalid_argument without parts, for a last size that is not -1, for
///                  a size that is negative or not finite, and if a part would be empty
/// Units      GB are 2^30 bytes, of the files as stored.
/// Reference  L5Kit, zarr_split.
std::vector<Interval> split_scenes(std::uint64_t scene_count,
                                   std::uint64_t stored_bytes,
                                   std::span<const double> sizes_gb);

}  // namespace bev::scene
