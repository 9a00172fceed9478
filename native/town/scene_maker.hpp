#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/records.hpp"
#include "native/town/plan.hpp"
#include "native/town/sensor.hpp"

namespace bev::town {

/// What to make. The defaults are a small data set of L5Kit's measures.
struct SceneOptions {
  std::uint64_t seed = 1;
  int frames = 248;  ///< 25 s at 10 Hz, as published scenes are cut
  double density = 1;
  Reach reach;
};

/// One scene by itself: intervals count from 0.
struct SceneRecords {
  scene::Scene scene;
  std::vector<scene::Frame> frames;
  std::vector<scene::Agent> agents;
  std::vector<scene::Face> faces;
};

/// Drives one car through the town and records what it sees. The result depends on the
/// plan, the options and the index alone, so scene 3 of 4 is scene 3 of 100.
SceneRecords make_scene(const Plan& plan, const SceneOptions& options, int index);

/// Height of the ground above the plane z = 0 of the world, metres: gentle hills.
double ground(Vec2 at_in_world) noexcept;

}  // namespace bev::town
