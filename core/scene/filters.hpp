#pragma once

#include "core/scene/labels.hpp"

namespace bev::scene {

/// The probability that an agent is something to reckon with: the sum of labels 3 to 15
/// (CAR to ANIMAL), added in float32 from left to right.
///
/// Source  L5Kit, filter_agents_by_labels.
float kept_mass(LabelProbabilities probabilities) noexcept;

/// L5Kit's filter: the mass is strictly above the threshold, which is a float32 too.
/// Even 0 drops an agent without mass, 1 and more drops every agent.
bool keeps(LabelProbabilities probabilities, float threshold) noexcept;

}  // namespace bev::scene
