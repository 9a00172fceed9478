#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/sample/sample.hpp"

namespace bev::eval {

/// An agent's recorded path: offsets from its current position, along the world axes.
///
/// Shapes  F steps: coords (F, 2), availabilities (F).
/// Units   Metres; an availability is 1 or 0.
struct GroundTruth {
  std::int64_t timestamp = 0;
  std::int64_t track_id = 0;
  std::vector<double> availabilities;
  std::vector<double> coords;

  std::size_t steps() const noexcept { return availabilities.size(); }
};

/// An agent's predicted paths, with their confidences: M modes.
///
/// Shapes  confidences (M), coords (M, F, 2).
struct Prediction {
  std::int64_t timestamp = 0;
  std::int64_t track_id = 0;
  std::vector<double> confidences;
  std::vector<double> coords;

  std::size_t modes() const noexcept { return confidences.size(); }
};

/// Returns a sample's ground truth.
///
/// Reference  L5Kit, evaluation/extract_ground_truth.py.
GroundTruth ground_truth_of(const sample::Sample& sample);

}  // namespace bev::eval
