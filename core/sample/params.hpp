#pragma once

#include <cstdint>

#include "core/base/error.hpp"
#include "core/sample/config.hpp"
#include "core/sample/render_context.hpp"

namespace bev::sample {

/// What a rasterized sample depends on, out of a config.
///
/// Units   step_time is in seconds; it divides differences of positions and never
///         strides frames, as in L5Kit: frames_per_step does.
/// Source  L5Kit's keys; those of the section `bevscope` are ours, see docs/config.md.
struct SampleParams {
  std::uint32_t history_num_frames = 0;  ///< past frames, the current one not counted
  std::uint32_t future_num_frames = 0;
  double step_time = 0.1;
  float filter_agents_threshold = 0.5F;
  bool disable_traffic_light_faces = false;
  RasterFrame raster{};
  std::uint32_t frames_per_step = 1;  ///< bevscope.frames_per_step

  /// bevscope.velocities_at_gaps: to and from what is not available they are 0, where
  /// L5Kit has the difference to a position of 0.
  bool zero_velocities_at_gaps = false;

  /// What it is to ask for a track that is not among those kept in the frame: L5Kit has
  /// an IndexError, or a ValueError where samples are vectorized.
  Errc absent_track = Errc::out_of_range;
};

/// Longest history and future, and longest side of a raster: far above what models use
/// (10, 50 and 1,024), far below what would fill the memory.
inline constexpr std::uint32_t kMaxFrames = 10'000;
inline constexpr std::uint32_t kMaxRasterSide = 8'192;

/// Reads what it needs of `config`.
///
/// @throws Error  invalid_argument for what Config refuses, a step_time that is not
///                positive and a pixel_size that is not; unsupported for pixels that
///                are not square
SampleParams sample_params(const Config& config);

/// bevscope.frames_per_step, 1 where it is not there.
std::uint32_t frames_per_step(const Config& config);

}  // namespace bev::sample
