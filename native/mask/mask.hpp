#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/engine/select_query.hpp"
#include "core/scene/mask_writer.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Called after every scene with the scenes processed and the total.
using MaskProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Selects a data set's agents, with one scene in memory at a time, and emits the rows
/// of the mask in order. `begin` is called once before, with the number of agents.
///
/// Returns  the report as text
/// Throws   errors of reading, and of scene::MaskRows
std::string select_agents(Source& source, const scene::SelectionRules& rules,
                          const std::function<void(std::uint64_t)>& begin,
                          const scene::MaskRows::Emit& emit,
                          const MaskProgress& progress);

/// Writes the mask as an .npy file of shape (n, 2), uint32; "-" for standard output.
std::string write_mask_npy(Source& source, const scene::SelectionRules& rules,
                           const std::string& path, const MaskProgress& progress);

/// Writes the mask into a zarr store, as L5Kit does: array STORE/agents_mask/NAME with
/// NAME from scene::mask_name. Creates the store if necessary.
///
/// Throws  invalid_argument if the array exists; io if writing fails. Then no store
///         is created; in an existing one, only empty groups remain.
std::string write_mask_zarr(Source& source, const scene::SelectionRules& rules,
                            const std::string& store, const MaskProgress& progress);

}  // namespace bev::native
