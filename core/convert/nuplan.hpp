#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/convert/nuplan_log.hpp"
#include "core/convert/nuplan_map.hpp"
#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"

namespace bev::convert {

struct NuplanOptions {
  /// Whether frames are all sweeps of the lidar, which has 20 Hz, or those that are
  /// 0.1 s apart.
  bool all_sweeps = false;
  const NuplanMap* map = nullptr;  ///< of the log's city; null: without map
};

/// A scenario of a log, as a list shows it.
struct NuplanScene {
  std::string name;  ///< the scene's, or its token
  std::int64_t start_ns = 0, end_ns = 0;
  std::size_t frames = 0;
};

/// Returns the scenarios of a log, which is open: its scenes.
std::vector<NuplanScene> nuplan_scenes(const nuplan::Log& log,
                                       const NuplanOptions& options = {});

/// Returns the tags of each scenario, by name. Reads the rows of all tags.
std::vector<std::vector<std::string>> nuplan_tags(nuplan::Log& log);

/// Converts a scene of a log, which is open. World is UTM moved by whole metres: to the
/// city's origin in `tables`; of another city, by whole kilometres to the log's first
/// pose.
///
/// The ego vehicle's position is the middle of the rear axle, as stored; a sweep without
/// a pose repeats the nearest one (counted). Tracks have the order of their first boxes,
/// and the number of their token. A connector's light has the faces FID/r, FID/y and
/// FID/g of the light FID/l. Scenario tags are attributes, by type the frames.
///
/// Throws     As nuplan::Log; not_found for a map in a city that `tables` lacks;
///            out_of_range for another scene; invalid_metadata, naming track and sweep,
///            for two boxes of a track in a sweep, unknown categories, and numbers
///            that are too large; limit_exceeded for a connector's id that is too long.
Scenario import_nuplan(nuplan::Log& log, std::size_t scene, const Tables& tables,
                       const NuplanOptions& options = {});

}  // namespace bev::convert
