#include "core/facts/turns.hpp"

#include <cmath>
#include <deque>

#include "core/geom/trig.hpp"

namespace bev::facts {
namespace {

/// The greatest rise of sign * turned, in linear time: a queue holds the candidates for
/// the least value in the window, ascending by value and step.
SharpestTurn greatest_rise(const Path& path, double sign) {
  SharpestTurn best;
  std::deque<std::size_t> least;
  for (std::size_t k = 0; k < path.size(); ++k) {
    if (path.run[k] == k) least.clear();
    const auto value = [&](std::size_t i) { return sign * path.turned[i]; };
    while (!least.empty() && value(least.back()) >= value(k)) least.pop_back();
    least.push_back(k);
    while (path.seconds(least.front(), k) > kTurnTimeS) least.pop_front();
    const double rise = value(k) - value(least.front());
    if (rise > best.change) best = {Turn::unknown, rise, least.front(), k};
  }
  return best;
}

std::int32_t frame_at(const Path& path, std::size_t step) {
  return static_cast<std::int32_t>(path.steps[step].frame);
}

void add_speeds(const Path& path, MotionFacts& out) {
  double sum = 0, known = 0, still = 0;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const double speed = path.speed[k];
    if (std::isnan(speed)) continue;
    sum += speed;
    known += 1;
    if (speed < scene::kMovingMps) still += 1;
    if (!(speed <= out.max_speed)) out.max_speed = speed;
    if (speed < scene::kMovingMps || path.run[k] == k) continue;
    const auto &a = path.steps[k - 1].at, &b = path.steps[k].at;
    out.distance += geom::hypot(b.x - a.x, b.y - a.y);
  }
  if (known == 0) return;
  out.mean_speed = sum / known;
  out.stationary = still / known;
}

void add_accelerations(const Path& path, MotionFacts& out) {
  for (std::size_t k = 0; k < path.size(); ++k) {
    const double value = path.acceleration[k];
    if (std::isnan(value)) continue;
    if (!(value >= out.hardest_brake)) {
      out.hardest_brake = value;
      out.hardest_brake_frame = frame_at(path, k);
    }
    if (!(value <= out.strongest_acceleration)) {
      out.strongest_acceleration = value;
      out.strongest_acceleration_frame = frame_at(path, k);
    }
  }
}

}  // namespace

SharpestTurn sharpest_turn(const Path& path) {
  const auto left = greatest_rise(path, 1), right = greatest_rise(path, -1);
  const bool is_left = left.change >= right.change;
  auto out = is_left ? left : right;
  for (const double speed : path.speed) {
    if (!std::isnan(speed)) out.kind = Turn::straight;
  }
  if (out.change >= kTurnRad) out.kind = is_left ? Turn::left : Turn::right;
  if (out.change >= kUTurnRad) out.kind = Turn::u_turn;
  if (!is_left) out.change = -out.change;
  return out;
}

MotionFacts motion_facts(const Path& path, const SharpestTurn& turn) {
  MotionFacts out;
  if (path.size() == 0) return out;
  out.duration = path.seconds(0, path.size() - 1);
  out.heading_change = path.turned.back();
  out.turn = turn.kind;
  if (turn.kind != Turn::unknown && turn.kind != Turn::straight) {
    out.turn_frame = frame_at(path, turn.begin);
  }
  add_speeds(path, out);
  add_accelerations(path, out);
  return out;
}

}  // namespace bev::facts
