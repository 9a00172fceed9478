#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/simulation/comfort.hpp"
#include "core/simulation/simulation.hpp"

namespace bev::simulation {

/// Types of collisions. The numbers are those of nuPlan's CollisionType.
enum class CollisionType : std::uint8_t {
  stopped_ego = 0,
  stopped_track = 1,
  active_front = 2,
  active_rear = 3,
  active_lateral = 4
};

/// The first frame in which the ego vehicle's box touches that of a track.
struct Collision {
  std::size_t frame = 0;
  std::uint32_t track = 0;  ///< index into Simulation::tracks
  ObjectType object = ObjectType::vehicle;
  std::optional<CollisionType> type;  ///< unknown without the ego vehicle's motion
};

/// Measures that need no map, with the names and definitions of nuPlan's metrics.
///
/// Whether a lateral collision is at fault, and whether road users beside the ego vehicle
/// count for the time to collision, depends on lanes and intersections. A metric is given
/// if it is the same in both cases, and nullopt otherwise: it is nuPlan's value, or
/// unknown.
///
/// Reference  nuplan-devkit, planning/metrics/evaluation_metrics/common
struct Measures {
  std::vector<Collision> collisions;                 ///< by frame, each track once
  std::optional<double> no_ego_at_fault_collisions;  ///< score, 0 to 1
  std::optional<bool> time_to_collision_within_bound;
  std::optional<bool> ego_is_comfortable;
  /// Time to collision with road users ahead, in each frame, seconds; infinite above 2.9.
  /// Empty without the ego vehicle's motion.
  std::vector<double> time_to_collision_ahead;
  std::optional<Comfort> comfort;
};

Measures measures(const Simulation& from);

}  // namespace bev::simulation
