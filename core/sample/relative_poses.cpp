#include "core/sample/relative_poses.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/error.hpp"
#include "core/geom/angle.hpp"

namespace bev::sample {
namespace {

struct Pose {
  geom::Vec2 position_in_world;
  float yaw_rad;
  std::array<float, 2> extent;
};

Pose ego_pose(const Window& window, std::size_t frame) {
  const auto& position = window.frames.ego_translation[frame];
  return {{position[0], position[1]},
          static_cast<float>(window.ego_yaw[frame]),
          {kEgoExtent[0], kEgoExtent[1]}};
}

std::optional<Pose> pose_in(const Window& window, std::size_t frame,
                            const std::optional<std::uint64_t>& track_id) {
  if (!track_id) return ego_pose(window, frame);
  const auto agents = window.agents_of(frame);
  const auto row = agents.find(*track_id);
  if (!row) return std::nullopt;
  const auto i = *row;
  return Pose{{agents.centroid[i][0], agents.centroid[i][1]},
              agents.yaw[i],
              {agents.extent[i][0], agents.extent[i][1]}};
}

void check_shapes(std::size_t frames, const RelativePoses& out) {
  const auto n = out.availabilities.size();
  if (frames <= n && out.positions.size() == 2 * n && out.yaws.size() == n &&
      out.extents.size() == 2 * n) {
    return;
  }
  fail(Errc::invalid_argument,
       {"relative poses: lengths differ (found ", n, " rows for ", frames, " frames)"});
}

}  // namespace

double ego_yaw(const scene::FrameColumns& frames, std::size_t frame) noexcept {
  const auto& r = frames.ego_rotation[frame];
  return geom::rotation33_as_yaw(
      {{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}});
}

void relative_poses(const Window& window, const FrameRun& run,
                    const ReferenceFrame& reference, const RelativePoses& out) {
  check_shapes(run.count, out);
  std::fill(out.positions.begin(), out.positions.end(), 0.0F);
  std::fill(out.yaws.begin(), out.yaws.end(), 0.0F);
  std::fill(out.extents.begin(), out.extents.end(), 0.0F);
  std::fill(out.availabilities.begin(), out.availabilities.end(), 0.0F);
  for (std::size_t i = 0; i < run.count; ++i) {
    const auto pose = pose_in(window, run.frame(i), reference.track_id);
    if (!pose) continue;
    const auto position = reference.agent_from_world * pose->position_in_world;
    out.positions[2 * i] = static_cast<float>(position.x);
    out.positions[2 * i + 1] = static_cast<float>(position.y);
    out.yaws[i] = geom::angular_distance_f32(pose->yaw_rad, reference.yaw_rad);
    out.extents[2 * i] = pose->extent[0];
    out.extents[2 * i + 1] = pose->extent[1];
    out.availabilities[i] = 1.0F;
  }
}

}  // namespace bev::sample
