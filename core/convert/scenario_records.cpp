#include "core/convert/scenario_records.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/geom/trig.hpp"

namespace bev::convert {
namespace {

void check(const Scenario& scenario) {
  const auto frames = scenario.times_ns.size();
  const auto& states = scenario.states;
  const auto size = states.size();
  bool is_whole = frames > 0 && scenario.ego.size() == frames &&
                  (scenario.faces.empty() || scenario.faces.size() == frames) &&
                  states.position.size() == size && states.yaw.size() == size &&
                  states.velocity.size() == size && states.extent.size() == size &&
                  (states.is_item.empty() || states.is_item.size() == size);
  for (const auto step : states.step) is_whole = is_whole && step < frames;
  std::size_t end = 0;
  for (const auto& track : scenario.tracks) {
    is_whole = is_whole && track.begin == end && track.end >= end &&
               track.end <= size && track.label < scene::kLabelCount;
    end = track.end;
  }
  if (!is_whole || end != size) {
    fail(Errc::invalid_argument,
         {"scenario ", scenario.id, ": columns do not belong together"});
  }
}

/// Returns the index of each frame's first agent, and the number of agents.
std::vector<std::size_t> first_agents(const Scenario& scenario) {
  std::vector<std::size_t> first(scenario.times_ns.size() + 1);
  for (const auto step : scenario.states.step) ++first[step + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  return first;
}

/// Calls `use` with each track, row of the states, and index of the agent.
template <class Use>
void for_each_agent(const Scenario& scenario, Use use) {
  auto next = first_agents(scenario);
  for (const auto& track : scenario.tracks) {
    for (auto row = track.begin; row < track.end; ++row) {
      use(track, row, next[scenario.states.step[row]]++);
    }
  }
}

/// Returns the number of L5Kit's frames, 0.1 s, between two frames; at least 1.
double frames_per_step(const std::vector<std::int64_t>& times_ns) {
  constexpr double kStepNs = 1e8;
  if (times_ns.size() < 2) return 1;
  const auto span = static_cast<double>(times_ns.back() - times_ns.front());
  const double step = span / static_cast<double>(times_ns.size() - 1);
  return std::max(1.0, std::floor(step / kStepNs + 0.5));
}

scene::Agent agent_of(const Scenario& scenario, const Track& track, std::size_t row) {
  const auto& states = scenario.states;
  scene::Agent agent;
  agent.centroid = states.position[row];
  agent.extent = states.extent[row];
  agent.yaw = states.yaw[row];
  agent.velocity = states.velocity[row];
  agent.track_id = track.track_id;
  agent.label_probabilities[track.label] = 1;
  return agent;
}

scene::Frame frame_of(const Scenario& scenario, std::size_t index) {
  const auto& ego = scenario.ego[index];
  const auto [sin, cos] = geom::sincos(ego.yaw_rad);
  scene::Frame frame;
  frame.timestamp = scenario.times_ns[index];
  frame.ego_translation = {ego.position.x, ego.position.y, ego.position.z};
  frame.ego_rotation = {cos, -sin, 0, sin, cos, 0, 0, 0, 1};
  return frame;
}

/// Returns the mask of all agents under these limits.
std::vector<std::uint32_t> selected(const scene::SceneRecords& records,
                                    const scene::SelectionRules& rules) {
  scene::SelectionColumns columns;
  for (const auto& agent : records.agents) {
    columns.centroid.push_back(agent.centroid);
    columns.extent.push_back(agent.extent);
    columns.yaw.push_back(agent.yaw);
    columns.track_id.push_back(agent.track_id);
    columns.label_probabilities.push_back(agent.label_probabilities);
  }
  scene::AgentSelector selector(rules);
  selector.begin_scene();
  for (const auto& frame : records.frames) {
    selector.add_frame({frame.ego_translation[0], frame.ego_translation[1]}, columns,
                       frame.agent_index_interval);
  }
  selector.finish_scene();
  return {selector.mask().begin(), selector.mask().end()};
}

}  // namespace

scene::SceneRecords records_of(const Scenario& scenario) {
  check(scenario);
  const auto first = first_agents(scenario);
  scene::SceneRecords out;
  out.scene.host = scenario.host;
  out.scene.start_time = scenario.start_ns;
  out.scene.end_time = scenario.end_ns;
  out.scene.frame_index_interval = {0, std::ssize(scenario.times_ns)};
  for (std::size_t i = 0; i < scenario.times_ns.size(); ++i) {
    scene::Frame frame = frame_of(scenario, i);
    frame.agent_index_interval = {static_cast<std::int64_t>(first[i]),
                                  static_cast<std::int64_t>(first[i + 1])};
    frame.traffic_light_faces_index_interval.begin = std::ssize(out.faces);
    if (!scenario.faces.empty()) {
      out.faces.insert(out.faces.end(), scenario.faces[i].begin(),
                       scenario.faces[i].end());
    }
    frame.traffic_light_faces_index_interval.end = std::ssize(out.faces);
    out.frames.push_back(frame);
  }
  out.agents.resize(scenario.states.size());
  for_each_agent(scenario, [&](const Track& track, std::size_t row, std::size_t agent) {
    out.agents[agent] = agent_of(scenario, track, row);
  });
  return out;
}

std::vector<std::uint32_t> mask_of(const Scenario& scenario,
                                   const scene::SceneRecords& records, MaskRule rule) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  scene::SelectionRules rules;
  rules.max_distance_to_ego = kNoLimit;
  rules.max_yaw_step_deg *= frames_per_step(scenario.times_ns);
  auto mask = selected(records, rules);
  rules.max_yaw_step_deg = kNoLimit;
  const auto evaluated = selected(records, rules);
  std::unordered_map<std::uint64_t, Role> roles;
  for (const auto& track : scenario.tracks) roles[track.track_id] = track.role;
  for (std::size_t i = 0; i < records.agents.size(); ++i) {
    const Role role = roles[records.agents[i].track_id];
    const bool is_kept = role >= rule.least;
    const auto& source = role >= Role::scored ? evaluated : mask;
    mask[2 * i] = is_kept ? source[2 * i] : 0;
    mask[2 * i + 1] = is_kept ? source[2 * i + 1] : 0;
  }
  if (rule.least >= Role::scored && !scenario.states.is_item.empty()) {
    for_each_agent(scenario, [&](const Track&, std::size_t row, std::size_t agent) {
      if (!scenario.states.is_item[row]) mask[2 * agent] = mask[2 * agent + 1] = 0;
    });
  }
  return mask;
}

}  // namespace bev::convert
