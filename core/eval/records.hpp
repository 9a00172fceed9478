#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

/// Records of equal shape as columns.
///
/// Shapes  N records with W weights and C coordinates: weights (N, W) are
///         availabilities or confidences; coords (N, C).
struct Columns {
  std::vector<std::int64_t> timestamps;
  std::vector<std::int64_t> track_ids;
  std::vector<double> weights;
  std::vector<double> coords;
};

/// Throws  invalid_argument if the records' shapes differ
Columns columns_of(std::span<const GroundTruth> records);
Columns columns_of(std::span<const Prediction> records);

/// Convert columns to records, one per timestamp.
///
/// Throws  invalid_argument if the columns' lengths do not match
std::vector<GroundTruth> truths_of(const Columns& columns);
std::vector<Prediction> predictions_of(const Columns& columns);

}  // namespace bev::eval
