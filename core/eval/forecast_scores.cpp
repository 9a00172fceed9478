#include "core/eval/forecast_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"

namespace bev::eval {
namespace {

constexpr double kSumTolerance = 1e-5;

/// The modes and the true path of one track.
struct Track {
  std::size_t number = 0;
  std::span<const double> probabilities;
  std::span<const double> forecasts;  ///< (modes, steps, 2)
  std::span<const double> truth;      ///< (steps, 2)
};

[[noreturn]] void refuse_forecast_scores(const Track& track, const char* problem) {
  fail(Errc::invalid_argument, {"forecasts: track ", track.number, ": ", problem});
}

void check_length(const char* name, std::size_t found, std::size_t expected) {
  if (found == expected) return;
  fail(Errc::invalid_argument, {"forecasts: wrong length of ", name, " (found ", found,
                                ", expected ", expected, ")"});
}

void check_arrays(const Forecasts& given) {
  if (given.steps == 0) fail(Errc::invalid_argument, {"forecasts: no steps"});
  if (given.offsets.empty()) fail(Errc::invalid_argument, {"forecasts: no offsets"});
  const auto tracks = given.offsets.size() - 1;
  const auto modes = given.probabilities.size();
  // Divided, because the products could overflow.
  check_length("truths", given.truths.size() / 2 / given.steps, tracks);
  check_length("forecasts", given.forecasts.size() / 2 / given.steps, modes);
  check_length("truths", given.truths.size(), tracks * 2 * given.steps);
  check_length("forecasts", given.forecasts.size(), modes * 2 * given.steps);
  const bool ascend = std::is_sorted(given.offsets.begin(), given.offsets.end());
  if (given.offsets.front() == 0 && ascend &&
      given.offsets.back() == static_cast<std::int64_t>(modes)) {
    return;
  }
  fail(Errc::invalid_argument,
       {"forecasts: offsets do not ascend from 0 to ", modes, ", the number of modes"});
}

void check(const Track& track) {
  if (track.probabilities.empty()) refuse_forecast_scores(track, "no modes");
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(track.forecasts.begin(), track.forecasts.end(), finite) ||
      !std::all_of(track.truth.begin(), track.truth.end(), finite)) {
    refuse_forecast_scores(track, "a position is not finite");
  }
  const auto valid = [](double p) { return p >= 0 && p <= 1; };
  if (!std::all_of(track.probabilities.begin(), track.probabilities.end(), valid)) {
    refuse_forecast_scores(track, "a probability is not between 0 and 1");
  }
}

/// Returns the distances of a mode from the truth: mean, and at the last step.
std::pair<double, double> errors_of(const Track& track, std::size_t mode) {
  const auto size = track.truth.size();
  const auto path = track.forecasts.subspan(mode * size, size);
  double sum = 0, last = 0;
  for (std::size_t i = 0; i < size; i += 2) {
    const double dx = path[i] - track.truth[i], dy = path[i + 1] - track.truth[i + 1];
    last = std::sqrt(dx * dx + dy * dy);
    sum += last;
  }
  return {sum / (static_cast<double>(size) / 2), last};
}

ForecastScores scores_of(const Track& track, std::size_t k, double miss_threshold) {
  check(track);
  const auto& given = track.probabilities;
  const double sum = std::accumulate(given.begin(), given.end(), 0.0);
  if (!(std::abs(sum - 1) <= kSumTolerance)) {
    fail(Errc::invalid_argument,
         {"forecasts: track ", track.number, ": probabilities do not sum to 1 (found ",
          python_repr(sum), ")"});
  }
  std::vector<std::size_t> modes(given.size());
  std::iota(modes.begin(), modes.end(), std::size_t{0});
  std::stable_sort(modes.begin(), modes.end(),
                   [&](auto a, auto b) { return given[a] > given[b]; });
  modes.resize(std::min(modes.size(), k));
  ForecastScores out;
  for (const auto mode : modes) {
    const auto [ade, fde] = errors_of(track, mode);
    const double doubt = 1 - given[mode] / sum;
    const bool first = mode == modes.front();
    if (first || ade < out.min_ade) {
      out.min_ade = ade;
      out.brier_min_ade = ade + doubt * doubt;
    }
    if (first || fde < out.min_fde) {
      out.min_fde = fde;
      out.brier_min_fde = fde + doubt * doubt;
    }
  }
  out.missed = out.min_fde > miss_threshold;
  return out;
}

}  // namespace

std::vector<ForecastScores> forecast_scores(const Forecasts& given, std::size_t k,
                                            double miss_threshold) {
  if (k == 0) fail(Errc::invalid_argument, {"forecasts: k is 0 (expected at least 1)"});
  check_arrays(given);
  const auto size = 2 * given.steps;
  std::vector<ForecastScores> out;
  out.reserve(given.offsets.size() - 1);
  for (std::size_t i = 0; i + 1 < given.offsets.size(); ++i) {
    const auto begin = static_cast<std::size_t>(given.offsets[i]);
    const auto count = static_cast<std::size_t>(given.offsets[i + 1]) - begin;
    Track track;
    track.number = i;
    track.probabilities = given.probabilities.subspan(begin, count);
    track.forecasts = given.forecasts.subspan(begin * size, count * size);
    track.truth = given.truths.subspan(i * size, size);
    out.push_back(scores_of(track, k, miss_threshold));
  }
  return out;
}

}  // namespace bev::eval
