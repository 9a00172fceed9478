#pragma once

#include <cstdint>

#include "core/scene/columns.hpp"
#include "core/scene/dataset.hpp"
#include "core/scene/select_agents.hpp"

namespace bev::scene {

/// A scene's data for agent selection. Reuses memory from scene to scene.
///
/// Throws  read() throws out_of_range for a scene that does not exist, corrupt_chunk
///         for invalid intervals.
class SceneSelection {
 public:
  /// Reads frames and agents of scene `scene`; returns false while requests are
  /// pending.
  bool read(store::Reader& reader, const ChunkedDataset& dataset, std::uint64_t scene);

  /// Feeds the scene to `selector`, which then holds its mask.
  void select(AgentSelector& selector) const;

  /// Returns the scene's rows of `agents`.
  Interval agent_rows() const noexcept { return agent_rows_; }

 private:
  std::vector<Interval> scene_;
  FrameColumns frames_;
  Interval agent_rows_;
  SelectionColumns agents_;
};

}  // namespace bev::scene
