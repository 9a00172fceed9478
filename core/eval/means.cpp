#include <map>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/eval/metrics.hpp"

namespace bev::eval {

namespace {

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
       {"metrics: ", missing,
        " agents are missing in the "
        "predictions and ",
        unknown, " are not in the ground truth, expected the same: ",
        name_of(missing > 0 ? first_missing : first_unknown)});
}

void add(std::vector<double>& sum, const std::vector<double>& values,
         const GroundTruth& truth) {
  if (sum.empty()) sum.resize(values.size());
  if (sum.size() != values.size()) {
    fail(Errc::invalid_argument,
         {"metrics of track ", truth.track_id, ": ", values.size(),
          " values, those before had ", sum.size()});
  }
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

}  // namespace

std::vector<std::vector<double>> compute_means(
    std::span<const Metric> metrics, std::span<const GroundTruth> truths,
    std::span<const Prediction> predictions) {
  if (metrics.empty()) {
    fail(Errc::invalid_argument, {"metrics: none asked for, expected 1 or more"});
  }
  const auto truth_places = places_of(truths);
  const auto prediction_places = places_of(predictions);
  check_same(truth_places, prediction_places);
  std::vector<std::vector<double>> sums(metrics.size());
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const Key key{truths[i].timestamp, truths[i].track_id};
    if (truth_places.at(key) != i) continue;  // the last record of an agent counts
    const auto& prediction = predictions[prediction_places.at(key)];
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const auto values = compute(metrics[m], truths[i], prediction);
      add(sums[m], values, truths[i]);
    }
  }
  for (auto& sum : sums) {
    for (auto& value : sum) value /= static_cast<double>(truth_places.size());
  }
  return sums;
}

}  // namespace bev::eval
