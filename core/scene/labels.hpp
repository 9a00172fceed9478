#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Names of the `label_probabilities`, by position.
///
/// Reference  l5kit, data/labels.py.
inline constexpr std::array<std::string_view, kLabelCount> kPerceptionLabels{
    "PERCEPTION_LABEL_NOT_SET",
    "PERCEPTION_LABEL_UNKNOWN",
    "PERCEPTION_LABEL_DONTCARE",
    "PERCEPTION_LABEL_CAR",
    "PERCEPTION_LABEL_VAN",
    "PERCEPTION_LABEL_TRAM",
    "PERCEPTION_LABEL_BUS",
    "PERCEPTION_LABEL_TRUCK",
    "PERCEPTION_LABEL_EMERGENCY_VEHICLE",
    "PERCEPTION_LABEL_OTHER_VEHICLE",
    "PERCEPTION_LABEL_BICYCLE",
    "PERCEPTION_LABEL_MOTORCYCLE",
    "PERCEPTION_LABEL_CYCLIST",
    "PERCEPTION_LABEL_MOTORCYCLIST",
    "PERCEPTION_LABEL_PEDESTRIAN",
    "PERCEPTION_LABEL_ANIMAL",
    "AVRESEARCH_LABEL_DONTCARE",
};

/// Meaning of `traffic_light_face_status`, by position.
enum class FaceState : std::uint8_t { active, inactive, unknown };

/// Classes of agents that are drawn differently.
enum class AgentClass : std::uint8_t { vehicle, cyclist, pedestrian, other };

using LabelProbabilities = std::span<const float, kLabelCount>;

/// Returns the most probable label, the first of equals; ignores NaN.
std::size_t most_probable(LabelProbabilities probabilities) noexcept;

/// Returns the class of a label: CAR to OTHER_VEHICLE are vehicles, BICYCLE to
/// MOTORCYCLIST cyclists.
AgentClass class_of_label(std::size_t label) noexcept;

/// Returns the state with the greatest value, the first of equals; `unknown` if none is
/// above zero.
FaceState state_of(std::span<const float, 3> status) noexcept;

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
