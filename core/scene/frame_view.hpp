#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scene/frame_window.hpp"
#include "core/scene/tracks.hpp"
#include "core/zarr/text.hpp"

namespace bev::scene {

/// Options of the derived values of a frame.
struct FrameOptions {
  std::uint32_t past = 25;   ///< frames per trail; 2.5 s at 10 Hz
  std::uint32_t future = 0;  ///< frames of future positions
  float threshold = 0.5F;    ///< for `kept`; L5Kit's default
  bool sequential = false;   ///< later frames follow: chunks are requested whole
  /// Whether a line continues after frames without its agent, as in L5Kit's visualizer;
  /// otherwise it ends there.
  bool across_gaps = false;
  Parts parts = {};
};

/// A frame prepared for drawing: stored values and values derived from them.
///
/// Shapes  agent_* have one value per agent of the frame, in file order; light_* one
///         per face.
/// Units   Metres and radians in world, metres per second.
///         Without an ego vehicle (FrameWindow::has_ego), its corners and speed and the
///         distances to it are NaN, and its lines empty.
struct FrameView {
  double ego_yaw = 0;
  float ego_speed = 0;  ///< from the position difference; NaN without a neighbour
  std::array<std::array<double, 2>, 4> ego_corners{};  ///< front left first, then ccw
  std::vector<std::array<double, 2>> ego_trail;        ///< from now into the past
  std::vector<std::array<double, 2>> ego_future;       ///< from now into the future

  std::vector<std::int64_t> agent_row;  ///< row in `agents`
  std::vector<std::array<std::array<double, 2>, 4>> agent_corners;
  std::vector<float> agent_speed;  ///< from the position difference; NaN if unknown
  std::vector<std::uint8_t> agent_label;
  std::vector<std::uint8_t> agent_class;       ///< AgentClass
  std::vector<float> agent_probability;        ///< of the label
  std::vector<float> agent_known_probability;  ///< kept_mass(), input of L5Kit's filter
  std::vector<std::uint8_t> agent_kept;        ///< passes L5Kit's filter: 0 or 1
  std::vector<float> agent_distance;           ///< from centroid to ego vehicle
  Polylines trails;                            ///< per agent, from now into the past
  Polylines futures;

  zarr::Text light_face_id;
  zarr::Text light_traffic_light_id;
  std::vector<std::uint8_t> light_state;  ///< FaceState

  /// Derives all values from a window that was read with this reach. Reuses memory of
  /// the previous call.
  void derive(const FrameWindow& window, const ChunkedDataset& dataset,
              const FrameOptions& options);

 private:
  void derive_ego(const FrameWindow& window, const FrameOptions& options);
  void derive_agents(const FrameWindow& window, const FrameOptions& options);
  void derive_lights(const FrameWindow& window, const ChunkedDataset& dataset);

  TrackJoiner joiner_;
};

}  // namespace bev::scene
