#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/rollout/rollout.hpp"
#include "core/simulation/simulation.hpp"

namespace bev::simulation {

/// The frames of a simulation that are of a recorded scene, in the data set's world.
///
/// Shapes  n frames of the scene, p planned states, e states of the expert. Positions are
///         those of the rear axle's middle, as the scene's ego vehicle has.
struct SceneRun {
  rollout::SceneRollout rollout;  ///< its scene is 0
  std::vector<std::uint32_t> plan_first{
      0};                             ///< (n + 1) first state of each frame's plan
  std::vector<double> plan;           ///< (p, 2) positions
  std::vector<double> expert;         ///< (e, 2) positions
  std::vector<std::uint32_t> frames;  ///< (n) the simulation's nearest frames
  std::size_t interpolated = 0;       ///< frames that are between two of the simulation
};

/// Maximum time between two simulated frames, between which poses are interpolated.
inline constexpr std::int64_t kMaxGapUs = 250'000;

/// Joins a simulation with a recorded scene: by the log's name, or the scenario's id where
/// one names no log, and by time. A frame of the scene that is between two simulated ones
/// (scenarios begin at any sweep of the lidar) has poses between theirs.
///
/// @param times_ns    of the scene's frames, ascending
/// @param attributes  the scene's own of `bevscope`, a JSON object: docs/other-data.md
/// @throws Error      not_found, naming both, for a scene of another log or time, and one
///                    that is not of nuPlan; invalid_metadata for other attributes
SceneRun scene_run(const Simulation& from, std::span<const std::int64_t> times_ns,
                   std::string_view attributes);

/// Returns the scenes that a simulation may have frames of.
///
/// @param spans_ns  begin and end of each scene
/// @param logs      name of each scene's log; "" if unknown
std::vector<std::uint32_t> scenes_of(const Simulation& from,
                                     std::span<const std::int64_t> spans_ns,
                                     std::span<const std::string> logs);

/// Names scenario, type, log and planner of scenes by their folder,
/// PLANNER/TYPE/LOG/NAME, as nuPlan writes them, or the end of it. Known names stay.
void name_by_folder(Simulation& out, std::string_view folder);

}  // namespace bev::simulation
