#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/map/semantic_map.hpp"
#include "core/scene/scene_records.hpp"

namespace bev::convert {

/// A scene to be written as a scenario of ScenarioNet.
struct ExportedScene {
  const scene::SceneRecords& records;
  std::uint64_t index = 0;           ///< in the data set
  const nlohmann::json& attributes;  ///< its own of `bevscope`, or null
  const map::SemanticMap* map = nullptr;
};

/// Writes scenes as ScenarioNet's converters do, for MetaDrive and UniTraj: a pickle
/// each, and two lists of them. import_scenarionet() reads them back with equal states.
///
/// - Lanes, their sides as lines, and crosswalks within 200 m of the ego vehicle.
/// - A scene that was moved for a common map is moved back, and its ids lose their prefix.
/// - Derived, since L5Kit has neither: the ego vehicle's velocity, from its positions, and
///   agents' heights above ground, the ego vehicle's.
/// - Counted as lost: a track's change of label, a second observation in a frame, lights
///   without a map, and faces of no lane.
///
/// Memory     The lists, some 200 bytes per track.
/// Reference  metadrive, scenario/scenario_description.py.
class ScenarionetExporter {
 public:
  /// @param dataset  name for scenes without one: "bevscope"
  explicit ScenarionetExporter(std::string dataset);
  ~ScenarionetExporter();
  ScenarionetExporter(const ScenarionetExporter&) = delete;
  ScenarionetExporter& operator=(const ScenarionetExporter&) = delete;

  struct File {
    std::string name, pickle;
  };

  /// Throws  invalid_argument for a scene without frames.
  File add(const ExportedScene& scene);

  /// Return dataset_summary.pkl and dataset_mapping.pkl; once, at the end.
  std::string summary();
  std::string mapping();

  const std::map<std::string, std::uint64_t>& lost() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bev::convert
