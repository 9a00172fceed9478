#include "core/rollout/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "core/map/area.hpp"
#include "core/rollout/collision.hpp"
#include "core/scene/encounter.hpp"
#include "core/scene/intervals.hpp"

namespace bev::rollout {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMilesPerMetre = 0.000621371;
/// L5Kit's frames per second, and the share of a scene with a distance to the reference.
constexpr float kFramesPerSecond = 10;
constexpr double kMinReferenceShare = 0.8;

/// A pose in the single precision of L5Kit's states.
struct State {
  float x, y, yaw;
};

std::size_t agent_count(const Recorded& recorded) {
  const auto first = recorded.frames.empty() ? 0 : recorded.frames.front().begin;
  const auto length = static_cast<std::uint64_t>(first) + recorded.track_ids.size();
  const auto span = scene::check_intervals(
      recorded.frames, 0, {"frames", "agent_index_interval", "agents", length});
  return static_cast<std::size_t>(span.end - span.begin);
}

void check_lengths(const Recorded& recorded) {
  struct Column {
    const char* name;
    std::size_t found, expected;
  };
  const auto frames = recorded.timestamps.size(), agents = agent_count(recorded);
  const Column columns[] = {
      {"agent_index_interval", recorded.frames.size(), frames},
      {"ego_translation", recorded.ego_translation.size(), 3 * frames},
      {"ego_rotation", recorded.ego_rotation.size(), 9 * frames},
      {"track_id", recorded.track_ids.size(), agents},
      {"centroid", recorded.centroids.size(), 2 * agents},
  };
  for (const auto& [name, found, expected] : columns) {
    if (found == expected) continue;
    fail(Errc::invalid_argument, {"recorded scene: ", name, ": wrong length (found ",
                                  found, ", expected ", expected, ")"});
  }
}

/// Returns the recorded frame of the first simulated one. All of them must exist.
std::size_t first_frame(const SceneRollout& simulated, const Recorded& recorded) {
  const auto& times = recorded.timestamps;
  std::size_t first = simulated.first_frame;
  if (!simulated.timestamps.empty()) {
    const auto at = std::find(times.begin(), times.end(), simulated.timestamps.front());
    first = static_cast<std::size_t>(at - times.begin());
  }
  const std::size_t rest = times.size() - std::min(times.size(), first);
  const bool is_same =
      simulated.timestamps.empty() ||
      (simulated.timestamps.size() <= rest &&
       std::equal(simulated.timestamps.begin(), simulated.timestamps.end(),
                  times.begin() + static_cast<std::ptrdiff_t>(first)));
  if (!is_same) {
    fail(Errc::invalid_argument, {"rollout of scene ", simulated.scene,
                                  ": its time stamps are not those of the data set's "
                                  "scene"});
  }
  if (simulated.size() <= rest) return first;
  fail(Errc::invalid_argument,
       {"rollout of scene ", simulated.scene, ": ", simulated.size(),
        " frames from frame ", first, " (expected at most ", rest, ")"});
}

std::vector<State> simulated_states(const SceneRollout& scene) {
  std::vector<State> out;
  for (std::size_t k = 0; k < scene.size(); ++k) {
    out.push_back({static_cast<float>(scene.ego_x[k]),
                   static_cast<float>(scene.ego_y[k]),
                   static_cast<float>(scene.ego_yaw[k])});
  }
  return out;
}

std::vector<State> recorded_states(const Recorded& recorded, std::size_t first,
                                   std::size_t count) {
  std::vector<State> out;
  for (std::size_t k = first; k < first + count; ++k) {
    const auto* at = &recorded.ego_translation[3 * k];
    const auto* r = &recorded.ego_rotation[9 * k];
    const double yaw = geom::rotation33_as_yaw(
        {{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}});
    out.push_back({static_cast<float>(at[0]), static_cast<float>(at[1]),
                   static_cast<float>(yaw)});
  }
  return out;
}

float distance(const State& a, const State& b) {
  const float x = b.x - a.x, y = b.y - a.y;
  return std::sqrt(x * x + y * y);
}

/// Returns the distance of angles, 0 to pi.
float yaw_error(float a, float b) {
  constexpr float kTurn = 6.283185307179586F;
  const float wrapped = std::fmod(b - a, kTurn);
  return std::fabs(std::fmod(2 * wrapped, kTurn) - wrapped);
}

double nearest(const State& at, const std::vector<State>& all) {
  float least = std::numeric_limits<float>::infinity();
  for (const auto& other : all) least = std::min(least, distance(at, other));
  return least;
}

std::vector<double> miles(const std::vector<State>& states) {
  std::vector<double> out(states.size(), 0.0);
  for (std::size_t k = 1; k < states.size(); ++k) {
    const double x = static_cast<double>(states[k].x) - states[k - 1].x;
    const double y = static_cast<double>(states[k].y) - states[k - 1].y;
    out[k] = geom::hypot(x, y) * kMilesPerMetre;
  }
  return out;
}

void add_motion(const std::vector<State>& simulated, const std::vector<State>& recorded,
                Report& out) {
  const auto count = simulated.size();
  const auto referred =
      static_cast<std::size_t>(static_cast<double>(count) * kMinReferenceShare);
  for (std::size_t k = 0; k < count; ++k) {
    const bool is_last = k + 1 == count;
    out.displacement.push_back(distance(simulated[k], recorded[k]));
    out.reference_distance.push_back(k < referred ? nearest(simulated[k], recorded)
                                                  : kNan);
    out.yaw_error.push_back(yaw_error(simulated[k].yaw, recorded[k].yaw));
    out.speed_difference.push_back(is_last ? kNan
                                           : (distance(simulated[k], simulated[k + 1]) -
                                              distance(recorded[k], recorded[k + 1])) *
                                                 kFramesPerSecond);
  }
  out.simulated_miles = miles(simulated);
  out.recorded_miles = miles(recorded);
}

/// Returns the ego vehicle's rectangle at a position.
geom::Rectangle ego_rectangle(const SceneRollout& scene, geom::Vec2 at, double yaw) {
  const auto heading = geom::sincos(yaw);
  const auto& box = scene.ego_box;
  if (box.empty()) return {at, heading, scene::kEgoLength / 2, scene::kEgoWidth / 2};
  return {{at.x + box[2] * heading.cos, at.y + box[2] * heading.sin},
          heading,
          box[0] / 2,
          box[1] / 2};
}

geom::Rectangle agent_rectangle(const SceneRollout& scene, std::size_t row) {
  return {{scene.x[row], scene.y[row]},
          geom::sincos(scene.yaw[row]),
          scene.length[row] / 2,
          scene.width[row] / 2};
}

/// Adds the outline of a rectangle that begins at a point in it.
void add_outline(const geom::Rectangle& box, geom::Vec2 from,
                 std::vector<geom::Vec2>& out) {
  const auto [sin, cos] = box.heading;
  const double l = box.half_length, w = box.half_width;
  const geom::Vec2 corners[] = {{l, 0}, {l, w}, {-l, w}, {-l, -w}, {l, -w}, {l, 0}};
  out.push_back(from);
  for (const auto& at : corners) {
    out.push_back({box.centre.x + at.x * cos - at.y * sin,
                   box.centre.y + at.x * sin + at.y * cos});
  }
}

void add_collisions(const SceneRollout& scene, const std::vector<State>& states,
                    Report& out) {
  std::vector<geom::Rectangle> agents;
  std::size_t row = 0;
  for (std::size_t k = 0; k < scene.size(); ++k) {
    const auto begin = row;
    agents.clear();
    for (const auto end = row + scene.counts[k]; row < end; ++row) {
      agents.push_back(agent_rectangle(scene, row));
    }
    const auto ego = ego_rectangle(scene, {states[k].x, states[k].y}, states[k].yaw);
    const auto found = first_collision(ego, agents);
    const bool is_hit = found.side != Side::none;
    out.collision.push_back(static_cast<std::uint8_t>(found.side));
    out.collision_track.push_back(is_hit ? scene.track_id[begin + found.agent] : 0);
  }
}

/// Adds the mean distance of the simulated agents from the recorded ones.
void add_agents(const SceneRollout& scene, const Recorded& recorded, Report& out) {
  const auto offset = recorded.frames.empty() ? 0 : recorded.frames.front().begin;
  std::unordered_map<std::uint64_t, std::size_t> rows;
  std::size_t row = 0;
  for (std::size_t k = 0; k < scene.size(); ++k) {
    const auto [begin, end] = recorded.frames[out.first_frame + k];
    rows.clear();
    for (auto i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i - offset);
      rows.try_emplace(recorded.track_ids[at], at);
    }
    double sum = 0;
    std::size_t count = 0;
    for (const auto last = row + scene.counts[k]; row < last; ++row) {
      const auto found = rows.find(scene.track_id[row]);
      out.moved.push_back(1);
      if (found == rows.end()) continue;
      const auto* at = &recorded.centroids[2 * found->second];
      const double away = geom::hypot(scene.x[row] - at[0], scene.y[row] - at[1]);
      if (away <= kSamePlaceM) out.moved.back() = 0;
      sum += away;
      ++count;
    }
    out.agents_displacement.push_back(count == 0 ? kNan
                                                 : sum / static_cast<double>(count));
  }
}

OffRoad off_road(const Roads& roads, geom::Vec2 at) {
  if (roads.empty()) return OffRoad::unknown;
  return roads.contains(at) ? OffRoad::no : OffRoad::yes;
}

std::vector<geom::Vec2> line(const Roads::Lines& lines, std::size_t i) {
  const auto begin = lines.offsets[i], end = lines.offsets[i + 1];
  if (begin > end || 2 * std::size_t{end} > lines.points.size())
    fail(Errc::invalid_argument, {"lanes: invalid offsets"});
  std::vector<geom::Vec2> out;
  for (auto k = begin; k < end; ++k)
    out.push_back({lines.points[2 * k], lines.points[2 * k + 1]});
  return out;
}

}  // namespace

Roads::Roads(const Lines& left, const Lines& right) {
  if (left.offsets.size() != right.offsets.size())
    fail(Errc::invalid_argument, {"lanes: sides of different lengths"});
  std::vector<map::Box> boxes;
  for (std::size_t i = 0; i + 1 < left.offsets.size(); ++i) {
    left_.push_back(line(left, i));
    right_.push_back(line(right, i));
    map::Box box;
    for (const auto* side : {&left_.back(), &right_.back()}) {
      for (const auto& at : *side) box.add({at.x, at.y, at.x, at.y});
    }
    boxes.push_back(box);
  }
  index_ = map::BoxIndex(boxes);
}

bool Roads::contains(geom::Vec2 at) const {
  // A margin, because the index leaves out the edges of boxes.
  const auto near = index_.near(at.x, at.y, 1);
  return std::any_of(near.begin(), near.end(), [&](std::uint32_t row) {
    return map::is_on_lane(left_[row], right_[row], at);
  });
}

std::vector<geom::Vec2> outlines(const SceneRollout& scene) {
  std::vector<geom::Vec2> out;
  for (std::size_t k = 0; k < scene.size(); ++k) {
    const geom::Vec2 at{scene.ego_x[k], scene.ego_y[k]};
    add_outline(ego_rectangle(scene, at, scene.ego_yaw[k]), at, out);
  }
  for (std::size_t row = 0; row < scene.x.size(); ++row) {
    const auto box = agent_rectangle(scene, row);
    add_outline(box, box.centre, out);
  }
  return out;
}

Report compare(const SceneRollout& simulated, const Recorded& recorded,
               const Roads& roads) {
  check(simulated, "rollout");
  check_lengths(recorded);
  Report out;
  out.first_frame = static_cast<std::uint32_t>(first_frame(simulated, recorded));
  const auto states = simulated_states(simulated);
  add_motion(states, recorded_states(recorded, out.first_frame, states.size()), out);
  add_collisions(simulated, states, out);
  add_agents(simulated, recorded, out);
  for (std::size_t k = 0; k < simulated.size(); ++k) {
    const auto box = ego_rectangle(simulated, {simulated.ego_x[k], simulated.ego_y[k]},
                                   simulated.ego_yaw[k]);
    out.off_road.push_back(static_cast<std::uint8_t>(off_road(roads, box.centre)));
  }
  return out;
}

}  // namespace bev::rollout
