#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/eval/records.hpp"

namespace bev::eval {

/// L5Kit's files of ground truth and of predictions, character for character: lines end
/// in CR LF, coordinates have five decimals, availabilities and confidences the digits
/// that Python's repr has.
///
/// Errors  write_*() throw invalid_argument for a record of another shape than the
/// first,
///         for more modes than a file has and for confidences that do not sum up to 1.
///         read_*() throw what CsvTable does, and invalid_argument for a header that is
///         none of such a file. Columns may stand in any order.
/// Source  L5Kit, evaluation/csv_utils.py.

/// The modes of a file of predictions: those that a record lacks are zeros.
inline constexpr std::size_t kMaxModes = 3;

/// @param steps  F, which an empty list does not say
std::string write_gt_csv(std::span<const GroundTruth> records, std::size_t steps);
std::vector<GroundTruth> read_gt_csv(std::string_view text,
                                     const std::string& name = "ground truth");

std::string write_pred_csv(std::span<const Prediction> records, std::size_t steps,
                           std::size_t max_modes = kMaxModes);
std::vector<Prediction> read_pred_csv(std::string_view text,
                                      const std::string& name = "prediction",
                                      std::size_t max_modes = kMaxModes);

/// As read_pred_csv, of as many modes as the header has confidences.
///
/// @throws Error  invalid_argument also for a row whose values are not finite or whose
///                confidences are negative or do not sum up to 1, naming its line
std::vector<Prediction> read_sound_pred_csv(std::string_view text,
                                            const std::string& name = "prediction");

/// @throws Error  invalid_argument, naming the track, for such a prediction, or one of
///                other numbers of modes and steps
void check_prediction(const Prediction& prediction, std::size_t modes,
                      std::size_t steps);

}  // namespace bev::eval
