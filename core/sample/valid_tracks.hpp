#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/scene/agent_index.hpp"
#include "core/scene/dataset.hpp"

namespace bev::sample {

/// How many agents of a scene an evaluation takes at most.
inline constexpr std::size_t kMaxValidTracks = 50;

/// Frame of its scene that an evaluation looks at.
inline constexpr std::uint64_t kEvalFrame = 99;

/// Track ids of the items of an agent data set that are in a scene, in their order,
/// once for each row.
///
/// Errors    read() throws invalid_argument for more than kMaxValidTracks, and
///           corrupt_chunk for intervals that cannot be.
/// Source    L5Kit, EgoAgentDatasetVectorized: all_valid_agents_track_ids, which are
///           of float64 and 0 where there is none.
class ValidTracks {
 public:
  using Ids = std::array<double, kMaxValidTracks>;

  /// @param frames  of the scene; false while chunks are wanted
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
