#pragma once

#include "core/ops/operation.hpp"
#include "core/scene/recorded_columns.hpp"

namespace bev::ops {

/// The arguments of a recorded scene, which those with more columns begin with.
template <>
struct Members<scene::RecordedColumns> {
  static void visit(const auto& visitor, auto& rows) {
    visitor("timestamps", rows.timestamps);
    visitor("ego_translation", rows.ego_translation);
    visitor("ego_rotation", rows.ego_rotation);
    visitor("agent_index_interval", rows.frames);
    visitor("track_ids", rows.track_ids);
    visitor("centroids", rows.centroids);
  }
};

}  // namespace bev::ops
