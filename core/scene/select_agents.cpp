#include "core/scene/select_agents.hpp"

#include <cmath>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/geom/angle.hpp"
#include "core/scene/intervals.hpp"
#include "core/scene/labels.hpp"

namespace bev::scene {
namespace {

constexpr double kSmallestArea = 0.01;  // square metres; a ratio of smaller areas is
                                        // meaningless

double degrees(double rad) noexcept {
  constexpr double kPi = 3.14159265358979323846;
  return rad * 180 / kPi;
}

// Returns whether two areas are similar; false if one is NaN.
bool similar_areas(float a, float b, double max_ratio) noexcept {
  if (static_cast<double>(a) < kSmallestArea) return false;
  if (static_cast<double>(b) < kSmallestArea) return false;
  const float ratio = a > b ? a / b : b / a;
  return static_cast<double>(ratio) < max_ratio;
}

void check(double rule, const char* name) {
  if (!std::isnan(rule)) return;
  fail(Errc::invalid_argument, {"selection: ", name, " must not be NaN"});
}

}  // namespace

void check_rules(const SelectionRules& rules) {
  check(rules.label_threshold, "label_threshold");
  check(rules.max_yaw_step_deg, "max_yaw_step_deg");
  check(rules.max_extent_ratio, "max_extent_ratio");
  check(rules.max_distance_to_ego, "max_distance_to_ego");
}

std::string mask_name(const SelectionRules& rules) {
  auto threshold = python_repr(rules.label_threshold);
  SelectionRules usual;
  usual.label_threshold = rules.label_threshold;
  if (rules == usual) return threshold;
  return threshold + "_y" + python_repr(rules.max_yaw_step_deg) + "_e" +
         python_repr(rules.max_extent_ratio) + "_d" +
         python_repr(rules.max_distance_to_ego);
}

AgentSelector::AgentSelector(const SelectionRules& rules) : rules_(rules) {
  check_rules(rules);
}

void AgentSelector::begin_scene() {
  frame_ = 0;
  mask_.clear();
  previous_.clear();
  runs_.clear();
}

void AgentSelector::add_frame(geom::Vec2 ego_in_world, const SelectionColumns& agents,
                              Interval rows) {
  const auto begin = static_cast<std::size_t>(rows.begin);
  const auto end = static_cast<std::size_t>(rows.end);
  mask_.resize(mask_.size() + 2 * (end - begin));
  previous_.resize(previous_.size() + (end - begin));
  row_ = previous_.size() - (end - begin);
  for (auto i = begin; i < end; ++i, ++row_) add_agent(ego_in_world, agents, i);
  report_.total_agent_frames += end - begin;
  ++frame_;
}

void AgentSelector::finish_scene() {
  for (auto& [track_id, run] : runs_) close(run);
}

void AgentSelector::add_agent(geom::Vec2 ego_in_world, const SelectionColumns& agents,
                              std::size_t i) {
  const Observation now{frame_, row_, agents.yaw[i],
                        agents.extent[i][0] * agents.extent[i][1]};
  auto& run = runs_[agents.track_id[i]];
  const bool seen = passes_rules(ego_in_world, agents, i);
  if (run.count > 0 && (!seen || !follows(run.last, now))) close(run);
  if (seen) extend(run, now);
}

bool AgentSelector::passes_rules(geom::Vec2 ego_in_world,
                                 const SelectionColumns& agents, std::size_t i) {
  auto* reject = &report_.agent_filter_probability_threshold;
  if (keeps(agents.label_probabilities[i],
            static_cast<float>(rules_.label_threshold))) {
    const auto dx = agents.centroid[i][0] - ego_in_world.x;
    const auto dy = agents.centroid[i][1] - ego_in_world.y;
    if (std::sqrt(dx * dx + dy * dy) < rules_.max_distance_to_ego) return true;
    reject = &report_.av_distance;
  }
  ++*reject;
  ++report_.total_reject;
  return false;
}

bool AgentSelector::follows(const Observation& before, const Observation& now) {
  auto* reject = &report_.hole;
  if (now.frame == before.frame + 1) {
    const float difference = now.yaw_rad - before.yaw_rad;
    const double turn = geom::angular_distance(static_cast<double>(difference), 0);
    reject = &report_.yaw;
    if (degrees(std::fabs(turn)) < rules_.max_yaw_step_deg) {
      reject = &report_.extent;
      if (similar_areas(before.area, now.area, rules_.max_extent_ratio)) return true;
    }
  }
  ++*reject;
  ++report_.total_reject;
  return false;
}

void AgentSelector::extend(Run& run, const Observation& observation) {
  mask_[2 * observation.row] = run.count;
  if (run.count > 0) previous_[observation.row] = run.last.row;
  run.last = observation;
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

void PastFutureTable::add(std::span<const std::uint32_t> mask) noexcept {
  for (std::size_t i = 0; i + 1 < mask.size(); i += 2) {
    for (std::size_t past = 0; past < kSteps.size(); ++past) {
      for (std::size_t future = 0; future < kSteps.size(); ++future) {
        counts_[past][future] +=
            mask[i] >= kSteps[past] && mask[i + 1] >= kSteps[future];
      }
    }
  }
}

bool SceneSelection::read(store::Reader& reader, const ChunkedDataset& dataset,
                          std::uint64_t scene) {
  if (scene >= dataset.scene_count()) {
    fail_index({"scene "}, scene, dataset.scene_count());
  }
  const auto row = static_cast<std::int64_t>(scene);
  if (!dataset.read_scene_intervals(reader, {row, row + 1}, scene_)) return false;
  const auto frames = dataset.frames_of(scene, scene_.front());
  check_interval(frames, row, dataset.frames_of_scenes());
  if (!dataset.read_frames(reader, frames, frames_)) return false;
  agent_rows_ = check_intervals(frames_.agent_index_interval, frames.begin,
                                dataset.agents_of_frames());
  return dataset.read_selection_columns(reader, agent_rows_, agents_);
}

void SceneSelection::select(AgentSelector& selector) const {
  selector.begin_scene();
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const auto& rows = frames_.agent_index_interval[i];
    const auto& ego = frames_.ego_translation[i];
    selector.add_frame({ego[0], ego[1]}, agents_,
                       {rows.begin - agent_rows_.begin, rows.end - agent_rows_.begin});
  }
  selector.finish_scene();
}

}  // namespace bev::scene
