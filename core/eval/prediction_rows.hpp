#pragma once

#include <cstdint>
#include <vector>

#include "core/distribution/table.hpp"
#include "core/eval/review.hpp"

namespace bev::eval {

/// Maximum number of models in a table.
inline constexpr std::uint32_t kMaxModels = 4;

/// Returns the columns of a table of predictions: model, class, ade, fde, nll, miss, steps
/// (with ground truth), speed, distance, turn, and ade_10, fde_10, ade_30, ... of the
/// horizons. A score of a prediction that has none is missing, also as a miss.
std::vector<distribution::Column> prediction_columns();

/// Appends the predictions of a review's scene as rows of a model.
void append_predictions(distribution::Table& table, const Review& review,
                        std::uint32_t scene, std::uint32_t model);

}  // namespace bev::eval
