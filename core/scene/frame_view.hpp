#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scene/frame_window.hpp"
#include "core/scene/trails.hpp"
#include "core/zarr/text.hpp"

namespace bev::scene {

/// What to derive for a frame.
struct FrameOptions {
  std::uint32_t past = 25;   ///< frames of trail; 2.5 s at 10 Hz
  std::uint32_t future = 0;  ///< frames of future
  float threshold = 0.5F;    ///< of `kept`, L5Kit's usual value
  bool sequential = false;   ///< later frames follow: chunks are asked for whole
  /// Whether a line goes on behind frames without its agent, as L5Kit's visualizer has
  /// it; else it ends there.
  bool across_gaps = false;
};

/// A frame as a picture needs it: what the file holds, and what follows from it.
///
/// Shapes  agent_* have a value per agent of the frame, in file order; light_* one per
///         face.
/// Units   Metres and radians in world, metres per second.
struct FrameView {
  double ego_yaw = 0;
  float ego_speed = 0;  ///< by differencing, NaN where there is no neighbour
  std::array<std::array<double, 2>, 4> ego_corners{};  ///< front left first, then ccw
  std::vector<std::array<double, 2>> ego_trail;        ///< from now into the past
  std::vector<std::array<double, 2>> ego_future;       ///< from now into the future

  std::vector<std::int64_t> agent_row;  ///< global
  std::vector<std::array<std::array<double, 2>, 4>> agent_corners;
  std::vector<float> agent_speed;  ///< by differencing, NaN where it cannot be known
  std::vector<std::uint8_t> agent_label;
  std::vector<std::uint8_t> agent_class;       ///< AgentClass
  std::vector<float> agent_probability;        ///< of the label
  std::vector<float> agent_known_probability;  ///< what L5Kit's filter compares
  std::vector<std::uint8_t> agent_kept;        ///< by L5Kit's filter, 0 or 1
  std::vector<float> agent_distance;           ///< of the centroid to the ego
  Polylines trails;  ///< of each agent, from now into the past
  Polylines futures;

  zarr::Text light_face_id;
  zarr::Text light_traffic_light_id;
  std::vector<std::uint8_t> light_state;  ///< FaceState

  /// Derives all of it from a window that was read with this reach. Memory of an
  /// earlier derivation is used again.
  void derive(const FrameWindow& window, const ChunkedDataset& dataset,
              const FrameOptions& options);

 private:
  void derive_ego(const FrameWindow& window, const FrameOptions& options);
  void derive_agents(const FrameWindow& window, const FrameOptions& options);
  void derive_lights(const FrameWindow& window, const ChunkedDataset& dataset);

  TrackJoiner joiner_;
};

}  // namespace bev::scene
