#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::scene {

/// The columns of a recorded scene that say where everyone is.
///
/// Shapes  n frames: timestamps, (x, y, z), rotations (3, 3), intervals, which may start
///         at any row. m agents, as many as the intervals span: track ids, (x, y).
struct RecordedColumns {
  std::vector<std::int64_t> timestamps;
  std::vector<double> ego_translation;
  std::vector<double> ego_rotation;
  std::vector<Interval> frames;
  std::vector<std::uint64_t> track_ids;
  std::vector<double> centroids;
};

}  // namespace bev::scene
