#include <algorithm>
#include <cstddef>

#include "native/town/traffic.hpp"

// The part of Traffic that populates the town and chooses routes.

namespace bev::town {

Traffic::Traffic(const Plan& plan, const Signals& signals, Random random,
                 double density)
    : plan_(plan),
      signals_(signals),
      random_(random),
      on_lane_(plan.lanes.size()),
      passes_(plan.nodes.size()) {
  for (std::size_t i = 0; i < plan.lanes.size(); ++i) {
    if (plan.lanes[i].kind == LaneKind::street) populate(static_cast<int>(i), density);
  }
  sort_lanes();
}

// Adds moving vehicles at intervals along the lane and the approach after it.
void Traffic::populate(int lane_index, double density) {
  const Lane& street = lane(lane_index);
  const double spacing = (street.bicycle ? 120 : 15) / density;
  double s = random_.between(12, 12 + spacing);
  while (s < street.path.length()) {
    Vehicle vehicle = make_vehicle(street.bicycle);
    vehicle.lane = lane_index;
    vehicle.s = s;
    vehicle.speed = street.speed * vehicle.eagerness * random_.between(0.3, 0.8);
    plan_ahead(vehicle);
    vehicles_.push_back(vehicle);
    s += vehicle.length + 6 + random_.between(0.2, 1.8) * spacing;
  }
}

Vehicle Traffic::make_vehicle(bool bicycle) {
  Vehicle v;
  v.eagerness = random_.between(0.85, 1.12);
  v.headway_s = random_.between(1.0, 1.7);
  const auto size = [&](VehicleKind kind, double length, double width, double height) {
    v.kind = kind;
    v.length = length * random_.between(0.94, 1.06);
    v.width = width * random_.between(0.96, 1.04);
    v.height = height * random_.between(0.94, 1.08);
  };
  const double draw = random_.unit();
  if (bicycle) {
    size(VehicleKind::bicycle, 1.75, 0.65, 1.7);
    v.eagerness = random_.between(0.6, 1.0);
    v.push = 0.9;
  } else if (draw < 0.82) {
    size(VehicleKind::car, 4.6, 1.88, 1.58);
  } else if (draw < 0.90) {
    size(VehicleKind::van, 5.6, 2.02, 2.3);
  } else if (draw < 0.94) {
    size(VehicleKind::truck, 7.8, 2.4, 3.1);
    v.push = 1.0;
  } else if (draw < 0.97) {
    size(VehicleKind::bus, 11.6, 2.52, 3.2);
    v.push = 1.0;
  } else {
    size(VehicleKind::motorcycle, 2.1, 0.8, 1.5);
    v.push = 2.2;
  }
  return v;
}

void Traffic::plan_ahead(Vehicle& vehicle) {
  while (vehicle.ahead.size() < 5) {
    const int last = vehicle.ahead.empty() ? vehicle.lane : vehicle.ahead.back();
    const auto& next = lane(last).next;
    int choice =
        next[static_cast<std::size_t>(random_.index(static_cast<int>(next.size())))];
    // Straight on is more likely; buses always go straight on.
    const bool stubborn = vehicle.kind == VehicleKind::bus || random_.chance(0.4);
    for (const int way : next) {
      if (stubborn && lane(way).turn == Turn::through) choice = way;
    }
    vehicle.ahead.push_back(choice);
  }
}

bool Traffic::make_ego(std::size_t vehicle, Turn turn) {
  Vehicle& v = vehicles_[vehicle];
  const int approach = v.ahead.front();
  if (lane(v.lane).kind != LaneKind::street) return false;
  for (const int way : lane(approach).next) {
    if (lane(way).turn != turn) continue;
    v.ahead = {approach, way};
    v.length = 4.87;  // as L5Kit draws it
    v.width = 1.85;
    plan_ahead(v);
    return true;
  }
  return false;
}

}  // namespace bev::town
