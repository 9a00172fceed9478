#pragma once

#include <cstdint>
#include <string>

namespace bev::native {

/// How a test set is cut out of a data set.
struct ChoppedOptions {
  double threshold = 0.5;            ///< of the agents' labels
  std::uint64_t frames_to_copy = 0;  ///< of each scene
  std::uint32_t steps_gt = 0;        ///< future frames that the ground truth has
  std::uint32_t min_future = 10;     ///< those that an agent must be seen in
};

/// Makes a test set of a data set: NAME_chopped_N beside it, with the data set chopped
/// to its first N frames a scene, mask.npz (arr_0: a bool for every agent left, true in
/// the last frame of a scene where enough of the future is known), and gt.csv, where
/// those agents went. Agents are judged by the mask in the store, or by selecting.
///
/// @returns       the folder
/// @throws Error  invalid_argument if the folder exists, or a scene has no more than N
///                frames; and what reading and writing throw. What is half made goes.
///
/// Source  L5Kit, evaluation/chop_dataset.py; but nothing is written into the data set.
std::string create_chopped_dataset(const std::string& dataset,
                                   const ChoppedOptions& options);

}  // namespace bev::native
