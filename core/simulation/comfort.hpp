#pragma once

#include <optional>
#include <vector>

#include "core/simulation/simulation.hpp"

namespace bev::simulation {

/// The ego vehicle's dynamics in each frame, smoothed and rounded to 8 decimals.
///
/// Units      m/s^2, m/s^3, rad/s and rad/s^2. Accelerations are those of the centre, the
///            jerk that of the rear axle's acceleration.
/// Reference  nuplan-devkit, planning/metrics/utils/state_extractors.py
struct Comfort {
  std::vector<double> lon_acceleration, lat_acceleration;
  std::vector<double> lon_jerk, jerk;
  std::vector<double> yaw_rate, yaw_acceleration;

  /// Returns whether all are within nuPlan's bounds: its ego_is_comfortable.
  bool is_comfortable() const;
};

/// Returns the dynamics; nullopt if the ego vehicle's motion is unknown, or for less than
/// four frames.
std::optional<Comfort> comfort(const Simulation& from);

}  // namespace bev::simulation
