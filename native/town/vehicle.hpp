#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "native/town/path.hpp"
#include "native/town/plan.hpp"

namespace bev::town {

enum class VehicleKind { car, van, truck, bus, bicycle, motorcycle };

/// A vehicle and its driver's behaviour.
struct Vehicle {
  VehicleKind kind = VehicleKind::car;
  double length = 4.6, width = 1.9, height = 1.6;

  int lane = -1;
  double s = 0;      ///< front bumper's position along the lane
  double speed = 0;  ///< m/s
  double acceleration = 0;
  double odometer = 0;  ///< metres driven so far
  double aside = 0;     ///< metres left of the lane's centre
  double aside_wish = 0;
  std::vector<int> ahead;                 ///< next lanes, at least two
  std::array<int, 3> behind{-1, -1, -1};  ///< previous lanes, latest first

  double eagerness = 1;  ///< factor of the speed limit
  double headway_s = 1.3;
  double push = 1.6;  ///< m/s2, full throttle

  bool cleared = false;  ///< admitted past the next stop line
};

/// Returns a vehicle's centre and direction.
Placed body(const Plan& plan, const Vehicle& vehicle);

}  // namespace bev::town
