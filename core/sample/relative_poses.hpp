#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/geom/affine.hpp"
#include "core/sample/window.hpp"

namespace bev::sample {

/// The ego vehicle's size, which is not recorded: length, width, height in metres.
inline constexpr float kEgoExtent[3] = {4.87F, 1.85F, 1.8F};

/// Returns the ego vehicle's heading in a frame, radians in world.
double ego_yaw(const scene::FrameColumns& frames, std::size_t frame) noexcept;

/// The track to follow, and the frame of reference.
struct ReferenceFrame {
  std::optional<std::uint64_t> track_id;  ///< absent for the ego vehicle
  geom::Affine2 agent_from_world;
  float yaw_rad;  ///< heading that is subtracted from yaws
};

/// Frames of a window, `step` apart, forward or backward in time.
struct FrameRun {
  enum class Direction { forward, backward };
  std::size_t first = 0;
  std::size_t count = 0;
  Direction direction = Direction::forward;
  std::size_t step = 1;

  std::size_t frame(std::size_t i) const noexcept {
    return direction == Direction::forward ? first + i * step : first - i * step;
  }
};

/// Output of relative poses for n frames; every span has the length for n. Unavailable
/// values are 0.
struct RelativePoses {
  std::span<float> positions;       ///< (n, 2) metres in the reference frame
  std::span<float> yaws;            ///< (n) radians in [-pi, pi)
  std::span<float> extents;         ///< (n, 2) length and width in metres
  std::span<float> availabilities;  ///< (n) 1 or 0
};

/// Follows the ego vehicle or a track through frames of a window.
///
/// @param run     frames of the window, one per row; rows beyond them are unavailable
/// @throws Error  invalid_argument if a span's length does not match the
///                availabilities, or is shorter than the run
/// Reference  L5Kit, sampling/agent_sampling.py, get_relative_poses: the first row of
///            the track counts, whatever its probabilities; positions are computed in
///            float64 and rounded once, yaws in float32 throughout.
void relative_poses(const Window& window, const FrameRun& run,
                    const ReferenceFrame& reference, const RelativePoses& out);

}  // namespace bev::sample
