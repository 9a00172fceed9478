#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/futures/join.hpp"
#include "core/geom/affine.hpp"
#include "core/scene/recorded_columns.hpp"
#include "core/scene/scene_records.hpp"

namespace bev::futures {

/// Columns of a scene of a data set that was converted from scenarios.
///
/// Shapes  Of m agents: yaws, (length, width, height), (x, y) per second, probabilities
///         (17).
struct SceneColumns : scene::RecordedColumns {
  std::vector<float> yaws;
  std::vector<float> extents;
  std::vector<float> velocities;
  std::vector<float> label_probabilities;
};

/// Returns the columns of a scene that was read as records.
SceneColumns columns_of(const scene::SceneRecords& records);

/// A recorded scenario in the data set's world.
struct RecordedScene {
  RecordedScenario scenario;
  geom::Vec3 moved_by;  ///< what the conversion added to the scenario's positions
  /// Ids of the tracks that have a text as id in the source.
  std::unordered_map<std::string, std::int64_t> names{};
  std::vector<std::string> samples{};  ///< of nuScenes: tokens, one for each frame
  /// Of nuScenes: instance and frame of each prediction that the challenge asks for.
  std::vector<std::pair<std::string, std::int64_t>> predicted{};
  std::string case_id{};  ///< of INTERACTION: "NAME/1"; else ""
};

/// Maximum tracks times frames of a scene.
inline constexpr std::size_t kMaxSceneStates = 2'000'000;

/// Returns the scenario that a scene was converted from: its tracks by their ids in the
/// source, the ego vehicle as one of them (not of nuScenes, where it has no id, and of
/// scenes without one). Heights are 0. The current frame is that of the attribute
/// anchor_frame, of a case of INTERACTION the tenth, else the first. Tracks whose ids are
/// no numbers in the source are left out, unless `track_names` has them.
///
/// @param attributes  the scene's own of `bevscope`, a JSON object: docs/other-data.md
/// Throws  invalid_argument for arrays that do not match; invalid_metadata for attributes
///         without scenario_id or ego_track_id, and invalid ones; limit_exceeded above
///         kMaxSceneStates.
RecordedScene recorded_scene(const SceneColumns& columns, std::string_view attributes);

}  // namespace bev::futures
