#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/eval/records.hpp"

namespace bev::eval {

/// L5Kit's metrics of a prediction against the ground truth. An unavailable step counts
/// as zero error.
enum class Metric {
  neg_multi_log_likelihood,  ///< for a mixture of unit Gaussians, one per mode
  /// Sqrt(2 / F * neg_multi_log_likelihood); NaN if negative
  rmse,
  prob_true_mode,  ///< posterior probability of each mode: M values
  /// Displacement per step, weighted by prob_true_mode: F values
  time_displace,
  average_displacement_error_oracle,  ///< mean over steps, best mode
  average_displacement_error_mean,    ///< mean over steps and modes
  final_displacement_error_oracle,    ///< last step, best mode
  final_displacement_error_mean,      ///< last step, mean over modes
};

inline constexpr std::array kMetrics{
    Metric::neg_multi_log_likelihood,
    Metric::rmse,
    Metric::prob_true_mode,
    Metric::time_displace,
    Metric::average_displacement_error_oracle,
    Metric::average_displacement_error_mean,
    Metric::final_displacement_error_oracle,
    Metric::final_displacement_error_mean,
};

/// Returns L5Kit's name of the metric.
std::string_view to_string(Metric metric) noexcept;

/// Whether compute() returns M or F values, which may be one.
bool has_several_values(Metric metric) noexcept;

/// Returns one value, or M or F values as stated at Metric.
///
/// Throws     invalid_argument, with the track, for inconsistent shapes, no modes or no
///            steps, non-finite values, and confidences that are negative or do not
///            sum to 1
/// Reference  L5Kit, evaluation/metrics.py.
std::vector<double> compute(Metric metric, const GroundTruth& truth,
                            const Prediction& prediction);

/// Returns each mode's distances from the ground truth, (M, F) in metres; 0 at
/// unavailable steps.
///
/// Throws  as compute
std::vector<double> mode_distances(const GroundTruth& truth,
                                   const Prediction& prediction);

/// The sum of each metric over agents, in the given order.
struct MetricSums {
  std::uint64_t agents = 0;
  std::vector<std::vector<double>> sums;  ///< empty without agents

  /// Adds sums over other agents. Throws invalid_argument for other metrics, and another
  /// number of modes or steps.
  void add(const MetricSums& other);

  /// Returns the mean of each metric; none without agents.
  std::vector<std::vector<double>> means() const;
};

/// Returns the sum of each metric over all agents.
///
/// Throws  as compute_means, but takes empty lists of agents
MetricSums compute_sums(std::span<const Metric> metrics,
                        std::span<const GroundTruth> truths,
                        std::span<const Prediction> predictions);

/// Returns the mean of each metric over all agents, in the given order.
///
/// Throws     invalid_argument for an empty list of metrics, and if ground truth and
///            predictions do not cover the same agents at the same times: the message
///            counts missing and unknown ones and names one. Of several records of one
///            agent and time, the last is used in both.
/// Reference  L5Kit, evaluation/extract_metrics.py, compute_metrics_csv.
std::vector<std::vector<double>> compute_means(std::span<const Metric> metrics,
                                               std::span<const GroundTruth> truths,
                                               std::span<const Prediction> predictions);

}  // namespace bev::eval
