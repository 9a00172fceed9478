#pragma once

#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"
#include "core/simulation/simulation.hpp"

namespace bev::simulation {

/// Returns a simulation as a scenario without map, to be converted or shown alone. World
/// is UTM, moved by whole kilometres to the first pose, as of a log of nuPlan in another
/// city. The ego vehicle's position is the middle of the rear axle, as there. Agents move
/// along their heading: of velocities, simulations have the magnitude for sure. Plans and
/// the expert are not part of it.
///
/// A second box of a track in a frame is left out (counted).
///
/// @throws Error  invalid_metadata for positions above 1e7 m, sizes and speeds above 1000
convert::Scenario scenario_of(const Simulation& from, const convert::Tables& tables);

}  // namespace bev::simulation
