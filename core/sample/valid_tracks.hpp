#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/scene/agent_index.hpp"
#include "core/scene/dataset.hpp"

namespace bev::sample {

/// Maximum number of a scene's agents in an evaluation.
inline constexpr std::size_t kMaxValidTracks = 50;

/// Frame of its scene that an evaluation uses.
inline constexpr std::uint64_t kEvalFrame = 99;

/// Track ids of the items of an agent dataset within a scene, in item order, one per
/// row.
///
/// Throws     read() throws limit_exceeded for more than kMaxValidTracks, and
///            corrupt_chunk for invalid intervals.
/// Reference  L5Kit, EgoAgentDatasetVectorized: all_valid_agents_track_ids, float64,
///            padded with 0.
class ValidTracks {
 public:
  using Ids = std::array<double, kMaxValidTracks>;

  /// @param frames  of the scene
  /// @returns       false while requests are pending
  bool read(store::Reader& reader, const scene::ChunkedDataset& dataset,
            const scene::Interval& frames, const scene::AgentIndex& items);

  const Ids& ids() const noexcept { return ids_; }

 private:
  bool read_ids(store::Reader& reader, const scene::ChunkedDataset& dataset,
                const scene::AgentIndex& items, const scene::AgentIndex::Items& found);

  Ids ids_{};
  scene::FrameColumns first_, last_;
  scene::TrackColumns track_;
};

}  // namespace bev::sample
