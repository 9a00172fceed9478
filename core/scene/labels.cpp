#include "core/scene/labels.hpp"

namespace bev::scene {

std::size_t most_probable(LabelProbabilities probabilities) noexcept {
  std::size_t best = 0;
  bool found = false;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const auto value = probabilities[i];
    if (value != value || (found && value <= probabilities[best])) continue;
    best = i;
    found = true;
  }
  return best;
}

AgentClass class_of_label(std::size_t label) noexcept {
  if (label >= 3 && label <= 9) return AgentClass::vehicle;
  if (label >= 10 && label <= 13) return AgentClass::cyclist;
  if (label == 14) return AgentClass::pedestrian;
  return AgentClass::other;
}

FaceState state_of(std::span<const float, 3> status) noexcept {
  auto state = FaceState::unknown;
  float best = 0;
  for (std::size_t i = 0; i < status.size(); ++i) {
    if (!(status[i] > best)) continue;
    best = status[i];
    state = static_cast<FaceState>(i);
  }
  return state;
}

float kept_mass(LabelProbabilities probabilities) noexcept {
  float mass = 0;
  for (std::size_t label = 3; label <= 15; ++label) mass += probabilities[label];
  return mass;
}

bool keeps(LabelProbabilities probabilities, float threshold) noexcept {
  return kept_mass(probabilities) > threshold;
}

}  // namespace bev::scene
