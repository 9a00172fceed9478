#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bev::convert {

/// Names of the splits that a scene of nuScenes belongs to; "" for none.
struct NuscenesSplits {
  std::string_view split;       ///< train, val or test
  std::string_view prediction;  ///< of the prediction challenge: train, train_val, val
  std::string_view mini;        ///< mini_train or mini_val

  bool operator==(const NuscenesSplits&) const = default;
};

/// Returns the splits of a scene by its name, "scene-0061".
///
/// Reference  nuscenes-devkit, utils/splits.py and eval/prediction/splits.py
NuscenesSplits nuscenes_splits(std::string_view scene) noexcept;

/// Returns them as tags: "split:train", "prediction_split:train_val".
std::vector<std::string> nuscenes_tags(std::string_view scene);

}  // namespace bev::convert
