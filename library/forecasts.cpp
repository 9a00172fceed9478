#include "include/bevscope/forecasts.hpp"

#include "core/eval/forecast_scores.hpp"

namespace bev {

std::vector<ForecastScores> forecast_scores(const Forecasts& forecasts, std::size_t k,
                                            double miss_threshold) {
  eval::Forecasts given;
  given.offsets = forecasts.offsets;
  given.probabilities = forecasts.probabilities;
  given.forecasts = forecasts.forecasts;
  given.truths = forecasts.truths;
  given.steps = forecasts.steps;
  std::vector<ForecastScores> out;
  for (const auto& found : eval::forecast_scores(given, k, miss_threshold)) {
    out.push_back({found.min_ade, found.min_fde, found.brier_min_ade,
                   found.brier_min_fde, found.missed});
  }
  return out;
}

}  // namespace bev
