#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/eval/records.hpp"

namespace bev::eval {

/// How far a prediction is from the ground truth. A step that is not available counts
/// as one without error.
enum class Metric {
  neg_multi_log_likelihood,  ///< of a mixture of unit Gaussians, one a mode
  rmse,                      ///< sqrt(2 / F of that); NaN where it is negative
  prob_true_mode,            ///< of every mode, given where the agent went: M values
  time_displace,             ///< at every step, over the modes weighted so: F values
  average_displacement_error_oracle,  ///< mean over steps, of the best mode
  average_displacement_error_mean,    ///< mean over steps and modes
  final_displacement_error_oracle,    ///< at the last step, of the best mode
  final_displacement_error_mean,      ///< at the last step, mean over modes
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

/// L5Kit's name of it, which is also ours.
std::string_view to_string(Metric metric) noexcept;

/// One value, or as many as said above.
///
/// @throws Error  invalid_argument, naming the track: shapes that do not fit, no modes
/// or
///                no steps, values that are not finite, confidences that do not sum up
///                to 1
///
/// Source  L5Kit, evaluation/metrics.py.
std::vector<double> compute(Metric metric, const GroundTruth& truth,
                            const Prediction& prediction);

/// Distances of each mode from where the agent went, (M, F) in metres; 0 at steps that
/// are not available.
///
/// @throws Error  as compute
std::vector<double> mode_distances(const GroundTruth& truth,
                                   const Prediction& prediction);

/// The mean of each metric over all agents, in the order asked for.
///
/// @throws Error  invalid_argument for no metrics, and where ground truth and
/// predictions
///                are not of the same agents at the same times: the message says how
///                many are missing, how many unknown, and names one. Of several records
///                of one agent and time the last counts, in both.
///
/// Source  L5Kit, evaluation/extract_metrics.py, compute_metrics_csv.
std::vector<std::vector<double>> compute_means(std::span<const Metric> metrics,
                                               std::span<const GroundTruth> truths,
                                               std::span<const Prediction> predictions);

}  // namespace bev::eval
