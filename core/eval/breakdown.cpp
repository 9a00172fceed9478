#include "core/eval/breakdown.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/eval/metrics.hpp"

namespace bev::eval {
namespace {

constexpr auto kUnknown = std::numeric_limits<double>::quiet_NaN();

double mean_of(double sum, std::size_t count) {
  return count == 0 ? kUnknown : sum / static_cast<double>(count);
}

std::size_t seen_in(const GroundTruth& truth) {
  const auto& available = truth.availabilities;
  return static_cast<std::size_t>(std::count(available.begin(), available.end(), 1.0));
}

void check_steps(std::size_t steps, std::size_t all) {
  if (steps <= all) return;
  fail(Errc::out_of_range,
       {"horizon: too many steps (found ", steps, ", expected at most ", all, ")"});
}

}  // namespace

void MeanScore::add(const Score& score) noexcept {
  if (std::isnan(score.nll)) return;
  sum_.ade += score.ade;
  sum_.fde += score.fde;
  sum_.nll += score.nll;
  ++count_;
}

void MeanScore::add(const MeanScore& other) noexcept {
  sum_.ade += other.sum_.ade;
  sum_.fde += other.sum_.fde;
  sum_.nll += other.sum_.nll;
  count_ += other.count_;
}

Score MeanScore::value() const noexcept {
  if (count_ == 0) {
    return {kUnknown, kUnknown, kUnknown};
  }
  const auto count = static_cast<double>(count_);
  return {sum_.ade / count, sum_.fde / count, sum_.nll / count};
}

Score score_of(const GroundTruth& truth, const Prediction& prediction,
               Counting counting) {
  const auto seen = seen_in(truth);
  const bool only_recorded = counting == Counting::recorded;
  if (seen == 0 || (only_recorded && truth.availabilities.back() != 1)) {
    return {kUnknown, kUnknown, kUnknown};
  }
  const auto value = [&](Metric metric) {
    return compute(metric, truth, prediction)[0];
  };
  Score score{value(Metric::average_displacement_error_oracle),
              value(Metric::final_displacement_error_oracle),
              value(Metric::neg_multi_log_likelihood)};
  if (only_recorded && seen < truth.steps()) {
    score.ade *= static_cast<double>(truth.steps()) / static_cast<double>(seen);
  }
  return score;
}

GroundTruth first_steps(const GroundTruth& truth, std::size_t steps) {
  check_steps(steps, truth.steps());
  GroundTruth out{truth.timestamp, truth.track_id, {}, {}};
  const auto count = static_cast<std::ptrdiff_t>(steps);
  out.availabilities.assign(truth.availabilities.begin(),
                            truth.availabilities.begin() + count);
  out.coords.assign(truth.coords.begin(), truth.coords.begin() + 2 * count);
  return out;
}

Prediction first_steps(const Prediction& prediction, std::size_t steps) {
  const auto modes = prediction.modes();
  const auto all = modes == 0 ? 0 : prediction.coords.size() / (2 * modes);
  check_steps(steps, all);
  Prediction out{prediction.timestamp, prediction.track_id, prediction.confidences, {}};
  out.coords.reserve(2 * modes * steps);
  for (std::size_t mode = 0; mode < modes; ++mode) {
    const auto begin =
        prediction.coords.begin() + static_cast<std::ptrdiff_t>(2 * mode * all);
    out.coords.insert(out.coords.end(), begin,
                      begin + static_cast<std::ptrdiff_t>(2 * steps));
  }
  return out;
}

Breakdown::Breakdown(std::size_t modes, std::size_t steps, Counting counting)
    : sums_(modes), steps_(steps), counting_(counting) {}

HorizonScores Breakdown::add(Subject subject, const Score& score,
                             const GroundTruth& truth, const Prediction& prediction) {
  HorizonScores horizons;
  horizons.fill({kUnknown, kUnknown, kUnknown});
  auto& tally = tallies_.at(static_cast<std::size_t>(subject));
  ++tally.count;
  if (seen_in(truth) == 0) return horizons;
  ++begun_;
  const bool is_scored = !std::isnan(score.nll);
  add_modes(is_scored, truth, prediction);
  add_horizons(score, truth, prediction, horizons);
  if (!is_scored) return horizons;
  tally.mean.add(score);
  if (score.fde > kMissMetres) ++tally.missed;
  ++compared_;
  return horizons;
}

void Breakdown::add_horizons(const Score& score, const GroundTruth& truth,
                             const Prediction& prediction, HorizonScores& out) {
  for (std::size_t i = 0; i < kHorizonSteps.size(); ++i) {
    const auto steps = kHorizonSteps[i];
    if (steps > steps_.size()) break;
    const auto own = steps == steps_.size()
                         ? score
                         : score_of(first_steps(truth, steps),
                                    first_steps(prediction, steps), counting_);
    auto& tally = horizons_[i];
    tally.mean.add(own);
    if (own.fde > kMissMetres) ++tally.missed;
    out[i] = own;
  }
}

void Breakdown::add_modes(bool is_scored, const GroundTruth& truth,
                          const Prediction& prediction) {
  const auto distances = mode_distances(truth, prediction);
  const auto steps = steps_.size();
  const auto counted = counting_ == Counting::recorded ? seen_in(truth) : steps;
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t mode = 0; mode < sums_.size(); ++mode) {
    double sum = 0;
    for (std::size_t i = 0; i < steps; ++i) sum += distances[mode * steps + i];
    const auto ade = mean_of(sum, counted);
    if (ade < least) best = mode;
    least = std::min(least, ade);
    if (!is_scored) continue;
    sums_[mode].confidence += prediction.confidences[mode];
    sums_[mode].ade += ade;
    sums_[mode].fde += distances[mode * steps + steps - 1];
  }
  if (is_scored) ++sums_[best].best;
  for (std::size_t i = 0; i < steps; ++i) {
    if (truth.availabilities[i] != 1) continue;
    steps_[i].metres += distances[best * steps + i];
    ++steps_[i].count;
  }
}

void Breakdown::add(const Breakdown& other) {
  for (std::size_t i = 0; i < kSubjectCount; ++i) {
    tallies_[i].count += other.tallies_[i].count;
    tallies_[i].missed += other.tallies_[i].missed;
    tallies_[i].mean.add(other.tallies_[i].mean);
  }
  for (std::size_t mode = 0; mode < std::min(sums_.size(), other.sums_.size());
       ++mode) {
    sums_[mode].confidence += other.sums_[mode].confidence;
    sums_[mode].ade += other.sums_[mode].ade;
    sums_[mode].fde += other.sums_[mode].fde;
    sums_[mode].best += other.sums_[mode].best;
  }
  for (std::size_t i = 0; i < std::min(steps_.size(), other.steps_.size()); ++i) {
    steps_[i].metres += other.steps_[i].metres;
    steps_[i].count += other.steps_[i].count;
  }
  for (std::size_t i = 0; i < horizons_.size(); ++i) {
    horizons_[i].missed += other.horizons_[i].missed;
    horizons_[i].mean.add(other.horizons_[i].mean);
  }
  compared_ += other.compared_;
  begun_ += other.begun_;
}

std::vector<SubjectScore> Breakdown::subjects() const {
  std::vector<SubjectScore> out;
  for (std::size_t i = 0; i < kSubjectCount; ++i) {
    const auto& [count, missed, mean] = tallies_[i];
    if (count == 0) continue;
    out.push_back({static_cast<Subject>(i), count, mean.count(), missed, mean.value()});
  }
  return out;
}

std::vector<ModeScore> Breakdown::modes() const {
  std::vector<ModeScore> out;
  for (const auto& sum : sums_) {
    out.push_back({mean_of(sum.confidence, compared_), mean_of(sum.ade, compared_),
                   mean_of(sum.fde, compared_), sum.best});
  }
  return out;
}

std::vector<double> Breakdown::horizon() const {
  std::vector<double> out;
  for (const auto& step : steps_) out.push_back(mean_of(step.metres, step.count));
  return out;
}

std::vector<HorizonScore> Breakdown::horizons() const {
  std::vector<HorizonScore> out;
  for (std::size_t i = 0; i < kHorizonSteps.size(); ++i) {
    if (kHorizonSteps[i] > steps_.size()) break;
    const auto& [count, missed, mean] = horizons_[i];
    out.push_back({kHorizonSteps[i], mean.count(), missed, mean.value()});
  }
  return out;
}

std::size_t Breakdown::missed() const noexcept {
  std::size_t sum = 0;
  for (const auto& tally : tallies_) sum += tally.missed;
  return sum;
}

}  // namespace bev::eval
