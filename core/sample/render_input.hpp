#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/geom/affine.hpp"
#include "core/sample/window.hpp"
#include "core/zarr/text.hpp"

namespace bev::sample {

/// Data that the drawing of a sample needs. Nothing else is read: an ego sample drawn
/// without agents reads no agents.
struct SampleInputs {
  bool history_agents = false;
  bool labels = false;  ///< label_probabilities of the history's agents
  bool faces = false;   ///< traffic-light faces of the history
  bool future_agents = false;
  bool operator==(const SampleInputs&) const = default;
};

/// Traffic-light faces of one frame, in file order.
///
/// Lifetime  A view, as AgentRows.
class FaceRows {
 public:
  FaceRows() = default;
  /// @param first  index in `face_id` of the face of status[0]
  FaceRows(std::span<const std::array<float, 3>> status, const zarr::Text& face_id,
           std::size_t first)
      : status_(status), face_id_(&face_id), first_(first) {}

  std::size_t size() const noexcept { return status_.size(); }
  std::string_view face_id(std::size_t i) const noexcept {
    return (*face_id_)[first_ + i];
  }
  /// Returns active, inactive, unknown.
  const std::array<float, 3>& status(std::size_t i) const noexcept {
    return status_[i];
  }

 private:
  std::span<const std::array<float, 3>> status_;
  const zarr::Text* face_id_ = nullptr;
  std::size_t first_ = 0;
};

/// One frame of a sample's history.
struct HistoryFrame {
  AgentRows agents;  ///< empty if not requested; likewise its label_probabilities
  geom::Vec2 ego_in_world;
  double ego_yaw = 0;
  FaceRows faces;  ///< empty if not requested, or disabled by the config
};

/// Data for drawing a sample.
///
/// Lifetime  Views into the sampler, valid until its next read().
struct RenderInput {
  /// Now, then back in time; only frames within the scene.
  std::span<const HistoryFrame> history;
  std::optional<std::uint64_t> track_id;  ///< of the subject; absent for the ego
                                          ///< vehicle
  geom::Vec2 centroid;                    ///< of the subject, in world
  double yaw_rad = 0;                     ///< an agent's is a float32, widened
  std::array<double, 3> extent{};
  double ego_z = 0;     ///< metres, of the ego vehicle now
  bool has_ego = true;  ///< whether there is an ego vehicle to draw
  geom::Affine2 raster_from_local;

  /// As rasterizers compute it: for an agent, with the sine and cosine of its float32
  /// yaw, so that it differs from a sample's raster_from_world by 1e-7.
  geom::Affine2 raster_from_world;
};

}  // namespace bev::sample
