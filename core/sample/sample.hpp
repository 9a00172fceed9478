#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/sample/params.hpp"
#include "core/sample/subject.hpp"
#include "core/sample/window.hpp"

namespace bev::sample {

/// The bytes of a host's name, zero padded.
inline constexpr std::size_t kHostIdBytes = 70;

/// What a model is given, but for the image. Members are the keys of L5Kit's sample.
///
/// Shapes    H = history_num_frames, F = future_num_frames; history arrays begin now
///           and go back in time, target arrays begin with the next frame.
/// Units     Metres, metres per second, radians; the agent's frame has its origin at
///           the agent's centroid and x along its heading. What is not available is 0,
///           but velocities: they are plain differences, also to and from such zeros.
/// Source    L5Kit, sampling/agent_sampling.py, generate_agent_sample.
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
  std::array<double, 3> extent{};   ///< an agent's is of float32
  std::optional<float> curr_speed;  ///< absent where H is 0
  std::int64_t scene_index = 0;
  std::array<std::uint8_t, kHostIdBytes> host_id{};
  std::int64_t timestamp = 0;
  std::int64_t track_id = -1;  ///< -1 for the ego vehicle
};

/// Builds the sample of a subject of a window. The window reaches as far back and
/// forward as the parameters say, or to the ends of the scene.
///
/// Shapes    Arrays of `out` are resized: memory of an earlier sample is used again.
///           scene_index, frame_index and host_id are the caller's to fill.
/// Errors    invalid_argument for a pose that has no inverse.
void build_sample(const Window& window, const Subject& subject,
                  const SampleParams& params, Sample& out);

}  // namespace bev::sample
