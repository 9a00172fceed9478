#pragma once

#include <cstdint>
#include <string>

#include "native/copy/copy.hpp"

namespace bev::native {

/// Parameters of a test set made from a data set.
struct ChoppedOptions {
  double threshold = 0.5;            ///< for label probabilities
  std::uint64_t frames_to_copy = 0;  ///< of each scene
  std::uint32_t steps_gt = 0;        ///< future frames in the ground truth
  /// Future frames in which an agent must be visible
  std::uint32_t min_future = 10;
  CopyProgress progress = {};
};

/// Creates a test set beside a data set: NAME_chopped_N with the data set chopped to
/// the first N frames of each scene, mask.npz (arr_0: a bool per remaining agent, true
/// for agents in a scene's last frame with enough known future), and gt.csv with the
/// future of those agents. Agents are selected by the stored mask, or computed.
///
/// Returns    the directory
/// Throws     unsupported for a URL; invalid_argument if the directory exists or a scene has no more than N
///            frames; errors of reading and writing. Partial output is removed.
/// Reference  L5Kit, evaluation/chop_dataset.py; but the data set is not modified.
std::string create_chopped_dataset(const std::string& dataset,
                                   const ChoppedOptions& options);

}  // namespace bev::native
