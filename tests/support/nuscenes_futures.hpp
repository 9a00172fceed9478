#pragma once

#include <string>
#include <vector>

#include "core/convert/scenario_records.hpp"
#include "core/futures/recorded_scene.hpp"
#include "tests/support/nuscenes.hpp"

// Submissions to the nuScenes prediction challenge, for the small version of NuscenesTables.

namespace bev::test {

/// Returns a scene of a version as it was recorded.
inline futures::RecordedScene nuscenes_scene(const NuscenesTables& tables = {},
                                             std::size_t scene = 0) {
  convert::nuscenes::Version version;
  tables.pass(version, 1000);
  const auto scenario =
      convert::import_nuscenes(version, scene, convert::nuscenes_tables());
  return futures::recorded_scene(futures::columns_of(convert::records_of(scenario)),
                                 scenario.attributes);
}

/// Returns a prediction of modes that stay at these x, at the instances' y.
inline nlohmann::json nuscenes_prediction(const std::string& instance,
                                          const std::string& sample,
                                          const std::vector<double>& modes,
                                          std::size_t steps = 12) {
  nlohmann::json out = {{"instance", instance}, {"sample", sample}};
  for (const auto x : modes) {
    out["prediction"].push_back(nlohmann::json::array());
    for (std::size_t t = 0; t < steps; ++t) {
      out["prediction"].back().push_back({x, 1090.25});
    }
    out["probabilities"].push_back(1.0 / static_cast<double>(modes.size()));
  }
  return out;
}

}  // namespace bev::test
