#include "core/scene/nearest_agents.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/nearest_name.hpp"
#include "core/geom/trig.hpp"
#include "core/scene/label_names.hpp"
#include "core/scene/labels.hpp"

namespace bev::scene {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// An agent's row, and its distance to the ego vehicle in metres.
struct Near {
  double distance = 0;
  std::size_t row = 0;
};

std::size_t label_of(std::string_view name) {
  for (std::size_t i = 0; i < kLabelCount; ++i) {
    if (name == kLabelNames[i] || name == kPerceptionLabels[i]) return i;
  }
  const auto nearest = nearest_name(name, kLabelNames);
  const std::string hint =
      nearest.empty() ? "" : " (did you mean " + std::string(nearest) + "?)";
  fail(Errc::invalid_argument, {"labels: unknown label ", name, hint});
}

}  // namespace

void SubjectRules::set_labels(std::span<const std::string> names) {
  labels.fill(false);
  for (const auto& name : names) labels[label_of(name)] = true;
}

std::vector<std::uint64_t> nearest_agents(const SceneArrays& scene, std::uint64_t frame,
                                          const SubjectRules& rules) {
  const auto& frames = scene.frames;
  if (frame >= frames.size()) fail_index({"frame "}, frame, frames.size());
  const auto at = static_cast<std::size_t>(frame);
  const auto& [ego_x, ego_y, ego_z] = frames.ego_translation[at];
  const auto [begin, end] = frames.agent_index_interval[at];
  const bool all = std::none_of(rules.labels.begin(), rules.labels.end(),
                                [](bool chosen) { return chosen; });
  std::vector<Near> near;
  for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end);
       ++row) {
    const LabelProbabilities probabilities(scene.agents.label_probabilities[row]);
    if (!keeps(probabilities, rules.threshold)) continue;
    if (!all && !rules.labels[most_probable(probabilities)]) continue;
    const auto& [x, y] = scene.agents.centroid[row];
    const double distance = geom::hypot(x - ego_x, y - ego_y);
    // Positions that are not finite come last.
    near.push_back({std::isfinite(distance) ? distance : kFar, row});
  }
  std::stable_sort(near.begin(), near.end(), [](const Near& one, const Near& other) {
    return one.distance < other.distance;
  });
  if (near.size() > rules.most) near.resize(rules.most);
  std::vector<std::uint64_t> out;
  for (const auto& one : near) out.push_back(scene.agents.track_id[one.row]);
  return out;
}

}  // namespace bev::scene
