#include "native/town/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bev::town {
namespace {

constexpr double kSight = 70;        // look-ahead in metres
constexpr double kBrake = 2.0;       // m/s2, comfortable
constexpr double kFree = 1e6;        // gap without an obstacle
constexpr double kStandstill = 1.8;  // metres to a stopped vehicle ahead

}  // namespace

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
    if (best.gap < kFree || offset > kSight) break;
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
double Traffic::wished_speed(const Vehicle& vehicle) const {
  const Lane& here = lane(vehicle.lane);
  double wish = here.speed * (here.kind == LaneKind::turn ? 1 : vehicle.eagerness);
  double distance = here.path.length() - vehicle.s;
  for (const int next : vehicle.ahead) {
    if (distance > kSight) break;
    const Lane& coming = lane(next);
    const double limit =
        coming.speed * (coming.kind == LaneKind::turn ? 1 : vehicle.eagerness);
    wish = std::min(wish, std::sqrt(limit * limit + 2 * 1.4 * std::max(0.0, distance)));
    distance += coming.path.length();
  }
  return wish;
}

double Traffic::follow(const Vehicle& me, double wish, Obstacle obstacle) const {
  const double ratio = me.speed / std::max(wish, 0.1), square = ratio * ratio;
  double throttle = 1 - square * square;
  if (obstacle.gap < kFree) {
    const double closing = me.speed - obstacle.speed;
    const double wanted =
        kStandstill +
        std::max(0.0, me.speed * me.headway_s +
                          me.speed * closing / (2 * std::sqrt(me.push * kBrake)));
    const double part = wanted / std::max(obstacle.gap, 0.3);
    throttle -= part * part;
  }
  return std::clamp(me.push * throttle, -7.0, me.push);
}

double Traffic::acceleration(std::size_t vehicle, Moment now) {
  const Vehicle& me = vehicles_[vehicle];
  const double wish = wished_speed(me);
  double value = follow(me, wish, leader(vehicle));
  const Lane& here = lane(me.lane);
  const double to_end = here.path.length() - me.s;
  if (here.kind == LaneKind::turn || to_end > kSight) return value;
  const bool turn_next = here.kind == LaneKind::approach;
  const double distance =
      turn_next ? to_end : to_end + lane(me.ahead.front()).path.length();
  if (distance > kSight || !must_stop(vehicle, distance, now)) return value;
  // Vehicles stop closer to a stop line than to another vehicle.
  const double stop = follow(me, wish, {distance + kStandstill - 0.8, 0});
  return std::min(value, stop);
}

void Traffic::advance(std::size_t vehicle, double step_s) {
  Vehicle& me = vehicles_[vehicle];
  const double before = me.speed;
  me.speed = std::max(0.0, before + me.acceleration * step_s);
  const double way = 0.5 * (before + me.speed) * step_s;
  me.s += way;
  me.odometer += way;
  me.aside += std::clamp(me.aside_wish - me.aside, -0.02 * way, 0.02 * way);
  if (random_.chance(0.01)) {
    me.aside_wish = 0.12 * random_.normal() * (me.kind == VehicleKind::car ? 1 : 0.6);
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

}  // namespace bev::town
