#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/scene/agent_index.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// The agents that a mask of the user's says are the items of an agent data set. A
/// mask is a .npy, the array arr_0 of a .npz, or a zarr array: of shape (n), where all
/// but 0 is an item and the minima say nothing; or (n, 2), the frames before and after
/// each agent, which are held against the minima.
///
/// @throws Error  not_found where nothing is; invalid_argument for what is no mask, or
///                one of another number of agents; missing_key for a chunk of a zarr array
///                that is absent, unless `options` allow it; and what reading throws
std::shared_ptr<const scene::AgentIndex> read_mask(const std::string& path,
                                                   scene::MaskMinima minima,
                                                   std::uint64_t agent_count,
                                                   const ReadOptions& options = {});

}  // namespace bev::native
