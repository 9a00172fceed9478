#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/columns.hpp"
#include "core/scene/dataset.hpp"

namespace bev::scene {

/// A scene that is read from a dataset.
///
/// Throws     read() throws out_of_range for a scene that does not exist, corrupt_chunk
///            for invalid intervals.
/// Reference  L5Kit, ChunkedDataset.get_scene_dataset.
struct SceneDataset : SceneArrays {
  Interval frame_rows;  ///< rows of the original dataset, or of its overlay
  Interval agent_rows;
  Interval face_rows;
  bool has_ego = true;  ///< as ChunkedDataset::has_ego
  Parts parts;          ///< that are read; intervals of the others are empty

  /// Reads scene `scene`; returns false while requests are pending.
  bool read(store::Reader& reader, const ChunkedDataset& dataset, std::uint64_t scene);
};

/// Parts of a frame whose rows are in absent chunks. By the format they read as the
/// fill value, which is hardly what was recorded.
struct AbsentParts {
  bool frame = false;
  bool agents = false;
  bool faces = false;
};

/// Returns one value per frame of a scene that has just been read.
std::vector<AbsentParts> absent_parts(store::Reader& reader,
                                      const ChunkedDataset& dataset,
                                      const SceneDataset& scene);

}  // namespace bev::scene
