#pragma once

#include <cstddef>
#include <vector>

namespace bev::sample {

/// Where a car is and how fast it goes: metres, radians, metres per step.
struct CarState {
  double x = 0;
  double y = 0;
  double yaw = 0;
  double speed = 0;
};

/// What one step may add to the heading and to the speed.
struct CarLimits {
  double steer = 0.07853981633974483;  ///< 45 degrees a second, at 10 steps a second
  double acceleration = 0.3;           ///< metres per step and step: 3 m/s^2 likewise
};

/// A drive that a car can do, from `start` on, as near to the states wanted as it gets.
///
/// Shapes    One state a step, each as long after the one before: the result has those
/// of
///           `wanted`, whose speeds are not looked at.
/// Errors    invalid_argument for more than 1000 steps, and for states that are not
///           finite or so far that their squares are not.
/// Source    L5Kit, kinematic/ackerman_steering_model.py, fit_ackerman_model_exact,
/// with
///           the weights that its perturbation uses: 1 for place and heading, 0 for
///           speed, 5 for steering and for acceleration.
std::vector<CarState> fit_drive(const CarState& start,
                                const std::vector<CarState>& wanted,
                                const CarLimits& limits = {});

}  // namespace bev::sample
