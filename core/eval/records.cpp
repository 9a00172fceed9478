#include "core/eval/records.hpp"

namespace bev::eval {

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

}  // namespace bev::eval
