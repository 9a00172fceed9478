#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/eval/records.hpp"

namespace bev::eval {

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
