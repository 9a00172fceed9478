#pragma once

#include "core/scene/labels.hpp"

namespace bev::scene {

/// Returns the probability that an agent is a road user: the sum of labels 3 to 15 (CAR
/// to ANIMAL), added in float32 from left to right.
///
/// Reference  L5Kit, filter_agents_by_labels.
float kept_mass(LabelProbabilities probabilities) noexcept;

/// Applies L5Kit's filter: the probability must be strictly above the float32
/// threshold. A threshold of 0 still drops agents of probability 0; 1 and more drops
/// every agent.
bool keeps(LabelProbabilities probabilities, float threshold) noexcept;

}  // namespace bev::scene
