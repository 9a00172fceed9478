#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "native/town/path.hpp"
#include "native/town/plan.hpp"

namespace bev::town {

enum class VehicleKind { car, van, truck, bus, bicycle, motorcycle };

/// Something on wheels that drives, and how its driver drives.
struct Vehicle {
  VehicleKind kind = VehicleKind::car;
  double length = 4.6, width = 1.9, height = 1.6;

  int lane = -1;
  double s = 0;      ///< of the front bumper along the lane
  double speed = 0;  ///< m/s
  double acceleration = 0;
  double odometer = 0;  ///< metres driven so far
  double aside = 0;     ///< left of the lane's middle
  double aside_wish = 0;
  std::vector<int> ahead;                 ///< lanes to come, at least two
  std::array<int, 3> behind{-1, -1, -1};  ///< lanes left, last first

  double eagerness = 1;  ///< factor of the speed limit
  double headway_s = 1.3;
  double push = 1.6;  ///< m/s2, full throttle

  bool cleared = false;  ///< to pass the next stop line
};

/// The middle of a vehicle and where it points.
Placed body(const Plan& plan, const Vehicle& vehicle);

}  // namespace bev::town
