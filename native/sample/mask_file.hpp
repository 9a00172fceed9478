#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/scene/agent_index.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Reads the items of an agent data set from a user's mask. A mask is a .npy, the array
/// arr_0 of a .npz, or a zarr array: of shape (n), where non-zero values are items and
/// the minima are ignored; or (n, 2), the numbers of frames before and after each
/// agent, which are compared with the minima.
///
/// Throws  not_found if there is no file; invalid_argument if it is not a mask or has a
///         different number of agents; missing_key for an absent chunk of a zarr array,
///         unless `options` allow it; errors of reading
std::shared_ptr<const scene::AgentIndex> read_mask(const std::string& path,
                                                   scene::MaskMinima minima,
                                                   std::uint64_t agent_count,
                                                   const ReadOptions& options = {});

}  // namespace bev::native
