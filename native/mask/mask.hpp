#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/engine/select_query.hpp"
#include "core/scene/mask_writer.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Called after every scene: how many are done, and how many there are.
using MaskProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Selects a data set's agents, a scene in memory at a time, and hands out the rows of
/// the mask in order. `begin` is called once before, with the number of agents.
///
/// @returns       the report, as text
/// @throws Error  what reading throws, and scene::MaskRows
std::string select_agents(Source& source, const scene::SelectionRules& rules,
                          const std::function<void(std::uint64_t)>& begin,
                          const scene::MaskRows::Emit& emit,
                          const MaskProgress& progress);

/// Writes the mask as an .npy file of shape (n, 2), uint32; "-" is standard output.
std::string write_mask_npy(Source& source, const scene::SelectionRules& rules,
                           const std::string& path, const MaskProgress& progress);

/// Writes the mask into a zarr store, as L5Kit does: the array STORE/agents_mask/NAME,
/// where NAME is scene::mask_name. The store is made if it is not there.
///
/// @throws Error  invalid_argument if the array is there already; network for what
///                cannot be written. Nothing but empty groups is left behind then.
std::string write_mask_zarr(Source& source, const scene::SelectionRules& rules,
                            const std::string& store, const MaskProgress& progress);

}  // namespace bev::native
