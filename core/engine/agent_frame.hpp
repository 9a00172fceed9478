#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/zarr/dtype.hpp"

namespace bev {

/// How a field's values change from the world to an agent's frame.
enum class FrameChange : std::uint8_t {
  none,
  position,   ///< x and y: moved and rotated
  direction,  ///< x and y: rotated
  angle,      ///< wrapped to [-pi, pi)
};

/// Returns the change of a field of `agents`: centroid, velocity, yaw; none for others.
FrameChange frame_change_of(std::string_view field) noexcept;

/// Centroid and heading of an agent in the world: its frame has the centroid as origin
/// and +x ahead.
struct AgentFrame {
  double x = 0;
  double y = 0;
  double yaw_rad = 0;
};

/// Converts values in place. Reals of 4 bytes are computed in double precision and
/// rounded once.
///
/// @param type    4 or 8 byte reals
/// @param values  pairs, or for angles single values
void to_agent_frame(const AgentFrame& frame, FrameChange change,
                    const zarr::DType& type, std::span<std::byte> values);

}  // namespace bev
