#include "native/town/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bev::town {
namespace {

constexpr double kLookAhead = 70;    // look-ahead in metres
constexpr double kBrake = 2.0;       // m/s2, comfortable
constexpr double kFree = 1e6;        // gap without an obstacle
constexpr double kStandstill = 1.8;  // metres to a stopped vehicle ahead

// Returns the position `back` metres behind the front bumper, along the lanes driven.
Vec2 trail(const Plan& plan, const Vehicle& vehicle, double back) {
  double s = vehicle.s - back;
  int lane = vehicle.lane;
  for (const int before : vehicle.behind) {
    if (s >= 0 || before < 0) break;
    lane = before;
    s += plan.lanes[static_cast<std::size_t>(lane)].path.length();
  }
  return plan.lanes[static_cast<std::size_t>(lane)].path.beside(s, vehicle.lateral);
}

// Priority of a turn: lower goes first.
int rank(const Lane& turn) {
  if (turn.turn == Turn::through) return 0;
  return turn.turn == Turn::right ? 1 : 2;
}

}  // namespace

Pose body(const Plan& plan, const Vehicle& vehicle) {
  // Two points on the path near the axles, so that long vehicles cut corners.
  const Vec2 front = trail(plan, vehicle, 0.2 * vehicle.length);
  const Vec2 back = trail(plan, vehicle, 0.8 * vehicle.length);
  return {0.5 * (front + back), unit(front - back)};
}

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
    vehicle.speed = street.speed * vehicle.speed_factor * random_.between(0.3, 0.8);
    plan_ahead(vehicle);
    vehicles_.push_back(vehicle);
    s += vehicle.length + 6 + random_.between(0.2, 1.8) * spacing;
  }
}

Vehicle Traffic::make_vehicle(bool bicycle) {
  Vehicle v;
  v.speed_factor = random_.between(0.85, 1.12);
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
    v.speed_factor = random_.between(0.6, 1.0);
    v.max_acceleration = 0.9;
  } else if (draw < 0.82) {
    size(VehicleKind::car, 4.6, 1.88, 1.58);
  } else if (draw < 0.90) {
    size(VehicleKind::van, 5.6, 2.02, 2.3);
  } else if (draw < 0.94) {
    size(VehicleKind::truck, 7.8, 2.4, 3.1);
    v.max_acceleration = 1.0;
  } else if (draw < 0.97) {
    size(VehicleKind::bus, 11.6, 2.52, 3.2);
    v.max_acceleration = 1.0;
  } else {
    size(VehicleKind::motorcycle, 2.1, 0.8, 1.5);
    v.max_acceleration = 2.2;
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

// Following.

void Traffic::sort_lanes() {
  for (auto& here : on_lane_) here.clear();
  for (std::size_t i = 0; i < vehicles_.size(); ++i) {
    on_lane_[static_cast<std::size_t>(vehicles_[i].lane)].push_back(i);
  }
  for (auto& here : on_lane_) {
    std::stable_sort(here.begin(), here.end(), [&](std::size_t a, std::size_t b) {
      return vehicles_[a].s > vehicles_[b].s;
    });
  }
}

// Returns the rearmost vehicle of a lane beyond `from_s`, as an obstacle seen from
// `offset` metres before the lane begins.
Traffic::Obstacle Traffic::nearest_on(int lane_index, double from_s,
                                      double offset) const {
  const auto& here = on_lane_[static_cast<std::size_t>(lane_index)];
  for (auto it = here.rbegin(); it != here.rend(); ++it) {
    const Vehicle& other = vehicles_[*it];
    if (other.s > from_s) return {offset + other.s - other.length, other.speed};
  }
  return {kFree, 0};
}

Traffic::Obstacle Traffic::leader(std::size_t vehicle) const {
  const Vehicle& me = vehicles_[vehicle];
  Obstacle best = nearest_on(me.lane, me.s, -me.s);
  double offset = lane(me.lane).path.length() - me.s;
  int before = me.lane;
  for (const int next : me.ahead) {
    if (best.gap < kFree || offset > kLookAhead) break;
    best = nearest_on(next, -1, offset);
    // Vehicles turning off the same lane are obstacles until their tail has left it.
    if (lane(next).kind == LaneKind::turn) {
      for (const int sibling : lane(before).next) {
        const Obstacle other = nearest_on(sibling, -1, offset);
        if (other.gap < offset + 5 && other.gap < best.gap) best = other;
      }
    }
    offset += lane(next).path.length();
    before = next;
  }
  return best;
}

// Returns the speed limit here and, with room to brake, of the lanes ahead.
double Traffic::allowed_speed(const Vehicle& vehicle) const {
  const Lane& here = lane(vehicle.lane);
  double desired_speed =
      here.speed * (here.kind == LaneKind::turn ? 1 : vehicle.speed_factor);
  double distance = here.path.length() - vehicle.s;
  for (const int next : vehicle.ahead) {
    if (distance > kLookAhead) break;
    const Lane& coming = lane(next);
    const double limit =
        coming.speed * (coming.kind == LaneKind::turn ? 1 : vehicle.speed_factor);
    desired_speed = std::min(
        desired_speed, std::sqrt(limit * limit + 2 * 1.4 * std::max(0.0, distance)));
    distance += coming.path.length();
  }
  return desired_speed;
}

double Traffic::follow(const Vehicle& me, double desired_speed,
                       Obstacle obstacle) const {
  const double ratio = me.speed / std::max(desired_speed, 0.1), square = ratio * ratio;
  double throttle = 1 - square * square;
  if (obstacle.gap < kFree) {
    const double closing = me.speed - obstacle.speed;
    const double wanted =
        kStandstill +
        std::max(0.0, me.speed * me.headway_s +
                          me.speed * closing /
                              (2 * std::sqrt(me.max_acceleration * kBrake)));
    const double part = wanted / std::max(obstacle.gap, 0.3);
    throttle -= part * part;
  }
  return std::clamp(me.max_acceleration * throttle, -7.0, me.max_acceleration);
}

double Traffic::acceleration(std::size_t vehicle, Moment now) {
  const Vehicle& me = vehicles_[vehicle];
  const double desired_speed = allowed_speed(me);
  double value = follow(me, desired_speed, leader(vehicle));
  const Lane& here = lane(me.lane);
  const double to_end = here.path.length() - me.s;
  if (here.kind == LaneKind::turn || to_end > kLookAhead) return value;
  const bool turn_next = here.kind == LaneKind::approach;
  const double distance =
      turn_next ? to_end : to_end + lane(me.ahead.front()).path.length();
  if (distance > kLookAhead || !must_stop(vehicle, distance, now)) return value;
  // Vehicles stop closer to a stop line than to another vehicle.
  const double stop = follow(me, desired_speed, {distance + kStandstill - 0.8, 0});
  return std::min(value, stop);
}

void Traffic::advance(std::size_t vehicle, double step_s) {
  Vehicle& me = vehicles_[vehicle];
  const double before = me.speed;
  me.speed = std::max(0.0, before + me.acceleration * step_s);
  const double way = 0.5 * (before + me.speed) * step_s;
  me.s += way;
  me.odometer += way;
  me.lateral += std::clamp(me.lateral_target - me.lateral, -0.02 * way, 0.02 * way);
  if (random_.chance(0.01)) {
    me.lateral_target =
        0.12 * random_.normal() * (me.kind == VehicleKind::car ? 1 : 0.6);
  }
  while (me.s > lane(me.lane).path.length()) {
    me.s -= lane(me.lane).path.length();
    me.behind = {me.lane, me.behind[0], me.behind[1]};
    me.lane = me.ahead.front();
    me.ahead.erase(me.ahead.begin());
    if (lane(me.lane).kind == LaneKind::turn) me.cleared = false;
    plan_ahead(me);
  }
}

void Traffic::drop_finished() {
  for (auto& passes : passes_) {
    std::erase_if(passes, [&](const Pass& pass) {
      const Vehicle& v = vehicles_[pass.vehicle];
      return v.odometer - v.length - pass.begin_odometer >
             lane(pass.turn_lane).path.length() + 0.5;
    });
  }
}

void Traffic::step(double time_s, double step_s, const CrosswalkUse& on_foot) {
  sort_lanes();
  drop_finished();
  const Moment now{time_s, on_foot};
  std::vector<double> wanted(vehicles_.size());
  for (std::size_t i = 0; i < vehicles_.size(); ++i) wanted[i] = acceleration(i, now);
  for (std::size_t i = 0; i < vehicles_.size(); ++i) {
    // Acceleration rises over half a second; braking is immediate.
    double& now_at = vehicles_[i].acceleration;
    const double up = 4.0 * step_s;
    now_at = std::clamp(wanted[i], now_at - 12.0 * step_s, now_at + up);
    if (wanted[i] < -4) now_at = std::min(now_at, wanted[i]);
    advance(i, step_s);
  }
}

// Right of way: which vehicles may enter a node.

// Whether the vehicle must stop at the stop line, `distance` metres ahead.
bool Traffic::must_stop(std::size_t vehicle, double distance, Moment now) {
  Vehicle& me = vehicles_[vehicle];
  const bool at_approach = lane(me.lane).kind == LaneKind::approach;
  const int turn_lane = me.ahead[at_approach ? 0 : 1];
  const Lane& turn = lane(turn_lane);
  if (!plan_.nodes[static_cast<std::size_t>(turn.node)].lit()) return false;
  auto& passes = passes_[static_cast<std::size_t>(turn.node)];
  const Colour colour = signals_.colour(turn.node, turn.arm, now.time_s);
  const bool can_stop = me.speed * me.speed / (2 * 3.0) < distance;
  if (colour != Colour::green && can_stop) {
    if (me.cleared) {
      std::erase_if(passes, [&](const Pass& pass) { return pass.vehicle == vehicle; });
      me.cleared = false;
    }
    return true;
  }
  if (me.cleared) return false;
  // Too early to decide: the vehicle need not slow down yet.
  if (distance > me.speed * me.speed / (2 * 1.8) + 6) return false;
  if (can_stop && !is_way_free(vehicle, turn_lane, now)) return true;
  passes.push_back({vehicle, turn_lane, me.odometer + distance});
  me.cleared = true;
  return false;
}

bool Traffic::is_way_free(std::size_t vehicle, int turn_lane, Moment now) const {
  const Lane& turn = lane(turn_lane);
  const auto& arms = plan_.nodes[static_cast<std::size_t>(turn.node)].arms;
  const auto has_pedestrians = [&](int arm) {
    const int crosswalk = arms[static_cast<std::size_t>(arm)].crosswalk;
    return now.on_foot[static_cast<std::size_t>(crosswalk)] > 0;
  };
  return !has_pedestrians(turn.arm) && !has_pedestrians(turn.exit_arm) &&
         !is_conflict_in_use(vehicle, turn) && !must_yield(turn, now) &&
         has_room_beyond(vehicles_[vehicle], turn_lane);
}

bool Traffic::is_conflict_in_use(std::size_t vehicle, const Lane& turn) const {
  const auto& passes = passes_[static_cast<std::size_t>(turn.node)];
  return std::any_of(passes.begin(), passes.end(), [&](const Pass& pass) {
    if (pass.vehicle == vehicle) return false;
    const Vehicle& other = vehicles_[pass.vehicle];
    const double tail = other.odometer - other.length - pass.begin_odometer;
    return std::any_of(
        turn.conflicts.begin(), turn.conflicts.end(), [&](const Conflict& conflict) {
          return conflict.other == pass.turn_lane && tail < conflict.other_end;
        });
  });
}

// Whether traffic with the right of way arrives within a few seconds.
bool Traffic::must_yield(const Lane& turn, Moment now) const {
  for (const Conflict& conflict : turn.conflicts) {
    const Lane& other = lane(conflict.other);
    if (rank(other) >= rank(turn)) continue;
    if (signals_.colour(other.node, other.arm, now.time_s) != Colour::green) continue;
    const double length = lane(other.from).path.length();
    int checked = 0;
    for (const std::size_t i : on_lane_[static_cast<std::size_t>(other.from)]) {
      const Vehicle& v = vehicles_[i];
      const bool comes = !v.ahead.empty() && v.ahead.front() == conflict.other;
      if (comes && length - v.s < 4.0 * v.speed + 5) return true;
      if (++checked == 3) break;
    }
  }
  return false;
}

// Whether the whole vehicle fits beyond the node, behind the vehicles that are there or
// on their way.
bool Traffic::has_room_beyond(const Vehicle& vehicle, int turn_lane) const {
  const int beyond = lane(turn_lane).next.front();
  double room = lane(beyond).path.length() + 30;
  const auto& there = on_lane_[static_cast<std::size_t>(beyond)];
  if (!there.empty()) {
    const Vehicle& last = vehicles_[there.back()];
    room = last.s - last.length + 1.2 * last.speed;
  }
  for (const Pass& pass : passes_[static_cast<std::size_t>(lane(turn_lane).node)]) {
    const Vehicle& other = vehicles_[pass.vehicle];
    if (lane(pass.turn_lane).next.front() == beyond && other.lane != beyond) {
      room -= other.length + 2;
    }
  }
  return room > vehicle.length + 2.5;
}

bool Traffic::crossing(int crosswalk) const {
  const Crosswalk& way = plan_.crosswalks[static_cast<std::size_t>(crosswalk)];
  const auto& passes = passes_[static_cast<std::size_t>(way.node)];
  return std::any_of(passes.begin(), passes.end(), [&](const Pass& pass) {
    const Lane& turn = lane(pass.turn_lane);
    const Vehicle& v = vehicles_[pass.vehicle];
    const double tail = v.odometer - v.length - pass.begin_odometer;
    return turn.exit_arm == way.arm || (turn.arm == way.arm && tail < 7);
  });
}

}  // namespace bev::town
