#include "core/sample/sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "core/sample/relative_poses.hpp"
#include "core/scene/filters.hpp"

namespace bev::sample {
namespace {

struct Subject {
  geom::Vec2 centroid_in_world;
  double yaw_rad;
  std::array<double, 3> extent;
};

Subject ego_subject(const scene::FrameColumns& frames, std::size_t frame) {
  const auto& position = frames.ego_translation[frame];
  return {{position[0], position[1]}, ego_yaw(frames, frame), {4.87, 1.85, 1.8}};
}

Subject agent_subject(const AgentRows& agents, std::uint64_t track_id,
                      float threshold) {
  const auto row = agents.find_kept(track_id, threshold);
  if (!row) {
    throw Error(Errc::out_of_range,
                "sample: track " + std::to_string(track_id) +
                    ": not among the agents of its frame above the threshold");
  }
  const auto& centroid = agents.centroid[*row];
  const auto& extent = agents.extent[*row];
  return {
      {centroid[0], centroid[1]}, agents.yaw[*row], {extent[0], extent[1], extent[2]}};
}

std::array<double, 9> matrix(const geom::Affine2& map) {
  return {map.xx, map.xy, map.tx, map.yx, map.yy, map.ty, 0, 0, 1};
}

// Rows of relative poses, one array each.
RelativePoses resized(std::size_t n, std::vector<float>& positions,
                      std::vector<float>& yaws, std::vector<float>& extents,
                      std::vector<float>& availabilities) {
  positions.resize(2 * n);
  yaws.resize(n);
  extents.resize(2 * n);
  availabilities.resize(n);
  return {positions, yaws, extents, availabilities};
}

// Velocities in float32 throughout. `later` minus `earlier`, element by element.
void differences(std::span<const float> later, std::span<const float> earlier,
                 double step_time, std::span<float> out) {
  const auto step = static_cast<float>(step_time);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = (later[i] - earlier[i]) / step;
  }
}

void fill_velocities(const SampleParams& params, Sample& out) {
  const std::span<const float> history(out.history_positions);
  out.history_velocities.resize(history.size() - 2);
  differences(history, history.subspan(2), params.step_time, out.history_velocities);

  const std::span<const float> target(out.target_positions);
  out.target_velocities.resize(target.size());
  if (target.empty()) return;
  constexpr std::array<float, 2> kNow{0, 0};
  const std::span<float> velocities(out.target_velocities);
  differences(target.first(2), kNow, params.step_time, velocities.first(2));
  differences(target.subspan(2), target, params.step_time, velocities.subspan(2));
}

std::optional<float> current_speed(const Sample& sample) {
  const auto& velocities = sample.history_velocities;
  if (velocities.empty()) return std::nullopt;
  return std::sqrt(velocities[0] * velocities[0] + velocities[1] * velocities[1]);
}

void fill_matrices(const Subject& subject, const SampleParams& params, Sample& out) {
  const auto world_from_agent = geom::pose(subject.centroid_in_world, subject.yaw_rad);
  const auto raster_from_world = sample::raster_from_world(
      raster_from_local(params.raster), subject.centroid_in_world, subject.yaw_rad);
  out.world_from_agent = matrix(world_from_agent);
  out.agent_from_world = matrix(geom::inverse(world_from_agent));
  out.raster_from_world = matrix(raster_from_world);
  out.raster_from_agent = matrix(raster_from_world * world_from_agent);
}

}  // namespace

void build_sample(const Window& window, std::optional<std::uint64_t> track_id,
                  const SampleParams& params, Sample& out) {
  const auto current = window.current;
  const auto subject = track_id ? agent_subject(window.current_agents, *track_id,
                                                params.filter_agents_threshold)
                                : ego_subject(window.frames, current);
  fill_matrices(subject, params, out);
  const Observer observer{
      track_id, geom::inverse(geom::pose(subject.centroid_in_world, subject.yaw_rad)),
      static_cast<float>(subject.yaw_rad)};

  const std::size_t past = std::min<std::size_t>(params.history_num_frames, current);
  const std::size_t future = std::min<std::size_t>(params.future_num_frames,
                                                   window.frames.size() - 1 - current);
  relative_poses(
      window, {current, past + 1, FrameRun::Direction::backward}, observer,
      resized(params.history_num_frames + 1, out.history_positions, out.history_yaws,
              out.history_extents, out.history_availabilities));
  relative_poses(
      window, {current + 1, future, FrameRun::Direction::forward}, observer,
      resized(params.future_num_frames, out.target_positions, out.target_yaws,
              out.future_extents, out.target_availabilities));
  fill_velocities(params, out);

  out.centroid = {subject.centroid_in_world.x, subject.centroid_in_world.y};
  out.yaw = subject.yaw_rad;
  out.extent = subject.extent;
  out.curr_speed = current_speed(out);
  out.timestamp = window.frames.timestamp[current];
  out.track_id = track_id ? static_cast<std::int64_t>(*track_id) : -1;
}

}  // namespace bev::sample
