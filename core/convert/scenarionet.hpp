#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"
#include "core/convert/waymo.hpp"

namespace bev::convert {

/// Converts a scenario of ScenarioNet or MetaDrive: one pickle. Nothing in it is called;
/// it may name what NumPy's arrays, defaultdict(int) and sets are pickled with.
///
/// World is the scenario's frame. Tracks keep their order; the track `sdc_id` is the ego
/// vehicle. Objects of nuScenes have its categories, all others their type. Of nuScenes
/// are corrected, and counted in Scenario::corrected: the ego vehicle's length and width,
/// which the converter exchanges, and the velocity of a track's last state, which it
/// leaves zero; also what read_scenarionet_map() says. Lights, roles and places are those
/// of import_waymo(); a light without a state in a frame has no faces there.
///
/// Throws     unsupported, naming it, for a class or function in the pickle;
///            corrupt_chunk for bytes that are not a pickle; invalid_metadata, naming
///            track and key, for values that are not those of a scenario;
///            limit_exceeded above a limit.
/// Reference  metadrive, scenario/scenario_description.py; scenarionet, converter/.
Scenario import_scenarionet(std::span<const std::byte> pickle, const Tables& tables,
                            const ImportOptions& options = {});

/// The version in files that ScenarionetExporter writes, in which nothing is corrected.
inline constexpr const char* kExportedVersion = "bevscope";

/// Names of the files that list a folder's scenarios.
inline constexpr const char* kScenarionetSummary = "dataset_summary.pkl";
inline constexpr const char* kScenarionetMapping = "dataset_mapping.pkl";

/// Returns the paths of scenarios in a folder, with "/": of the files that its summary
/// lists, in the folders that its mapping names; either may be absent. Without a summary,
/// of those of the mapping.
///
/// Throws  as import_scenarionet(); invalid_metadata also for paths outside the folder.
std::vector<std::string> scenarionet_files(
    std::optional<std::span<const std::byte>> summary,
    std::optional<std::span<const std::byte>> mapping);

}  // namespace bev::convert
