#pragma once

#include <vector>

#include "core/scene/dataset.hpp"
#include "core/scene/scene_dataset.hpp"

namespace bev::scene {

/// Parts of a frame whose rows are in absent chunks. By the format they read as the
/// fill value, which is hardly what was recorded.
struct Unstored {
  bool frame = false;
  bool agents = false;
  bool faces = false;
};

/// Returns one value per frame of a scene that has just been read.
std::vector<Unstored> unstored_rows(store::Reader& reader,
                                    const ChunkedDataset& dataset,
                                    const SceneDataset& scene);

}  // namespace bev::scene
