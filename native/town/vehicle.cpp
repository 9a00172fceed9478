#include "native/town/vehicle.hpp"

#include <cstddef>

namespace bev::town {
namespace {

// `back` metres behind the front bumper, on the lanes it came by.
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
  // Two points on the way, about where the axles are: so that a long one cuts corners
  // as a long one does.
  const Vec2 front = trail(plan, vehicle, 0.2 * vehicle.length);
  const Vec2 back = trail(plan, vehicle, 0.8 * vehicle.length);
  return {0.5 * (front + back), unit(front - back)};
}

}  // namespace bev::town
