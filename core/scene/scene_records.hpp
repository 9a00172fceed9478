#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/dataset.hpp"
#include "core/scene/records.hpp"
#include "core/scene/scene_dataset.hpp"

namespace bev::scene {

/// One scene and its frames, agents and faces as records; intervals count from its
/// first frame, agent and face.
struct SceneRecords {
  Scene scene;
  std::vector<Frame> frames;
  std::vector<Agent> agents;
  std::vector<Face> faces;
};

/// Converts a scene that was read from `dataset` to records.
SceneRecords records_of(const SceneDataset& columns, const ChunkedDataset& dataset);

/// Truncates a scene to its first `count` frames and their agents and faces. The
/// scene's times do not change.
///
/// @throws Error  invalid_argument unless 0 < count < number of frames
/// Reference  L5Kit, zarr_scenes_chop.
void chop(SceneRecords& records, std::uint64_t count);

}  // namespace bev::scene
