#include "core/eval/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/geom/exp_log.hpp"

namespace bev::eval {

namespace {

[[noreturn]] void refuse_metrics(const GroundTruth& truth, Message what) {
  fail(Errc::invalid_argument,
       {"metrics of track ", truth.track_id, ": ", joined(what)});
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

void check_metrics(const GroundTruth& truth, const Prediction& prediction) {
  const auto steps = truth.steps();
  const auto modes = prediction.modes();
  if (steps == 0 || modes == 0 || truth.coords.size() != 2 * steps ||
      prediction.coords.size() != 2 * steps * modes) {
    refuse_metrics(
        truth, {"shapes differ (found ", prediction.coords.size(), " coordinates of ",
                modes, " modes and ", truth.coords.size(), " of ", steps, " steps)"});
  }
  if (!all_finite(truth.coords) || !all_finite(truth.availabilities) ||
      !all_finite(prediction.coords) || !all_finite(prediction.confidences)) {
    refuse_metrics(truth, {"a value is not finite"});
  }
  double sum = 0;
  for (const auto confidence : prediction.confidences) {
    if (confidence < 0) {
      refuse_metrics(truth,
                     {"negative confidence (found ", python_repr(confidence), ")"});
    }
    sum += confidence;
  }
  if (!(std::fabs(sum - 1) <= 1e-5 + 1e-8)) {
    refuse_metrics(truth,
                   {"confidences do not sum to 1 (found ", python_repr(sum), ")"});
  }
}

/// Returns squared distances, (M, F).
std::vector<double> squared_errors(const GroundTruth& truth,
                                   const Prediction& prediction) {
  const auto steps = truth.steps();
  std::vector<double> out(prediction.modes() * steps);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto step = i % steps;
    const auto available = truth.availabilities[step];
    const double dx = (truth.coords[2 * step] - prediction.coords[2 * i]) * available;
    const double dy =
        (truth.coords[2 * step + 1] - prediction.coords[2 * i + 1]) * available;
    out[i] = dx * dx + dy * dy;
  }
  return out;
}

/// Returns the log-likelihood of the ground truth under each mode.
std::vector<double> log_likelihoods(const GroundTruth& truth,
                                    const Prediction& prediction) {
  const auto errors = squared_errors(truth, prediction);
  const auto steps = truth.steps();
  std::vector<double> out;
  for (std::size_t mode = 0; mode < prediction.modes(); ++mode) {
    double sum = 0;
    for (std::size_t i = 0; i < steps; ++i) sum += errors[mode * steps + i];
    out.push_back(geom::log(prediction.confidences[mode]) - 0.5 * sum);
  }
  return out;
}

double negative_log_likelihood(const GroundTruth& truth, const Prediction& prediction) {
  const auto logs = log_likelihoods(truth, prediction);
  const double greatest = *std::max_element(logs.begin(), logs.end());
  // All squared errors overflowed: infinity minus infinity is not a likelihood.
  if (std::isinf(greatest)) return -greatest;
  double sum = 0;
  for (const auto log : logs) sum += geom::exp(log - greatest);
  return -geom::log(sum) - greatest;
}

std::vector<double> mode_probabilities(const GroundTruth& truth,
                                       const Prediction& prediction) {
  auto out = log_likelihoods(truth, prediction);
  const double greatest = *std::max_element(out.begin(), out.end());
  double sum = 0;
  for (auto& value : out) {
    value = geom::exp(value - greatest);
    sum += value;
  }
  for (auto& value : out) value /= sum;
  return out;
}

std::vector<double> time_displacements(const GroundTruth& truth,
                                       const Prediction& prediction) {
  const auto errors = squared_errors(truth, prediction);
  const auto weights = mode_probabilities(truth, prediction);
  const auto steps = truth.steps();
  std::vector<double> out(steps);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    out[i % steps] += weights[i / steps] * std::sqrt(errors[i]);
  }
  return out;
}

/// Returns each mode's mean distance over the steps, or its distance at the last step.
std::vector<double> displacements(const GroundTruth& truth,
                                  const Prediction& prediction, bool last_only) {
  const auto errors = squared_errors(truth, prediction);
  const auto steps = truth.steps();
  std::vector<double> out(prediction.modes());
  for (std::size_t mode = 0; mode < out.size(); ++mode) {
    double sum = 0;
    for (std::size_t i = 0; i < steps; ++i) sum += std::sqrt(errors[mode * steps + i]);
    out[mode] = last_only ? std::sqrt(errors[mode * steps + steps - 1])
                          : sum / static_cast<double>(steps);
  }
  return out;
}

double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const auto value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

using Key = std::pair<std::int64_t, std::int64_t>;  // timestamp and track
using Places = std::map<Key, std::size_t>;

template <class Records>
Places places_of(const Records& records) {
  Places out;
  for (std::size_t i = 0; i < records.size(); ++i) {
    out[{records[i].timestamp, records[i].track_id}] = i;
  }
  return out;
}

/// Returns how many keys of `a` are missing in `b`, and one of them.
std::pair<std::size_t, Key> lacking(const Places& a, const Places& b) {
  std::pair<std::size_t, Key> out{0, {}};
  for (const auto& [key, place] : a) {
    if (!b.contains(key) && out.first++ == 0) out.second = key;
  }
  return out;
}

std::string name_of(const Key& key) {
  return joined({"track ", key.second, " at ", key.first});
}

void check_same(const Places& truths, const Places& predictions) {
  const auto [missing, first_missing] = lacking(truths, predictions);
  const auto [unknown, first_unknown] = lacking(predictions, truths);
  if (missing == 0 && unknown == 0) return;
  fail(Errc::invalid_argument,
       {"metrics: agents differ (found ", missing, " without prediction and ", unknown,
        " without ground truth, first: ",
        name_of(missing > 0 ? first_missing : first_unknown), ")"});
}

void add(std::vector<double>& sum, const std::vector<double>& values,
         const GroundTruth& truth) {
  if (sum.empty()) sum.resize(values.size());
  if (sum.size() != values.size()) {
    fail(Errc::invalid_argument,
         {"metrics of track ", truth.track_id, ": wrong number of values (found ",
          values.size(), ", expected ", sum.size(), ")"});
  }
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

}  // namespace

std::string_view to_string(Metric metric) noexcept {
  switch (metric) {
    case Metric::neg_multi_log_likelihood: return "neg_multi_log_likelihood";
    case Metric::rmse: return "rmse";
    case Metric::prob_true_mode: return "prob_true_mode";
    case Metric::time_displace: return "time_displace";
    case Metric::average_displacement_error_oracle:
      return "average_displacement_error_oracle";
    case Metric::average_displacement_error_mean:
      return "average_displacement_error_mean";
    case Metric::final_displacement_error_oracle:
      return "final_displacement_error_oracle";
    case Metric::final_displacement_error_mean: return "final_displacement_error_mean";
  }
  return "";
}

bool has_several_values(Metric metric) noexcept {
  return metric == Metric::prob_true_mode || metric == Metric::time_displace;
}

std::vector<double> compute(Metric metric, const GroundTruth& truth,
                            const Prediction& prediction) {
  check_metrics(truth, prediction);
  const auto steps = static_cast<double>(truth.steps());
  switch (metric) {
    case Metric::neg_multi_log_likelihood:
      return {negative_log_likelihood(truth, prediction)};
    case Metric::rmse:
      return {std::sqrt(2 * negative_log_likelihood(truth, prediction) / steps)};
    case Metric::prob_true_mode: return mode_probabilities(truth, prediction);
    case Metric::time_displace: return time_displacements(truth, prediction);
    case Metric::average_displacement_error_oracle:
      return {least(displacements(truth, prediction, false))};
    case Metric::average_displacement_error_mean:
      return {mean(displacements(truth, prediction, false))};
    case Metric::final_displacement_error_oracle:
      return {least(displacements(truth, prediction, true))};
    case Metric::final_displacement_error_mean:
      return {mean(displacements(truth, prediction, true))};
  }
  return {};
}

std::vector<double> mode_distances(const GroundTruth& truth,
                                   const Prediction& prediction) {
  check_metrics(truth, prediction);
  auto out = squared_errors(truth, prediction);
  for (auto& value : out) value = std::sqrt(value);
  return out;
}

void MetricSums::add(const MetricSums& other) {
  if (other.agents == 0) return;
  if (agents == 0) {
    *this = other;
    return;
  }
  const auto shape_of = [](const MetricSums& given) {
    std::vector<std::size_t> shape;
    for (const auto& sum : given.sums) shape.push_back(sum.size());
    return shape;
  };
  if (shape_of(*this) != shape_of(other)) {
    fail(Errc::invalid_argument,
         {"metrics: sums of other metrics, or of other numbers of modes or steps"});
  }
  agents += other.agents;
  for (std::size_t m = 0; m < sums.size(); ++m) {
    for (std::size_t i = 0; i < sums[m].size(); ++i) sums[m][i] += other.sums[m][i];
  }
}

std::vector<std::vector<double>> MetricSums::means() const {
  auto out = sums;
  for (auto& sum : out) {
    for (auto& value : sum) value /= static_cast<double>(agents);
  }
  return out;
}

MetricSums compute_sums(std::span<const Metric> metrics,
                        std::span<const GroundTruth> truths,
                        std::span<const Prediction> predictions) {
  if (metrics.empty()) {
    fail(Errc::invalid_argument, {"metrics: empty list"});
  }
  const auto truth_places = places_of(truths);
  const auto prediction_places = places_of(predictions);
  check_same(truth_places, prediction_places);
  MetricSums out;
  out.agents = truth_places.size();
  out.sums.resize(out.agents == 0 ? 0 : metrics.size());
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const Key key{truths[i].timestamp, truths[i].track_id};
    if (truth_places.at(key) != i) continue;  // the last record of an agent counts
    const auto& prediction = predictions[prediction_places.at(key)];
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const auto values = compute(metrics[m], truths[i], prediction);
      add(out.sums[m], values, truths[i]);
    }
  }
  return out;
}

std::vector<std::vector<double>> compute_means(
    std::span<const Metric> metrics, std::span<const GroundTruth> truths,
    std::span<const Prediction> predictions) {
  const auto found = compute_sums(metrics, truths, predictions);
  // Without agents, an empty list for each metric.
  return found.agents == 0 ? std::vector<std::vector<double>>(metrics.size())
                           : found.means();
}

}  // namespace bev::eval
