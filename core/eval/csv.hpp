#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/eval/csv_table.hpp"
#include "core/eval/memory_budget.hpp"
#include "core/eval/records.hpp"

namespace bev::eval {

/// L5Kit's ground truth and prediction files, byte for byte: lines end in CR LF,
/// coordinates have five decimals, availabilities and confidences are formatted as
/// Python's repr.
///
/// Throws     write_*() throw invalid_argument if a record's shape differs from the
///            first, if there are more modes than the file has, and if confidences do
///            not sum to 1. read_*() throw as CsvTable, and invalid_argument for an
///            unexpected header. Columns may be in any order.
/// Reference  L5Kit, evaluation/csv_utils.py.

/// Number of modes in a prediction file; a record's missing modes are written as zeros.
inline constexpr std::size_t kMaxModes = 3;

/// @param steps  F, which an empty list does not determine
std::string write_gt_csv(std::span<const GroundTruth> records, std::size_t steps);
std::vector<GroundTruth> read_gt_csv(std::string_view text,
                                     const std::string& name = "ground truth");

std::string write_pred_csv(std::span<const Prediction> records, std::size_t steps,
                           std::size_t max_modes = kMaxModes);
std::vector<Prediction> read_pred_csv(std::string_view text,
                                      const std::string& name = "prediction",
                                      std::size_t max_modes = kMaxModes);

/// Indices of a prediction's columns.
struct PredictionColumns {
  std::size_t timestamp = 0;
  std::size_t track_id = 0;
  std::vector<std::size_t> confidences;
  std::vector<std::size_t> coords;
};

/// Limits of PredictionReader.
struct PredictionLimits {
  std::size_t memory = std::size_t{1} << 30;  ///< bytes of all predictions
  std::size_t line = std::size_t{4} << 20;    ///< bytes per line
};

/// Reads a prediction file in pieces, with as many modes as its header has confidences.
/// Pieces may end anywhere, even within a number.
///
/// Throws  add() and finish() throw as read_pred_csv(); invalid_argument, with the
///         line, for non-finite values and for confidences that are negative or do not
///         sum to 1; limit_exceeded for a line or predictions above the limits, or if
///         the share's budget is used up. The reader is unusable after an error.
class PredictionReader {
 public:
  /// @param name   the file's name in messages
  /// @param share  receives the predictions' memory
  explicit PredictionReader(std::string name = "prediction",
                            PredictionLimits limits = {}, MemoryShare share = {});

  void add(std::string_view piece);

  /// Processes the last line, with or without line end, and returns all predictions.
  std::vector<Prediction> finish();

  /// Returns the share of the predictions; call it after finish().
  MemoryShare take_share() noexcept { return std::move(share_); }

 private:
  void take(std::string_view line);
  void find_columns();
  void check_length(std::size_t bytes) const;
  void reserve(std::size_t bytes);

  std::string name_;
  PredictionLimits limits_;
  MemoryShare share_;
  CsvTable table_;
  std::string begun_;          // incomplete last line
  PredictionColumns columns_;  // no confidences until the header is read
  std::size_t memory_ = 0;
  std::vector<Prediction> out_;
};

/// Checks a prediction's values and shape.
///
/// Throws  invalid_argument, with the track, for invalid values or a different number
///         of modes or steps
void check_prediction(const Prediction& prediction, std::size_t modes,
                      std::size_t steps);

}  // namespace bev::eval
