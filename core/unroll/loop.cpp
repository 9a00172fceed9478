#include "core/unroll/loop.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/geom/affine.hpp"
#include "core/geom/angle.hpp"
#include "core/sample/relative_poses.hpp"
#include "core/scene/scene_edit.hpp"

namespace bev::unroll {
namespace {

using sample::SampleId;
using scene::Agent;
using scene::SceneArrays;

constexpr std::size_t kCar = 3;

/// A pose in the next frame, of the ego vehicle or of an agent.
struct Move {
  std::size_t scene = 0;
  std::optional<Agent> agent;
  geom::Vec2 position;
  double yaw = 0;
};

std::array<double, 9> rotation_of(double yaw) {
  const auto rows = geom::yaw_as_rotation33(yaw);
  return {rows[0][0], rows[0][1], rows[0][2], rows[1][0], rows[1][1],
          rows[1][2], rows[2][0], rows[2][1], rows[2][2]};
}

Agent driven_car(const Agent& now, geom::Vec2 position, double yaw) {
  Agent out;
  out.centroid = {position.x, position.y};
  out.extent = now.extent;
  out.yaw = static_cast<float>(yaw);
  out.track_id = now.track_id;
  out.label_probabilities[kCar] = 1;
  return out;
}

std::size_t agent_row(const SceneArrays& arrays, const SampleId& id) {
  const auto row =
      scene::find_agent(arrays, static_cast<std::size_t>(id.frame), *id.track_id);
  if (row) return *row;
  fail(Errc::out_of_range, {"scene ", id.scene, ": track ", *id.track_id,
                            " not found in frame ", id.frame});
}

/// Returns the pose that a model's first step leads to.
Move move_of(const SceneArrays& arrays, const SampleId& id, geom::Vec2 step,
             double turn) {
  const auto frame = static_cast<std::size_t>(id.frame);
  Move out;
  if (id.track_id) {
    const auto now = scene::agent_at(arrays.agents, agent_row(arrays, id));
    const double yaw = now.yaw;
    out.position = geom::pose({now.centroid[0], now.centroid[1]}, yaw) * step;
    out.yaw = yaw + turn;
    out.agent = driven_car(now, out.position, out.yaw);
    return out;
  }
  const auto& ego = arrays.frames.ego_translation[frame];
  const auto yaw = sample::ego_yaw(arrays.frames, frame);
  out.position = geom::pose({ego[0], ego[1]}, yaw) * step;
  out.yaw = yaw + turn;
  return out;
}

void check_steps(std::size_t subjects, const Steps& steps) {
  const auto expected = subjects * steps.steps;
  if (steps.positions.size() != 2 * expected || steps.yaws.size() != expected) {
    fail(Errc::invalid_argument,
         {"simulation: lengths differ (found ", steps.positions.size(),
          " coordinates and ", steps.yaws.size(), " yaws, expected ", 2 * expected,
          " and ", expected, " for ", subjects, " subjects of ", steps.steps,
          " steps)"});
  }
  const auto finite = [](double value) { return std::isfinite(value); };
  std::size_t broken = 0;
  for (std::size_t i = 0; i < subjects; ++i) {
    const auto at = i * steps.steps;
    const bool fine = finite(steps.positions[2 * at]) &&
                      finite(steps.positions[2 * at + 1]) && finite(steps.yaws[at]);
    broken += fine ? 0 : 1;
  }
  if (broken == 0) return;
  fail(Errc::invalid_argument, {"simulation: positions or yaws are not finite (found ",
                                broken, " of ", subjects, " subjects)"});
}

}  // namespace

Loop::Loop(const Config& config, std::vector<Start> scenes) : config_(config) {
  if (scenes.empty()) {
    fail(Errc::invalid_argument, {"simulation: needs at least one scene"});
  }
  cut(std::move(scenes));
  auto recorded = std::make_shared<scene::Overlay>();
  for (const auto& one : scenes_) {
    if (config_.disable_new_agents) {
      scene::hide_agents(*one.arrays, controlled(one, 0));
    }
    recorded->put(one.scene, std::make_shared<const SceneArrays>(*one.arrays));
    changed(one);
  }
  recorded_ = std::move(recorded);
}

void Loop::cut(std::vector<Start> scenes) {
  auto shortest = scenes.front().arrays.frames.size();
  for (const auto& one : scenes) {
    scene::check_arrays(one.scene, one.arrays);
    shortest = std::min(shortest, one.arrays.frames.size());
  }
  const auto begin = config_.start_frame_index;
  const auto steps = config_.num_simulation_steps.value_or(
      begin < shortest ? shortest - begin : std::uint64_t{1});
  if (steps == 0) fail(Errc::invalid_argument, {"simulation: steps must not be 0"});
  if (begin >= shortest || steps > shortest - begin) {
    fail(Errc::invalid_argument, {"simulation: ends at frame ", begin + steps,
                                  ", but the shortest scene has ", shortest});
  }
  frames_ = static_cast<std::size_t>(steps);
  const auto first = static_cast<std::int64_t>(begin);
  for (auto& one : scenes) {
    for (const auto& other : scenes_) {
      if (other.scene != one.scene) continue;
      fail(Errc::invalid_argument,
           {"simulation: scenes must not repeat (found ", one.scene, " twice)"});
    }
    scenes_.push_back(
        {one.scene,
         std::make_shared<SceneArrays>(scene::frames_subset(
             one.arrays, {first, first + static_cast<std::int64_t>(steps)})),
         {}});
  }
}

std::vector<std::uint64_t> Loop::scenes() const {
  std::vector<std::uint64_t> out;
  for (const auto& one : scenes_) out.push_back(one.scene);
  return out;
}

std::size_t Loop::index_of(std::uint64_t scene) const {
  for (std::size_t i = 0; i < scenes_.size(); ++i) {
    if (scenes_[i].scene == scene) return i;
  }
  fail(Errc::out_of_range, {"scene ", scene, ": not simulated"});
}

void Loop::check_frame(std::uint64_t frame) const {
  if (frame >= frames_) fail_index({"simulation: frame "}, frame, frames_);
}

void Loop::changed(const Simulated& one) {
  overlay_->put(one.scene, one.arrays);
}

std::vector<std::uint64_t> Loop::controlled(const Simulated& one,
                                            std::size_t frame) const {
  const auto& agents = one.arrays->agents;
  const auto [begin, end] = one.arrays->frames.agent_index_interval[frame];
  const auto& ego = one.arrays->frames.ego_translation[frame];
  std::vector<std::uint64_t> out;
  for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end);
       ++row) {
    if (!(agents.label_probabilities[row][kCar] > config_.filter_agents_threshold)) {
      continue;
    }
    const auto id = agents.track_id[row];
    const bool held =
        std::find(one.tracked.begin(), one.tracked.end(), id) != one.tracked.end();
    const auto dx = ego[0] - agents.centroid[row][0];
    const auto dy = ego[1] - agents.centroid[row][1];
    const auto limit = held ? config_.distance_th_far : config_.distance_th_close;
    if (std::sqrt(dx * dx + dy * dy) < limit) out.push_back(id);
  }
  return out;
}

std::vector<SampleId> Loop::agents_of(std::uint64_t scene, std::uint64_t frame) {
  check_frame(frame);
  auto& one = scenes_[index_of(scene)];
  one.tracked = controlled(one, static_cast<std::size_t>(frame));
  std::vector<SampleId> out;
  for (const auto id : one.tracked) out.push_back({scene, frame, id});
  return out;
}

std::vector<SampleId> Loop::agents(std::uint64_t frame) {
  check_frame(frame);
  std::vector<SampleId> out;
  if (config_.use_agents_gt) return out;
  for (const auto& one : scenes_) {
    const auto found = agents_of(one.scene, frame);
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

std::vector<SampleId> Loop::ego(std::uint64_t frame) const {
  check_frame(frame);
  std::vector<SampleId> out;
  if (config_.use_ego_gt) return out;
  for (const auto& one : scenes_) out.push_back({one.scene, frame});
  return out;
}

void Loop::take(std::span<const SampleId> subjects, const Steps& steps) {
  check_steps(subjects.size(), steps);
  if (subjects.empty()) return;
  const auto frame = subjects.front().frame;
  check_frame(frame);
  std::vector<Move> moves;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const auto& id = subjects[i];
    if (id.frame != frame) {
      fail(Errc::invalid_argument, {"simulation: subjects of several frames (found ",
                                    frame, " and ", id.frame, ")"});
    }
    const auto scene = index_of(id.scene);
    const auto at = i * steps.steps;
    const geom::Vec2 step{steps.positions[2 * at], steps.positions[2 * at + 1]};
    moves.push_back(move_of(*scenes_[scene].arrays, id, step, steps.yaws[at]));
    moves.back().scene = scene;
  }
  if (frame + 1 == frames_) return;
  for (std::size_t scene = 0; scene < scenes_.size(); ++scene) {
    std::vector<Agent> agents;
    for (const auto& move : moves) {
      if (move.scene == scene && move.agent) agents.push_back(*move.agent);
    }
    const auto number = scenes_[scene].scene;
    if (!agents.empty()) put_agents(number, frame + 1, agents);
    for (const auto& move : moves) {
      if (move.scene != scene || move.agent) continue;
      put_ego(number, frame + 1, {move.position.x, move.position.y},
              rotation_of(move.yaw));
    }
  }
}

void Loop::put_agents(std::uint64_t scene, std::uint64_t frame,
                      std::span<const Agent> agents) {
  check_frame(frame);
  const auto& one = scenes_[index_of(scene)];
  scene::put_agents(*one.arrays, static_cast<std::size_t>(frame), agents);
  changed(one);
}

void Loop::put_ego(std::uint64_t scene, std::uint64_t frame,
                   std::array<double, 2> position,
                   const std::array<double, 9>& rotation) {
  check_frame(frame);
  const auto& one = scenes_[index_of(scene)];
  const auto at = static_cast<std::size_t>(frame);
  auto& translation = one.arrays->frames.ego_translation[at];
  translation[0] = position[0];
  translation[1] = position[1];
  one.arrays->frames.ego_rotation[at] = rotation;
  changed(one);
}

void Loop::put_scene(std::uint64_t scene, SceneArrays arrays) {
  auto& one = scenes_[index_of(scene)];
  if (arrays.frames.size() != frames_) {
    fail(Errc::invalid_argument, {"scene ", scene, ": wrong number of frames (found ",
                                  arrays.frames.size(), ", expected ", frames_, ")"});
  }
  const auto made = std::make_shared<SceneArrays>(std::move(arrays));
  overlay_->put(scene, made);
  one.arrays = made;
}

void Loop::hold(std::uint64_t scene, std::span<const std::uint64_t> tracks) {
  scenes_[index_of(scene)].tracked.assign(tracks.begin(), tracks.end());
}

const SceneArrays& Loop::arrays(std::uint64_t scene) const {
  return *scenes_[index_of(scene)].arrays;
}

rollout::SceneRollout Loop::rollout(std::uint64_t scene, std::size_t begin,
                                    std::optional<std::size_t> end) const {
  const auto& from = arrays(scene);
  const auto last = end.value_or(frames_);
  if (begin > last || last > frames_) {
    fail(Errc::out_of_range, {"simulation: frames ", begin, " to ", last,
                              " are out of range (count ", frames_, ")"});
  }
  rollout::SceneRollout out;
  out.scene = static_cast<std::uint32_t>(scene);
  out.first_frame = static_cast<std::uint32_t>(config_.start_frame_index + begin);
  for (auto k = begin; k < last; ++k) {
    out.timestamps.push_back(from.frames.timestamp[k]);
    out.ego_x.push_back(from.frames.ego_translation[k][0]);
    out.ego_y.push_back(from.frames.ego_translation[k][1]);
    out.ego_yaw.push_back(sample::ego_yaw(from.frames, k));
    const auto& rows = from.frames.agent_index_interval[k];
    out.counts.push_back(static_cast<std::uint32_t>(rows.end - rows.begin));
    for (auto row = static_cast<std::size_t>(rows.begin);
         row < static_cast<std::size_t>(rows.end); ++row) {
      out.track_id.push_back(from.agents.track_id[row]);
      out.x.push_back(from.agents.centroid[row][0]);
      out.y.push_back(from.agents.centroid[row][1]);
      out.yaw.push_back(from.agents.yaw[row]);
      out.length.push_back(from.agents.extent[row][0]);
      out.width.push_back(from.agents.extent[row][1]);
    }
  }
  return out;
}

}  // namespace bev::unroll
