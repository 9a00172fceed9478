#include "native/town/vehicle.hpp"

#include <cstddef>

namespace bev::town {
namespace {

// Returns the position `back` metres behind the front bumper, along the lanes driven.
Vec2 trail(const Plan& plan, const Vehicle& vehicle, double back) {
  double s = vehicle.s - back;
  int lane = vehicle.lane;
  for (const int before : vehicle.behind) {
    if (s >= 0 || before < 0) break;
    lane = before;
    s += plan.lanes[static_cast<std::size_t>(lane)].path.length();
  }
  return plan.lanes[static_cast<std::size_t>(lane)].path.beside(s, vehicle.aside);
}

}  // namespace

Placed body(const Plan& plan, const Vehicle& vehicle) {
  // Two points on the path near the axles, so that long vehicles cut corners.
  const Vec2 front = trail(plan, vehicle, 0.2 * vehicle.length);
  const Vec2 back = trail(plan, vehicle, 0.8 * vehicle.length);
  return {0.5 * (front + back), unit(front - back)};
}

}  // namespace bev::town
