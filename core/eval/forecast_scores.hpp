#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bev::eval {

/// Forecasts of tracks, one after another: each has one or more modes, in any order.
///
/// Shapes  T tracks, N modes, F steps: offsets (T + 1) of each track's first mode, from 0
///         to N; probabilities (N); forecasts (N, F, 2); truths (T, F, 2).
/// Units   Metres, in any frame that forecasts and truths share.
struct Forecasts {
  std::span<const std::int64_t> offsets{};
  std::span<const double> probabilities{};
  std::span<const double> forecasts{};
  std::span<const double> truths{};
  std::size_t steps = 0;
};

/// The errors of a track's `k` most probable modes.
struct ForecastScores {
  double min_ade = 0;        ///< mean over the steps, of the mode where it is least
  double min_fde = 0;        ///< at the last step, of the mode where it is least
  double brier_min_ade = 0;  ///< min_ade + (1 - p)^2, p that mode's probability
  double brier_min_fde = 0;  ///< min_fde + (1 - p)^2
  bool missed = false;       ///< min_fde is above the threshold
};

/// Returns the scores of each track. Modes of equal probability keep their order, and
/// probabilities are divided by their sum in the track.
///
/// @param k  number of modes to score: the benchmark's are 1 and 6
/// Throws     invalid_argument, with the track, for k = 0, no steps, offsets that do not
///            ascend from 0 to N, arrays of other lengths, a track without modes,
///            non-finite values, probabilities outside [0, 1], and a sum that differs
///            from 1 by more than 1e-5
/// Reference  Argoverse 2 motion forecasting: av2's eval/metrics.py, and for the choice
///            of modes the challenge's evaluation script.
std::vector<ForecastScores> forecast_scores(const Forecasts& given, std::size_t k,
                                            double miss_threshold = 2.0);

}  // namespace bev::eval
