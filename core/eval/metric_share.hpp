#pragma once

#include <string>
#include <string_view>

#include "core/eval/csv.hpp"
#include "core/eval/csv_share.hpp"
#include "core/eval/metrics.hpp"

namespace bev::eval {

/// The metrics of a share of the agents of two files, which are read in pieces. The
/// shares of a whole set can be computed anywhere; their sums add up.
///
/// Throws  as CsvShare, read_gt_csv(), PredictionReader and compute_sums()
class MetricShare {
 public:
  explicit MetricShare(AgentShare share);

  void add_truths(std::string_view piece);
  void add_predictions(std::string_view piece);

  /// Returns the sums of kMetrics; call it once, after both files.
  MetricSums finish();

 private:
  CsvShare truth_lines_, prediction_lines_;
  std::string truths_, lines_;
  PredictionReader predictions_;
};

}  // namespace bev::eval
