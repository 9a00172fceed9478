#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"

namespace bev::convert {

/// The map of a location: a file of nuScenes' map expansion, maps/expansion/LOCATION.json,
/// in metres from its corner.
///
/// Lanes and connectors have their tokens as ids, and their paths as centre lines, with a
/// point per metre. The sides of a lane are those of its polygon; otherwise, and of
/// connectors, they are at half the width: of a lane that leads to it, else the tables'.
/// Lights have a face per bulb.
///
/// Memory         Some 3 kB per lane; while it is read, twice the file.
/// Throws         invalid_metadata, naming layer and record, for other values than the
///                format's and tokens of nodes and polygons that the file lacks;
///                limit_exceeded above a limit.
/// Thread safety  Const functions may run at the same time.
/// Reference      nuscenes-devkit, map_expansion/map_api.py
class NuscenesMap {
 public:
  /// @param tables  widths of lanes: lane, lane_connector
  NuscenesMap(std::string_view json, const Tables& tables);

  /// An area: west, east, south, north.
  using Area = std::array<double, 4>;

  /// Returns the elements that touch an area, moved by whole metres. The frame is left to
  /// the caller.
  SourceMap within(const Area& area, double dx) const;

 private:
  friend class NuscenesMapReader;
  std::vector<SourceLane> lanes_;
  std::vector<bool> has_width_side_;  // by lane
  std::vector<SourceCrosswalk> crosswalks_;
  std::vector<SourceLight> lights_;
};

}  // namespace bev::convert
