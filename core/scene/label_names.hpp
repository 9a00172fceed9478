#pragma once

#include <array>
#include <string_view>

#include "core/scene/labels.hpp"

namespace bev::scene {

/// Names of the labels as filters have them, without their common prefix: "CAR".
inline constexpr auto kLabelNames = [] {
  constexpr std::string_view kPrefix = "PERCEPTION_LABEL_";
  auto names = kPerceptionLabels;
  for (auto& name : names) {
    if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  }
  return names;
}();

/// Names of the classes, by AgentClass.
inline constexpr std::array<std::string_view, 4> kClassNames{"VEHICLE", "CYCLIST",
                                                             "PEDESTRIAN", "OTHER"};

}  // namespace bev::scene
