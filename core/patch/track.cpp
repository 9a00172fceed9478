#include "core/patch/track.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/geom/angle.hpp"
#include "core/scene/motion.hpp"

namespace bev::patch {
namespace {

geom::Matrix3 rows_of_matrix(const std::array<double, 9>& m) {
  return {{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}};
}

/// Turns a rotation about the world's z axis, which keeps roll and pitch.
std::array<double, 9> turned(const std::array<double, 9>& rotation, double turn) {
  const auto [sin, cos] = geom::sincos(turn);
  auto out = rotation;
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = cos * rotation[i] - sin * rotation[3 + i];
    out[3 + i] = sin * rotation[i] + cos * rotation[3 + i];
  }
  return out;
}

}  // namespace

double wrapped(double yaw_rad) noexcept {
  return geom::angular_distance(yaw_rad, 0);
}

Track::Track(scene::SceneArrays& scene, std::optional<std::uint64_t> id)
    : scene_(scene), is_ego_(!id) {
  for (std::size_t frame = 0; frame < scene.frames.size(); ++frame) {
    if (is_ego_) {
      add(frame, frame);
      continue;
    }
    const auto [begin, end] = scene.frames.agent_index_interval[frame];
    for (auto row = static_cast<std::size_t>(begin);
         row < static_cast<std::size_t>(end); ++row) {
      if (scene.agents.track_id[row] != *id) continue;
      if (!steps_.empty() && steps_.back().frame == frame) {
        fail(Errc::invalid_argument,
             {"frame ", frame, ": track ", *id, " occurs twice"});
      }
      add(frame, row);
    }
  }
}

void Track::add(std::size_t frame, std::size_t row) {
  Step step{frame, row, {}, 0, {}};
  if (is_ego_) {
    const auto& at = scene_.frames.ego_translation[row];
    step.at = {at[0], at[1], at[2]};
    step.rotation = scene_.frames.ego_rotation[row];
  } else {
    const auto& at = scene_.agents.centroid[row];
    step.at = {at[0], at[1], 0};
    step.yaw = scene_.agents.yaw[row];
  }
  steps_.push_back(step);
}

double Track::yaw(std::size_t step) const {
  if (!is_ego_) return steps_[step].yaw;
  return geom::rotation33_as_yaw(rows_of_matrix(steps_[step].rotation));
}

double Track::seconds(std::size_t from, std::size_t to) const {
  const auto& times = scene_.frames.timestamp;
  return scene::seconds_between(times[frame(from)], times[frame(to)]);
}

std::size_t Track::first_from(std::size_t frame) const {
  const auto before = [](const Step& step, std::size_t at) { return step.frame < at; };
  const auto found = std::lower_bound(steps_.begin(), steps_.end(), frame, before);
  return static_cast<std::size_t>(found - steps_.begin());
}

geom::Vec2 Track::velocity(std::size_t step) const {
  const auto from = step == 0 ? step : step - 1;
  const auto to = std::min(step + 1, size() - 1);
  const double time = seconds(from, to);
  if (!(time > 0)) return {};
  return {(at(to).x - at(from).x) / time, (at(to).y - at(from).y) / time};
}

/// Returns whether the pose is another.
bool Track::put_one(Step& step, const Placed& placed, const Step& source) const {
  const auto before = step;
  step.at = placed.at;
  const double turn = placed.turn;
  if (is_ego_) {
    step.rotation = turn == 0 ? source.rotation : turned(source.rotation, turn);
    scene_.frames.ego_translation[step.row] = {step.at.x, step.at.y, step.at.z};
    scene_.frames.ego_rotation[step.row] = step.rotation;
    return false;  // it has no velocity
  }
  step.yaw = turn == 0 ? source.yaw : static_cast<float>(wrapped(source.yaw + turn));
  scene_.agents.centroid[step.row] = {step.at.x, step.at.y};
  scene_.agents.yaw[step.row] = step.yaw;
  return step.at != before.at || step.yaw != before.yaw;
}

void Track::put(std::size_t first, const std::vector<Placed>& steps) {
  const auto recorded = steps_;
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& source = recorded[steps[i].source];
    if (put_one(steps_[first + i], steps[i], source)) changed.push_back(first + i);
  }
  for (const auto step : changed) set_velocity(step);
}

void Track::set_velocities() {
  for (std::size_t step = 0; step < size(); ++step) set_velocity(step);
}

void Track::set_velocity(std::size_t step) {
  const auto [x, y] = velocity(step);
  scene_.agents.velocity[steps_[step].row] = {static_cast<float>(x),
                                              static_cast<float>(y)};
}

}  // namespace bev::patch
