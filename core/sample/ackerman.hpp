#pragma once

#include <cstddef>
#include <vector>

namespace bev::sample {

/// State of a car: metres, radians, metres per step.
struct CarState {
  double x = 0;
  double y = 0;
  double yaw = 0;
  double speed = 0;
};

/// Maximum change of heading and speed per step.
struct CarLimits {
  double steer = 0.07853981633974483;  ///< 45 degrees per second at 10 steps per second
  double acceleration = 0.3;           ///< metres per step^2: 3 m/s^2 at 10 steps per
                                       ///< second
};

/// Fits a drivable trajectory from `start` to the wanted states.
///
/// Shapes     One state per step of equal duration; the result has as many states as
///            `wanted`. The speeds of `wanted` are ignored.
/// Throws     limit_exceeded for more than 1000 steps; invalid_argument for states that
///            are not finite or whose squares overflow.
/// Reference  L5Kit, kinematic/ackerman_steering_model.py, fit_ackerman_model_exact,
///            with the weights of its perturbation: 1 for position and heading, 0 for
///            speed, 5 for steering and for acceleration.
std::vector<CarState> fit_drive(const CarState& start,
                                const std::vector<CarState>& wanted,
                                const CarLimits& limits = {});

}  // namespace bev::sample
