#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/scene/columns.hpp"
#include "core/scene/dataset.hpp"

namespace bev::scene {

/// Number of frames before and after a frame, clipped to the scene, and their parts.
struct Reach {
  std::uint32_t past = 0;
  std::uint32_t future = 0;
  Parts parts = {};
};

/// A frame of a scene with its neighbours: the data read to show the frame.
///
/// Shapes  frames[now] is the frame itself, frames[0] the oldest of the window. The
///         window reaches at least one frame to each side, to derive speeds. tracks
///         holds the agents of all frames of the window, concatenated; agents and faces
///         those of the frame itself.
/// Throws  out_of_range for a scene or frame that does not exist; corrupt_chunk for
///         invalid intervals, before memory is allocated by them.
struct FrameWindow {
  std::int64_t index = 0;  ///< index of the frame in the dataset, as stored
  std::size_t now = 0;
  bool has_ego = true;  ///< as ChunkedDataset::has_ego
  Interval rows;        ///< rows of `frames`
  FrameColumns frames;
  Interval agent_rows;  ///< rows of `tracks`
  TrackColumns tracks;
  AgentColumns agents;
  FaceColumns faces;

  /// Reads frame `frame` of scene `scene`; returns false while requests are pending.
  /// Reuses memory of the previous read. Intervals of parts that are not read are empty.
  bool read(store::Reader& reader, const ChunkedDataset& dataset, std::uint64_t scene,
            std::uint64_t frame, Reach reach);

  /// Returns the rows of `tracks` that belong to a frame of the window.
  Interval tracks_of(std::size_t frame) const noexcept {
    const auto& global = frames.agent_index_interval[frame];
    return {global.begin - agent_rows.begin, global.end - agent_rows.begin};
  }

 private:
  bool read_parts(store::Reader& reader, const ChunkedDataset& dataset, Parts parts);

  std::vector<Interval> scene_;
};

/// A scene, and a frame's number within it.
struct FrameAddress {
  std::uint64_t scene = 0;
  std::uint64_t frame = 0;
};

/// Returns the address of the frame with this index in the dataset; nullopt while
/// requests are pending.
///
/// @throws Error  out_of_range if no scene holds it
std::optional<FrameAddress> find_frame(store::Reader& reader,
                                       const ChunkedDataset& dataset,
                                       std::uint64_t index);

}  // namespace bev::scene
