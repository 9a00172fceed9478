#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "export.hpp"

namespace bev {

/// L5Kit's metrics of predictions, over a share of the agents of two CSV files: ground
/// truth and predictions. The shares can be computed anywhere; join_metrics() adds them.
///
/// The files are given in pieces that may end anywhere. Memory is that of the share's
/// agents, and a byte for each other line of the ground truth.
///
/// Throws  invalid_argument for files of another format, values that are not finite,
///         confidences that are negative or do not sum to 1, and if the files do not
///         have the same agents at the same times; limit_exceeded for a line above 4 MiB
///         or a share above 1 GiB of predictions
class BEV_EXPORT MetricShare {
 public:
  /// @param share   0 to shares - 1
  MetricShare(std::uint64_t share, std::uint64_t shares);
  ~MetricShare();
  MetricShare(MetricShare&&) noexcept;             ///< leaves the other unusable
  MetricShare& operator=(MetricShare&&) noexcept;  ///< leaves the other unusable

  /// Adds a piece of the file of ground truth (L5Kit's gt.csv).
  void add_truths(std::string_view piece);

  /// Adds a piece of the file of predictions (L5Kit's pred.csv), of any number of modes.
  void add_predictions(std::string_view piece);

  /// Returns the sums as JSON, for join_metrics(). Call it once, after both files.
  std::string finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the means of all shares as JSON: {"agents": 64, "metrics": {"rmse": 1.5,
/// "time_displace": [0.1, ...], ...}}, metrics by L5Kit's names; null if not finite.
///
/// Throws  invalid_metadata for text that is not of MetricShare::finish();
///         invalid_argument for no agents, and shares whose numbers of modes or steps
///         differ
BEV_EXPORT std::string join_metrics(const std::vector<std::string>& shares);

}  // namespace bev
