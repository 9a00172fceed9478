#pragma once

#include <cstdint>

#include "core/scene/columns.hpp"
#include "core/scene/dataset.hpp"

namespace bev::scene {

/// One scene with all that belongs to it, as a data set of its own: intervals count
/// from its own first frame, agent and face.
///
/// Errors  read() throws out_of_range for a scene that is not there, corrupt_chunk for
///         intervals that cannot be.
/// Source  L5Kit, ChunkedDataset.get_scene_dataset.
struct SceneDataset {
  SceneColumns scenes;  ///< one row
  FrameColumns frames;
  AgentColumns agents;
  FaceColumns faces;

  Interval frame_rows;  ///< of the data set that frames, agents and faces are
  Interval agent_rows;
  Interval face_rows;

  /// Reads scene `scene`; false while chunks are wanted.
  bool read(store::Reader& reader, const ChunkedDataset& dataset, std::uint64_t scene);
};

}  // namespace bev::scene
