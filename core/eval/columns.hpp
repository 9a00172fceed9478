#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/eval/records.hpp"

namespace bev::eval {

/// Records of one shape, value by value, as arrays hold them.
///
/// Shapes  N records of W weights and C coordinates: weights (N, W) are availabilities
///         or confidences, coords (N, C).
struct Columns {
  std::vector<std::int64_t> timestamps;
  std::vector<std::int64_t> track_ids;
  std::vector<double> weights;
  std::vector<double> coords;
};

/// @throws Error  invalid_argument for records that are not of one shape
Columns columns_of(std::span<const GroundTruth> records);
Columns columns_of(std::span<const Prediction> records);

/// The records of columns: as many as there are timestamps.
///
/// @throws Error  invalid_argument for columns that are not of as many records
std::vector<GroundTruth> truths_of(const Columns& columns);
std::vector<Prediction> predictions_of(const Columns& columns);

}  // namespace bev::eval
