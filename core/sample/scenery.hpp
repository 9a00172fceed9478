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

/// What of the history a drawing looks at. Nothing else of it is read: without agents
/// an ego sample reads no agent at all.
struct SampleNeeds {
  bool history_agents = false;
  bool labels = false;  ///< label_probabilities of the history's agents
  bool faces = false;   ///< traffic-light faces of the history
  bool future_agents = false;
  bool operator==(const SampleNeeds&) const = default;
};

/// Traffic-light faces of one frame, in file order.
///
/// Lifetime  A view, as AgentRows.
class FaceRows {
 public:
  FaceRows() = default;
  /// @param first  the face among `face_id` that status[0] belongs to
  FaceRows(std::span<const std::array<float, 3>> status, const zarr::Text& face_id,
           std::size_t first)
      : status_(status), face_id_(&face_id), first_(first) {}

  std::size_t size() const noexcept { return status_.size(); }
  std::string_view face_id(std::size_t i) const noexcept {
    return (*face_id_)[first_ + i];
  }
  /// Active, inactive, unknown.
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
  AgentRows agents;  ///< empty where not asked for; label_probabilities likewise
  geom::Vec2 ego_in_world;
  double ego_yaw = 0;
  FaceRows faces;  ///< empty where not asked for, or disabled by the config
};

/// What a drawing of a sample is made from.
///
/// Lifetime  Views into the sampler that gives it, until its next read().
struct Scenery {
  /// Now, then back in time; only frames that are in the scene.
  std::span<const HistoryFrame> history;
  std::optional<std::uint64_t> track_id;  ///< whose view; absent for the ego vehicle
  geom::Vec2 centroid;                    ///< of whose view it is, in world
  double yaw_rad = 0;                     ///< an agent's is a float32, widened
  std::array<double, 3> extent{};
  double ego_z = 0;  ///< metres, of the ego vehicle now
  geom::Affine2 raster_from_local;

  /// As rasterizers have it: seen from an agent, sine and cosine are those of its
  /// float32 yaw, so that it differs from a sample's raster_from_world by 1e-7.
  geom::Affine2 raster_from_world;
};

}  // namespace bev::sample
