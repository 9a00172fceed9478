#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/dataset.hpp"
#include "core/scene/records.hpp"
#include "core/scene/scene_dataset.hpp"

namespace bev::scene {

/// One scene with all that belongs to it, as records; intervals count from its own
/// first frame, agent and face.
struct SceneRecords {
  Scene scene;
  std::vector<Frame> frames;
  std::vector<Agent> agents;
  std::vector<Face> faces;
};

/// The records of a scene that was read from `dataset`.
SceneRecords records_of(const SceneDataset& columns, const ChunkedDataset& dataset);

/// Leaves the first `count` frames of a scene, and what belongs to them. Its times stay
/// as they are.
///
/// @throws Error  invalid_argument for a scene that has not more than `count` frames,
///                and for a count of 0
///
/// Source  L5Kit, zarr_scenes_chop.
void chop(SceneRecords& records, std::uint64_t count);

}  // namespace bev::scene
