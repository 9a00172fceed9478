#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/sample/params.hpp"
#include "core/sample/window.hpp"

namespace bev::sample {

/// Size of a zero-padded host name in bytes.
inline constexpr std::size_t kHostIdBytes = 70;

/// A model's input except the image. Members are the keys of L5Kit's sample.
///
/// Shapes     H = history_num_frames, F = future_num_frames; history arrays begin now
///            and go back in time, target arrays begin with the next frame.
/// Units      Metres, metres per second, radians. The agent's frame has its origin at
///            the agent's centroid and x along its heading. Unavailable values are 0,
///            except velocities: these are plain differences, also to and from such
///            zeros.
/// Reference  L5Kit, sampling/agent_sampling.py, generate_agent_sample.
struct Sample {
  std::int64_t frame_index = 0;
  std::vector<float> target_positions;        // (F, 2)
  std::vector<float> target_yaws;             // (F, 1)
  std::vector<float> target_velocities;       // (F, 2)
  std::vector<float> target_availabilities;   // (F)
  std::vector<float> history_positions;       // (H+1, 2)
  std::vector<float> history_yaws;            // (H+1, 1)
  std::vector<float> history_velocities;      // (H, 2)
  std::vector<float> history_availabilities;  // (H+1)
  std::vector<float> history_extents;         // (H+1, 2)
  std::vector<float> future_extents;          // (F, 2)
  std::array<double, 9> raster_from_world{};  // also called world_to_image
  std::array<double, 9> raster_from_agent{};
  std::array<double, 9> agent_from_world{};
  std::array<double, 9> world_from_agent{};
  std::array<double, 2> centroid{};
  double yaw = 0;
  std::array<double, 3> extent{};   ///< float32 values for an agent
  std::optional<float> curr_speed;  ///< absent if H is 0
  std::int64_t scene_index = 0;
  std::array<std::uint8_t, kHostIdBytes> host_id{};
  std::int64_t timestamp = 0;
  std::int64_t track_id = -1;  ///< -1 for the ego vehicle
};

/// Builds the sample of a subject of a window. The window must cover the history and
/// future that `params` states, or extend to the ends of the scene.
///
/// Shapes  Arrays of `out` are resized; memory of a previous sample is reused. The
///         caller sets scene_index, frame_index and host_id.
/// Throws  invalid_argument for a pose without an inverse.
void build_sample(const Window& window, const Subject& subject,
                  const SampleParams& params, Sample& out);

/// Resizes the arrays of a sample as build_sample() does; the values are unspecified.
void resize_sample(const SampleParams& params, Sample& out);

}  // namespace bev::sample
