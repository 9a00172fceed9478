#pragma once

#include <cstdint>

#include "core/base/error.hpp"
#include "core/sample/config.hpp"
#include "core/sample/render_context.hpp"

namespace bev::sample {

/// Parameters of a rasterized sample, read from a config.
///
/// Units      step_time is in seconds. As in L5Kit, it divides position differences and
///            does not stride frames; frames_per_step does.
/// Reference  L5Kit's config keys. The section `bevscope` is an extension, see
///            docs/config.md.
struct SampleParams {
  std::uint32_t history_num_frames = 0;  ///< past frames without the current one
  std::uint32_t future_num_frames = 0;
  double step_time = 0.1;
  float filter_agents_threshold = 0.5F;
  bool disable_traffic_light_faces = false;
  RasterFrame raster{};
  std::uint32_t frames_per_step = 1;  ///< bevscope.frames_per_step

  /// bevscope.velocities_at_gaps: whether velocities to and from unavailable positions
  /// are 0. L5Kit uses the difference to a position of 0.
  bool zero_velocities_at_gaps = false;

  /// Error code for a track that is not among those kept in the frame. L5Kit raises an
  /// IndexError, or a ValueError for vectorized samples.
  Errc absent_track = Errc::out_of_range;
};

/// Maximum history and future, and maximum side of a raster: far above what models use
/// (10, 50 and 1,024), far below what exhausts memory.
inline constexpr std::uint32_t kMaxFrames = 10'000;
inline constexpr std::uint32_t kMaxRasterSide = 8'192;

/// Reads the parameters from `config`.
///
/// @throws Error  as Config; invalid_argument for a step_time or pixel_size that is not
///                positive; unsupported for pixels that are not square
SampleParams sample_params(const Config& config);

/// Returns bevscope.frames_per_step, 1 if it is missing.
std::uint32_t frames_per_step(const Config& config);

/// Parameters of a vectorized sample, read from a config.
///
/// Units  Metres; step_time in seconds.
struct VectorParams {
  std::uint32_t history_num_frames_ego = 0;
  std::uint32_t history_num_frames_agents = 0;
  std::uint32_t future_num_frames = 0;
  double step_time = 0.1;
  float filter_agents_threshold = 0.5F;  ///< for the sample's subject
  bool disable_traffic_light_faces = false;
  std::uint32_t frames_per_step = 1;  ///< as in SampleParams
  std::uint32_t other_agents_num = 0;
  double max_agents_distance = 0;
  std::uint32_t max_num_lanes = 0;
  std::uint32_t max_points_per_lane = 0;
  std::uint32_t max_points_per_crosswalk = 0;
  std::uint32_t max_num_crosswalks = 0;
  double max_retrieval_distance_m = 0;

  /// Returns the number of past frames in all arrays, without the current one.
  std::uint32_t history_num_frames_max() const noexcept {
    return history_num_frames_ego > history_num_frames_agents
               ? history_num_frames_ego
               : history_num_frames_agents;
  }
};

/// Maximum number of lanes, crosswalks, agents, or points of one of them, and maximum
/// number of values in all arrays of a sample.
inline constexpr std::uint32_t kMaxVectorCount = 10'000;
inline constexpr std::uint64_t kMaxVectorNumbers = std::uint64_t{1} << 26;

/// Reads the parameters from `config`.
///
/// @throws Error  missing_key and invalid_argument as Config; invalid_argument for a
///                step_time that is not positive and for lanes of fewer than 2 points;
///                out_of_range for no future frames, as L5Kit; limit_exceeded for a
///                sample of more than kMaxVectorNumbers values
VectorParams vector_params(const Config& config);

/// Returns the parameters of the Sampler that reads its data.
SampleParams sampler_params(const VectorParams& params);

}  // namespace bev::sample
