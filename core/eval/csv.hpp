#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/eval/csv_table.hpp"
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

/// Numbers of the columns that a prediction comes from.
struct PredictionColumns {
  std::size_t timestamp = 0;
  std::size_t track_id = 0;
  std::vector<std::size_t> confidences;
  std::vector<std::size_t> coords;
};

/// Limits of PredictionReader.
struct PredictionLimits {
  std::size_t memory = std::size_t{1} << 30;  ///< bytes of all predictions
  std::size_t line = std::size_t{4} << 20;    ///< bytes of a line
};

/// Reads a file of predictions piece by piece, with as many modes as its header has
/// confidences. Pieces may end anywhere, also within a number.
///
/// Errors  add() and finish() throw what read_pred_csv() does; invalid_argument, naming
///         the line, for values that are not finite, confidences that are negative or
///         do not sum up to 1, and for a line beyond the limit; out_of_memory for
///         predictions beyond the limit. After an error the reader is of no use.
class PredictionReader {
 public:
  /// @param name  what messages call the file
  explicit PredictionReader(std::string name = "prediction",
                            PredictionLimits limits = {});

  void add(std::string_view piece);

  /// Takes the last line, which needs no line end, and returns all predictions.
  std::vector<Prediction> finish();

 private:
  void take(std::string_view line);
  void find_columns();
  void check_length(std::size_t bytes) const;

  std::string name_;
  PredictionLimits limits_;
  CsvTable table_;
  std::string begun_;          // a line whose end has not arrived
  PredictionColumns columns_;  // without confidences until the header was taken
  std::size_t memory_ = 0;
  std::vector<Prediction> out_;
};

/// @throws Error  invalid_argument, naming the track, for such a prediction, or one of
///                other numbers of modes and steps
void check_prediction(const Prediction& prediction, std::size_t modes,
                      std::size_t steps);

}  // namespace bev::eval
