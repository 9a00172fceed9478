#include <algorithm>
#include <cstddef>

#include "native/town/traffic.hpp"

// The part of Traffic that decides which vehicles may enter a node.

namespace bev::town {
namespace {

// Priority of a turn: lower goes first.
int rank(const Lane& turn) {
  if (turn.turn == Turn::through) return 0;
  return turn.turn == Turn::right ? 1 : 2;
}

}  // namespace

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
  if (can_stop && !way_is_free(vehicle, turn_lane, now)) return true;
  passes.push_back({vehicle, turn_lane, me.odometer + distance});
  me.cleared = true;
  return false;
}

bool Traffic::way_is_free(std::size_t vehicle, int turn_lane, Moment now) const {
  const Lane& turn = lane(turn_lane);
  const auto& arms = plan_.nodes[static_cast<std::size_t>(turn.node)].arms;
  const auto walked_on = [&](int arm) {
    const int crosswalk = arms[static_cast<std::size_t>(arm)].crosswalk;
    return now.on_foot[static_cast<std::size_t>(crosswalk)] > 0;
  };
  return !walked_on(turn.arm) && !walked_on(turn.exit_arm) &&
         !someone_passes(vehicle, turn) && !must_yield(turn, now) &&
         room_beyond(vehicles_[vehicle], turn_lane);
}

bool Traffic::someone_passes(std::size_t vehicle, const Lane& turn) const {
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
    int looked_at = 0;
    for (const std::size_t i : on_lane_[static_cast<std::size_t>(other.from)]) {
      const Vehicle& v = vehicles_[i];
      const bool comes = !v.ahead.empty() && v.ahead.front() == conflict.other;
      if (comes && length - v.s < 4.0 * v.speed + 5) return true;
      if (++looked_at == 3) break;
    }
  }
  return false;
}

// Whether the whole vehicle fits beyond the node, behind the vehicles that are there or
// on their way.
bool Traffic::room_beyond(const Vehicle& vehicle, int turn_lane) const {
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
