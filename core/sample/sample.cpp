#include "core/sample/sample.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/sample/relative_poses.hpp"

namespace bev::sample {
namespace {

// Resizes the arrays to n rows of relative poses and returns them as spans.
RelativePoses resized(std::size_t n, std::vector<float>& positions,
                      std::vector<float>& yaws, std::vector<float>& extents,
                      std::vector<float>& availabilities) {
  positions.resize(2 * n);
  yaws.resize(n);
  extents.resize(2 * n);
  availabilities.resize(n);
  return {positions, yaws, extents, availabilities};
}

// Computes velocities in float32 throughout: `later` minus `earlier`, by element.
void differences(std::span<const float> later, std::span<const float> earlier,
                 double step_time, std::span<float> out) {
  const auto step = static_cast<float>(step_time);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = (later[i] - earlier[i]) / step;
  }
}

// Sets the velocity between two rows to 0 unless both are available.
void zero_at_gaps(std::span<const float> later, std::span<const float> earlier,
                  std::span<float> velocities) {
  for (std::size_t i = 0; i < later.size(); ++i) {
    if (later[i] != 0 && earlier[i] != 0) continue;
    velocities[2 * i] = 0;
    velocities[2 * i + 1] = 0;
  }
}

void fill_history_velocities(const SampleParams& params, Sample& out) {
  const std::span<const float> history(out.history_positions);
  out.history_velocities.resize(history.size() - 2);
  differences(history, history.subspan(2), params.step_time, out.history_velocities);
  if (!params.zero_velocities_at_gaps) return;
  const std::span<const float> seen(out.history_availabilities);
  zero_at_gaps(seen.first(seen.size() - 1), seen.subspan(1), out.history_velocities);
}

void fill_target_velocities(const SampleParams& params, Sample& out) {
  const std::span<const float> target(out.target_positions);
  out.target_velocities.resize(target.size());
  if (target.empty()) return;
  constexpr std::array<float, 2> kNow{0, 0};
  const std::span<float> velocities(out.target_velocities);
  differences(target.first(2), kNow, params.step_time, velocities.first(2));
  differences(target.subspan(2), target, params.step_time, velocities.subspan(2));
  if (!params.zero_velocities_at_gaps) return;
  constexpr std::array<float, 1> kSeen{1};
  const std::span<const float> seen(out.target_availabilities);
  zero_at_gaps(seen.first(1), kSeen, velocities);
  zero_at_gaps(seen.subspan(1), seen, velocities.subspan(2));
}

std::optional<float> current_speed(const Sample& sample) {
  const auto& velocities = sample.history_velocities;
  if (velocities.empty()) return std::nullopt;
  return std::sqrt(velocities[0] * velocities[0] + velocities[1] * velocities[1]);
}

void fill_matrices(const Subject& subject, const SampleParams& params, Sample& out) {
  const auto world_from_agent = world_from(subject);
  const auto raster_from_world =
      raster_from_local(params.raster) * geom::inverse(world_from_agent);
  out.world_from_agent = geom::matrix(world_from_agent);
  out.agent_from_world = geom::matrix(geom::inverse(world_from_agent));
  out.raster_from_world = geom::matrix(raster_from_world);
  out.raster_from_agent = geom::matrix(raster_from_world * world_from_agent);
}

void fill_poses(const Window& window, const Subject& subject,
                const SampleParams& params, Sample& out) {
  const ReferenceFrame reference{subject.track_id, geom::inverse(world_from(subject)),
                                 static_cast<float>(subject.yaw_rad)};
  const auto current = window.current;
  const std::size_t step = params.frames_per_step;
  const auto past = std::min<std::size_t>(params.history_num_frames, current / step);
  const auto future = std::min<std::size_t>(
      params.future_num_frames, (window.frames.size() - 1 - current) / step);
  relative_poses(
      window, {current, past + 1, FrameRun::Direction::backward, step}, reference,
      resized(params.history_num_frames + 1, out.history_positions, out.history_yaws,
              out.history_extents, out.history_availabilities));
  relative_poses(
      window, {current + step, future, FrameRun::Direction::forward, step}, reference,
      resized(params.future_num_frames, out.target_positions, out.target_yaws,
              out.future_extents, out.target_availabilities));
}

}  // namespace

void resize_sample(const SampleParams& params, Sample& out) {
  const std::size_t history = params.history_num_frames;
  resized(history + 1, out.history_positions, out.history_yaws, out.history_extents,
          out.history_availabilities);
  resized(params.future_num_frames, out.target_positions, out.target_yaws,
          out.future_extents, out.target_availabilities);
  out.history_velocities.resize(2 * history);
  out.target_velocities.resize(out.target_positions.size());
  out.curr_speed = current_speed(out);
}

void build_sample(const Window& window, const Subject& subject,
                  const SampleParams& params, Sample& out) {
  fill_matrices(subject, params, out);
  fill_poses(window, subject, params, out);
  fill_history_velocities(params, out);
  fill_target_velocities(params, out);
  out.centroid = {subject.centroid.x, subject.centroid.y};
  out.yaw = subject.yaw_rad;
  out.extent = subject.extent;
  out.curr_speed = current_speed(out);
  out.timestamp = window.frames.timestamp[window.current];
  out.track_id = subject.track_id ? static_cast<std::int64_t>(*subject.track_id) : -1;
}

}  // namespace bev::sample
