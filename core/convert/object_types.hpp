#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "core/map/fragment.hpp"

namespace bev::convert {

/// Label and extent of a source's object type.
struct ObjectType {
  std::size_t label = 1;  ///< index into scene::kPerceptionLabels
  std::array<float, 3> extent{1, 1, 1};
};

/// The data of an importer that a user may override: labels and extents by object type,
/// origins of maps by city, and widths of lanes by type.
struct Tables {
  std::map<std::string, ObjectType, std::less<>> types;
  std::map<std::string, map::RawFrame, std::less<>> cities;
  std::map<std::string, double, std::less<>> lane_widths_m;
};

/// Returns Argoverse 2's tables. The data set has no extents; they are typical ones.
///
/// Reference  av2, datasets/motion_forecasting/data_schema.py and
///            geometry/utm.py; city origins are rounded to 1e-7 degrees.
Tables argoverse2_tables();

/// Returns Waymo's tables. Extents are for states without one, widths for lanes without
/// boundaries; both are typical ones.
Tables waymo_tables();

/// Returns ScenarioNet's tables: MetaDrive's types, and nuScenes' categories. Extents are
/// for states without one.
///
/// Reference  metadrive, type.py; nuscenes-devkit, eval/detection/utils.py
Tables scenarionet_tables();

/// Returns nuPlan's tables. Extents are for states without one, widths for lanes without
/// boundaries. Origins are places within the cities, to which nothing else refers.
///
/// Reference  nuplan-devkit, docs/nuplan_schema.md, table category.
Tables nuplan_tables();

/// Returns nuScenes' tables: its categories, and those of cycles with a rider. Extents are
/// for states without one; origins are the maps' corners.
///
/// Reference  nuscenes-devkit, scripts/export_poses.py
Tables nuscenes_tables();

/// Returns CommonRoad's tables: its types of obstacles. Extents are for those without a
/// box; boxes have no height, which is always from here.
///
/// Reference  commonroad-io, XML_commonRoad_XSD.xsd
Tables commonroad_tables();

/// Returns INTERACTION's tables. Heights are typical ones, as are the extents of states
/// without one.
Tables interaction_tables();

/// Replaces and adds entries from JSON:
///
///     {"types": {"bus": {"label": "PERCEPTION_LABEL_TRUCK", "extent": [12, 2.6, 3.2]}},
///      "cities": {"austin": [30.2746424, -97.7404457]},
///      "lane_widths": {"bike": 1.8}}
///
/// `label` and `extent` may each be omitted for an entry that exists. An empty text
/// changes nothing.
///
/// Throws  invalid_argument, naming the entry, for invalid JSON, other keys, unknown
///         labels, extents that are not three positive numbers, origins outside the
///         Earth, and widths that are not positive.
void override_tables(Tables& tables, std::string_view json);

}  // namespace bev::convert
