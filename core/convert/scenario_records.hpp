#pragma once

#include <cstdint>
#include <vector>

#include "core/convert/scenario.hpp"
#include "core/scene/scene_records.hpp"
#include "core/scene/select_agents.hpp"

namespace bev::convert {

/// Agents whose samples a converted data set selects: tracks of this role or a more
/// important one.
struct MaskRule {
  Role least = Role::scored;
};

/// Converts a scenario to one scene. Agents of a frame have the order of their tracks.
///
/// Throws  invalid_argument for a scenario whose columns do not belong together.
scene::SceneRecords records_of(const Scenario& scenario);

/// Returns the mask of a scene's agents, of shape (n, 2): past and future frames of
/// selected tracks, 0 of all others.
///
/// L5Kit's selection drops agents more than 50 m from the ego vehicle, and with them
/// most tracks that a benchmark evaluates; the distance is not limited here. A jump of
/// the heading divides fragments and unscored tracks only; its limit grows with the time
/// between frames.
std::vector<std::uint32_t> mask_of(const Scenario& scenario,
                                   const scene::SceneRecords& records, MaskRule rule);

}  // namespace bev::convert
