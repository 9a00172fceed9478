#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/scene/columns.hpp"
#include "core/scene/dataset.hpp"

namespace bev::scene {

/// How far a window reaches beyond its frame, clipped to the scene.
struct Reach {
  std::uint32_t past = 0;
  std::uint32_t future = 0;
};

/// A frame of a scene with its neighbours: what is read of the data set to show it.
///
/// Shapes    frames[now] is the frame itself, frames[0] the oldest of the window, which
///           always reaches one frame to each side (speeds are derived from those).
///           tracks holds the agents of all frames of the window, one after the other;
///           agents and faces those of the frame itself.
/// Errors    out_of_range for a scene or a frame that is not there; corrupt_chunk for
///           intervals that cannot be, before anything is allocated by them.
struct FrameWindow {
  std::int64_t index = 0;  ///< global, of the frame itself
  std::size_t now = 0;
  Interval rows;  ///< of frames
  FrameColumns frames;
  Interval agent_rows;  ///< of tracks
  TrackColumns tracks;
  AgentColumns agents;
  FaceColumns faces;

  /// Reads frame `frame` of scene `scene`; false while chunks are wanted. Memory of an
  /// earlier read is used again.
  bool read(store::Reader& reader, const ChunkedDataset& dataset, std::uint64_t scene,
            std::uint64_t frame, Reach reach);

  /// Rows of `tracks` that belong to a frame of the window.
  Interval tracks_of(std::size_t frame) const noexcept {
    const auto& global = frames.agent_index_interval[frame];
    return {global.begin - agent_rows.begin, global.end - agent_rows.begin};
  }

 private:
  bool read_agents_and_faces(store::Reader& reader, const ChunkedDataset& dataset);

  std::vector<Interval> scene_;
};

/// Where a frame is: which scene, and which frame of it.
struct FrameAddress {
  std::uint64_t scene = 0;
  std::uint64_t frame = 0;
};

/// The address of the frame with this global index; nullopt while chunks are wanted.
///
/// @throws Error  out_of_range if no scene holds it
std::optional<FrameAddress> find_frame(store::Reader& reader,
                                       const ChunkedDataset& dataset,
                                       std::uint64_t index);

}  // namespace bev::scene
