#pragma once

#include <optional>
#include <string>

#include "native/convert/scenario_conversion.hpp"

namespace bev::native {

/// Writes the scenes of a data set as scenarios of ScenarioNet into a new folder, with
/// dataset_summary.pkl and dataset_mapping.pkl, and returns a report as JSON: scenes, and
/// losses.
///
/// @param semantic_map  file of the map; absent: that of the data set, if it has one of
///                      its own (attribute `bevscope.map`)
/// Memory  One scene, the map, and the lists.
/// Throws  errors of the data set; invalid_argument if the folder is not empty; io.
std::string export_scenarionet(const std::string& dataset, const std::string& folder,
                               const std::optional<std::string>& semantic_map,
                               const ConvertProgress& progress);

}  // namespace bev::native
