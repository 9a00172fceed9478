#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "export.hpp"

namespace bev {

/// Forecasts of tracks, one after another: each has one or more modes, in any order.
///
/// Shapes  T tracks, N modes, F steps: offsets (T + 1) of each track's first mode, from 0
///         to N; probabilities (N); forecasts (N, F, 2); truths (T, F, 2).
/// Units   Metres, in any frame that forecasts and truths share.
struct Forecasts {
  std::span<const std::int64_t> offsets{};  ///< one more than tracks
  std::span<const double> probabilities{};  ///< of the modes; 1 in all for each track
  std::span<const double> forecasts{};      ///< predicted positions
  std::span<const double> truths{};         ///< recorded positions
  std::size_t steps = 0;                    ///< 60 in the Argoverse 2 benchmark
};

/// The errors of a track's most probable modes.
struct ForecastScores {
  double min_ade = 0;        ///< mean over the steps, of the mode where it is least
  double min_fde = 0;        ///< at the last step, of the mode where it is least
  double brier_min_ade = 0;  ///< min_ade + (1 - p)^2, p that mode's probability
  double brier_min_fde = 0;  ///< min_fde + (1 - p)^2
  bool missed = false;       ///< min_fde is above the threshold
};

/// Returns the scores of each track, as the Argoverse 2 challenge computes them from the
/// `k` (1 and 6) most probable modes. Modes of equal probability keep their order.
///
/// Throws  invalid_argument, with the track, for k = 0, arrays that do not match, tracks
///         without modes, non-finite values, and probabilities outside [0, 1] or whose
///         sum differs from 1 by more than 1e-5
BEV_EXPORT std::vector<ForecastScores> forecast_scores(const Forecasts& forecasts,
                                                       std::size_t k,
                                                       double miss_threshold = 2.0);

}  // namespace bev
