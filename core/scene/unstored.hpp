#pragma once

#include <vector>

#include "core/scene/dataset.hpp"
#include "core/scene/scene_dataset.hpp"

namespace bev::scene {

/// Which rows of a frame are in chunks that the store does not hold. By the format they
/// read as the fill value, which is hardly what was recorded.
struct Unstored {
  bool frame = false;
  bool agents = false;
  bool faces = false;
};

/// Of a scene that has just been read: a value a frame.
std::vector<Unstored> unstored_rows(store::Reader& reader,
                                    const ChunkedDataset& dataset,
                                    const SceneDataset& scene);

}  // namespace bev::scene
