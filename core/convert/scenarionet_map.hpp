#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/convert/pickled_values.hpp"
#include "core/convert/waymo_message.hpp"
#include "core/pickle/value.hpp"

namespace bev::convert {

/// Numbers map features by name, also those that are only referred to.
class FeatureNames {
 public:
  explicit FeatureNames(std::vector<std::string>& names) : names_(names) {}

  std::int64_t number(const std::string& name);

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::int64_t> rows_;
};

/// Reads the map features of a ScenarioNet file into a message.
///
/// - The third value of nuScenes' centre lines is a heading, not a height.
/// - Lanes with an outline have its sides. nuScenes' connectors have none: their width is
///   that of a lane which leads to them, else 3.5 m.
/// - If a file of nuScenes has no links at all, a lane leads to those that begin within
///   0.1 m of its end in the same direction, within 10 degrees.
///
/// Throws  invalid_metadata, naming the feature, for what is not a feature;
///         limit_exceeded above `limits`.
void read_scenarionet_map(pickle::Value features, PickledValues& values,
                          FeatureNames& names, waymo::Message& out,
                          const waymo::Limits& limits = {});

}  // namespace bev::convert
