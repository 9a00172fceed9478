#pragma once

#include <span>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Joins neighbours of which one ends at the nanosecond when the next begins, on the
/// same host: pieces of one recording.
///
/// Source  L5Kit, get_combined_scenes.
std::vector<Scene> combined_scenes(std::span<const Scene> scenes);

}  // namespace bev::scene
