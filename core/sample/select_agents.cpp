#include "core/sample/select_agents.hpp"

#include <cmath>

#include "core/geom/angle.hpp"
#include "core/scene/filters.hpp"

namespace bev::sample {
namespace {

constexpr float kSmallestArea = 0.01F;  // square metres; below it a ratio says nothing

float degrees(float rad) noexcept {
  constexpr float kDegreesPerRadian = 57.295779513082320876798F;
  return rad * kDegreesPerRadian;
}

// A NaN is like nothing.
bool alike(float a, float b, float max_ratio) noexcept {
  if (a < kSmallestArea || b < kSmallestArea) return false;
  return (a > b ? a / b : b / a) < max_ratio;
}

}  // namespace

void AgentSelector::begin_scene() {
  frame_ = 0;
  mask_.clear();
  previous_.clear();
  runs_.clear();
}

void AgentSelector::add_frame(geom::Vec2 ego_in_world, const AgentRows& agents) {
  for (std::size_t i = 0; i < agents.size(); ++i) add_agent(ego_in_world, agents, i);
  report_.total_agent_frames += agents.size();
  ++frame_;
}

void AgentSelector::finish_scene() {
  for (auto& [track_id, run] : runs_) close(run);
}

void AgentSelector::add_agent(geom::Vec2 ego_in_world, const AgentRows& agents,
                              std::size_t i) {
  const auto row = mask_.size() / 2;
  mask_.insert(mask_.end(), {0, 0});
  previous_.push_back(row);
  auto& run = runs_[agents.track_id[i]];
  if (!passes_alone(ego_in_world, agents, i)) {
    close(run);
    return;
  }
  const Sight now{frame_, row, agents.yaw[i],
                  agents.extent[i][0] * agents.extent[i][1]};
  if (run.count > 0 && !follows(run.last, now)) close(run);
  extend(run, now);
}

bool AgentSelector::passes_alone(geom::Vec2 ego_in_world, const AgentRows& agents,
                                 std::size_t i) {
  auto* reject = &report_.agent_filter_probability_threshold;
  if (scene::keeps(agents.label_probabilities[i], rules_.label_threshold)) {
    const auto dx = agents.centroid[i][0] - ego_in_world.x;
    const auto dy = agents.centroid[i][1] - ego_in_world.y;
    if (std::sqrt(dx * dx + dy * dy) < rules_.max_distance_to_ego) return true;
    reject = &report_.av_distance;
  }
  ++*reject;
  ++report_.total_reject;
  return false;
}

bool AgentSelector::follows(const Sight& before, const Sight& now) {
  auto* reject = &report_.hole;
  if (now.frame == before.frame + 1) {
    const auto turn = geom::angular_distance_f32(now.yaw_rad, before.yaw_rad);
    reject = &report_.yaw;
    if (std::fabs(degrees(turn)) < rules_.max_yaw_step_deg) {
      reject = &report_.extent;
      if (alike(before.area, now.area, rules_.max_extent_ratio)) return true;
    }
  }
  ++*reject;
  ++report_.total_reject;
  return false;
}

void AgentSelector::extend(Run& run, const Sight& sight) {
  mask_[2 * sight.row] = run.count;
  if (run.count > 0) previous_[sight.row] = run.last.row;
  run.last = sight;
  ++run.count;
}

void AgentSelector::close(Run& run) {
  auto row = run.last.row;
  for (std::uint32_t after = 0; after < run.count; ++after) {
    mask_[2 * row + 1] = after;
    row = previous_[row];
  }
  run.count = 0;
}

}  // namespace bev::sample
