#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/records.hpp"
#include "native/town/plan.hpp"
#include "native/town/sensor.hpp"

namespace bev::town {

/// Scene parameters. The defaults give a small data set with L5Kit's dimensions.
struct SceneOptions {
  std::uint64_t seed = 1;
  int frames = 248;  ///< 25 s at 10 Hz, as in published scenes
  double density = 1;
  SensorRange reach;
};

/// The records of one scene; intervals start at 0.
struct SceneRecords {
  scene::Scene scene;
  std::vector<scene::Frame> frames;
  std::vector<scene::Agent> agents;
  std::vector<scene::Face> faces;
};

/// Simulates one car driving through the town and records what it perceives. Depends
/// only on plan, options and index, so scene 3 of 4 equals scene 3 of 100.
SceneRecords make_scene(const Plan& plan, const SceneOptions& options, int index);

/// Returns the ground's height above z = 0 in world, in metres: gentle hills.
double ground(Vec2 at_in_world) noexcept;

}  // namespace bev::town
