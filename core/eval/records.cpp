#include "core/eval/records.hpp"

#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace bev::eval {
namespace {

using Weights = std::vector<double>;

template <class Record>
Columns joined(std::span<const Record> records, Weights Record::*weights) {
  Columns out;
  for (const auto& record : records) {
    const auto& first = records.front();
    if ((record.*weights).size() != (first.*weights).size() ||
        record.coords.size() != first.coords.size()) {
      fail(Errc::invalid_argument, {"evaluation: track ", record.track_id,
                                    ": shape differs from the first record's"});
    }
    out.timestamps.push_back(record.timestamp);
    out.track_ids.push_back(record.track_id);
    const auto& own = record.*weights;
    out.weights.insert(out.weights.end(), own.begin(), own.end());
    out.coords.insert(out.coords.end(), record.coords.begin(), record.coords.end());
  }
  return out;
}

/// Divides `total` evenly among `count` records.
std::size_t each_of(const char* what, std::size_t total, std::size_t count) {
  if (count == 0 && total == 0) return 0;
  if (count > 0 && total % count == 0) return total / count;
  fail(Errc::invalid_argument,
       {"evaluation: ", what, " do not divide among records (found ", total, " for ",
        count, ")"});
}

template <class Record>
std::vector<Record> split_records(const Columns& columns, Weights Record::*weights) {
  const auto count = columns.timestamps.size();
  if (columns.track_ids.size() != count) {
    fail(Errc::invalid_argument,
         {"evaluation: lengths differ (found ", count, " timestamps and ",
          columns.track_ids.size(), " track ids)"});
  }
  std::vector<Record> out;
  const auto own = each_of("weights", columns.weights.size(), count);
  const auto places = each_of("coordinates", columns.coords.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    Record record;
    record.timestamp = columns.timestamps[i];
    record.track_id = columns.track_ids[i];
    const auto* const weight = columns.weights.data() + i * own;
    const auto* const place = columns.coords.data() + i * places;
    (record.*weights).assign(weight, weight + own);
    record.coords.assign(place, place + places);
    out.push_back(std::move(record));
  }
  return out;
}

}  // namespace

GroundTruth ground_truth_of(const sample::Sample& sample) {
  GroundTruth out;
  out.timestamp = sample.timestamp;
  out.track_id = sample.track_id;
  const auto& m = sample.world_from_agent;
  for (std::size_t i = 0; i < sample.target_availabilities.size(); ++i) {
    const auto x = static_cast<double>(sample.target_positions[2 * i]);
    const auto y = static_cast<double>(sample.target_positions[2 * i + 1]);
    out.availabilities.push_back(static_cast<double>(sample.target_availabilities[i]));
    out.coords.push_back((m[0] * x + m[1] * y + m[2]) - sample.centroid[0]);
    out.coords.push_back((m[3] * x + m[4] * y + m[5]) - sample.centroid[1]);
  }
  return out;
}

Columns columns_of(std::span<const GroundTruth> records) {
  return joined(records, &GroundTruth::availabilities);
}

Columns columns_of(std::span<const Prediction> records) {
  return joined(records, &Prediction::confidences);
}

std::vector<GroundTruth> truths_of(const Columns& columns) {
  return split_records(columns, &GroundTruth::availabilities);
}

std::vector<Prediction> predictions_of(const Columns& columns) {
  return split_records(columns, &Prediction::confidences);
}

}  // namespace bev::eval
