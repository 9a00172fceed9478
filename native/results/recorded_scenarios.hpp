#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/futures/recorded_scene.hpp"
#include "core/geom/affine.hpp"

namespace bev::native {

/// Whether a point is on a lane; empty if there is no map.
using OnLane = std::function<bool(geom::Vec2)>;

/// A recorded scenario that waits to be read.
struct PendingScenario {
  std::function<futures::RecordedScene()> read;  ///< may be called in another thread
  OnLane is_on_lane;
};

using TakeRecorded = std::function<void(PendingScenario)>;

/// Passes the scenarios of TFRecord files of Waymo and folders of them, of versions of
/// nuScenes, and of converted data sets (names that end in .zarr or .zip), one after
/// another.
///
/// Memory  One scenario, and a data set's map.
/// Throws  not_found for a path without scenarios; errors of the files, which name them
void each_recorded(const std::vector<std::string>& data, const TakeRecorded& take);

}  // namespace bev::native
