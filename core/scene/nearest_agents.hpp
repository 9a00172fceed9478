#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/scene/columns.hpp"
#include "core/scene/records.hpp"

namespace bev::scene {

/// Which agents of a frame a model predicts.
struct SubjectRules {
  float threshold = 0.5F;                                      ///< of scene::keeps
  std::array<bool, kLabelCount> labels{};                      ///< none is all of them
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< agents of a frame

  /// Chooses labels by their names, with or without PERCEPTION_LABEL_.
  ///
  /// @throws Error  invalid_argument for other names
  void set_labels(std::span<const std::string> names);
};

/// Returns the tracks of a frame's agents above the threshold whose most probable label is
/// chosen, the nearest to the ego vehicle first, of equally near ones the first row.
///
/// @throws Error  out_of_range for a frame that the scene lacks
std::vector<std::uint64_t> nearest_agents(const SceneArrays& scene, std::uint64_t frame,
                                          const SubjectRules& rules);

}  // namespace bev::scene
