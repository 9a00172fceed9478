#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/scene/records.hpp"

namespace bev::scene {

/// What `label_probabilities` counts, by position. Source: l5kit, data/labels.py.
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

/// What `traffic_light_face_status` counts, by position.
enum class FaceState : std::uint8_t { active, inactive, unknown };

/// Kinds of road users as a picture tells them apart.
enum class AgentClass : std::uint8_t { vehicle, cyclist, pedestrian, other };

using LabelProbabilities = std::span<const float, kLabelCount>;

/// The most probable label, the first of equals; NaN counts for nothing.
std::size_t most_probable(LabelProbabilities probabilities) noexcept;

/// CAR to OTHER_VEHICLE are vehicles, BICYCLE to MOTORCYCLIST cyclists.
AgentClass class_of_label(std::size_t label) noexcept;

/// The greatest of the three values, the first of equals; `unknown` where none is above
/// zero.
FaceState state_of(std::span<const float, 3> status) noexcept;

}  // namespace bev::scene
