#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/geom/affine.hpp"
#include "core/sample/params.hpp"
#include "core/sample/window.hpp"

namespace bev::sample {

/// The ego vehicle or agent of a sample, in the current frame.
struct Subject {
  std::optional<std::uint64_t> track_id;  ///< absent for the ego vehicle
  geom::Vec2 centroid;                    ///< in world
  double yaw_rad = 0;                     ///< an agent's is a float32, widened
  std::array<double, 3> extent{};         ///< likewise
};

/// Finds the ego vehicle, or an agent in the window's current frame.
///
/// Throws  params.absent_track for a track that is not in the frame or not above the
///         threshold; corrupt_chunk for a position or heading that is not finite.
Subject find_subject(const Window& window, std::optional<std::uint64_t> track_id,
                     const SampleParams& params);

/// Returns world_from_subject.
geom::Affine2 world_from(const Subject& subject) noexcept;

}  // namespace bev::sample
