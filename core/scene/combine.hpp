#pragma once

#include <span>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Merges adjacent scenes of one recording: on the same host, the second starting at
/// the nanosecond at which the first ends.
///
/// Reference  L5Kit, get_combined_scenes.
std::vector<Scene> combined_scenes(std::span<const Scene> scenes);

}  // namespace bev::scene
