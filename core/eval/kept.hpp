#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/distribution/table.hpp"
#include "core/eval/comparison.hpp"
#include "core/eval/ranking.hpp"

namespace bev::eval {

/// Predictions of a table of prediction_columns(): a model's, of all scenes or of one.
struct KeptOf {
  std::uint32_t model = 0;
  std::optional<std::uint32_t> scene{};
};

/// A model's predictions that pass the brushes of a table.
struct KeptScores {
  std::vector<Ranked> rows;  ///< in the order of scenes, frames and tracks
  std::size_t all = 0;       ///< also those that do not pass
  std::size_t begun = 0;     ///< with ground truth at one step at least
  std::size_t missed = 0;    ///< with an FDE above kMissMetres
  MeanScore mean;
};

/// Returns the predictions that pass.
///
/// Throws  invalid_argument for a table without the columns of prediction_columns(), and
///         unknown models
KeptScores kept_scores(const distribution::Table& table, const KeptOf& of);

/// Returns the frames of rows of one scene, with the mean scores of those rows, in order.
std::vector<ReviewedFrame> frames_of(const std::vector<Ranked>& rows);

/// Returns a frame's lines of the predictions that pass; `of` names the scene that the
/// review was scored with.
///
/// Throws  as kept_scores, and invalid_argument without a scene
PredictedLines kept_lines(const distribution::Table& table, const Review& review,
                          std::uint32_t frame, const KeptOf& of);

/// Compares A and B over the pairs of which at least one prediction passes.
///
/// Throws  as kept_scores
Comparison kept_pairs(const distribution::Table& table, const KeptOf& a,
                      std::uint32_t b);

}  // namespace bev::eval
