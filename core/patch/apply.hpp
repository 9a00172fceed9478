#pragma once

#include <cstddef>
#include <cstdint>

#include "core/patch/patch.hpp"
#include "core/scene/columns.hpp"

namespace bev::patch {

/// Maximum number of rows of agents that a patch adds to a scene.
inline constexpr std::size_t kMaxAddedRows = std::size_t{1} << 17;

/// Applies a patch's edits of one scene, in order. The scene's intervals cover its rows in
/// order (Overlay::put).
///
/// Tracks keep their rows, except removed ones; rows of added tracks follow the others of
/// their frames. Headings of agents that turn are in [-pi, pi). Agents whose pose
/// changes get the velocity of their new positions, from the frame before to the frame
/// after; all other values keep their bits.
///
/// @throws Error  with the edit's position, "patch: edits[3]: ...": out_of_range for
///                frames that the scene lacks, and for tracks in none of them; not_found
///                for a face that the scene lacks; invalid_argument for an added track
///                that exists, and for one that occurs twice in a frame; limit_exceeded
///                above kMaxAddedRows. The scene is then partly edited.
void apply(const Patch& patch, std::uint64_t scene, scene::SceneArrays& arrays);

}  // namespace bev::patch
