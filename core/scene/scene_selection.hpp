#pragma once

#include <cstdint>

#include "core/scene/columns.hpp"
#include "core/scene/dataset.hpp"
#include "core/scene/select_agents.hpp"

namespace bev::scene {

/// One scene's agents as selection wants them; memory is used again from scene to
/// scene.
///
/// Errors  read() throws out_of_range for a scene that is not there, corrupt_chunk for
///         intervals that cannot be.
class SceneSelection {
 public:
  /// Reads frames and agents of scene `scene`; false while chunks are wanted.
  bool read(store::Reader& reader, const ChunkedDataset& dataset, std::uint64_t scene);

  /// Leads the scene that was read through `selector`, whose mask has it then.
  void select(AgentSelector& selector) const;

  /// The rows of `agents` that the scene holds.
  Interval agent_rows() const noexcept { return agent_rows_; }

 private:
  std::vector<Interval> scene_;
  FrameColumns frames_;
  Interval agent_rows_;
  SightColumns agents_;
};

}  // namespace bev::scene
