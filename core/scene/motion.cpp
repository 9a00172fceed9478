#include "core/scene/motion.hpp"

#include <cmath>
#include <cstddef>

#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"

namespace bev::scene {
namespace {

constexpr auto kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr double kFullTurn = 6.283185307179586;

using Times = std::span<const std::int64_t>;

double seconds(Times times, std::size_t from, std::size_t to) {
  return seconds_between(times[from], times[to]);
}

bool is_seen(const PoseAt& pose) {
  return !std::isnan(pose.at.x);
}

double speed_at(Times times, std::span<const PoseAt> poses, std::size_t k) {
  if (!is_seen(poses[k])) return kNoValue;
  const bool behind = k > 0 && is_seen(poses[k - 1]);
  const std::size_t from = behind ? k - 1 : k, to = behind ? k : k + 1;
  if (to == poses.size()) return kNoValue;
  const auto& a = poses[from].at;
  const auto& b = poses[to].at;
  return geom::hypot(b.x - a.x, b.y - a.y) / seconds(times, from, to);
}

/// Shifts each yaw by whole turns to be nearest to the last known one.
std::vector<double> unwrapped(std::span<const PoseAt> poses) {
  std::vector<double> out;
  double before = kNoValue;
  for (const auto& pose : poses) {
    const double turns = std::round((pose.yaw - before) / kFullTurn);
    const double near = std::isnan(turns) ? pose.yaw : pose.yaw - turns * kFullTurn;
    if (!std::isnan(near)) before = near;
    out.push_back(near);
  }
  return out;
}

/// Returns the signed difference, which does not overflow.
double signed_seconds(std::int64_t from_ns, std::int64_t to_ns) {
  const auto from = static_cast<std::uint64_t>(from_ns);
  const auto to = static_cast<std::uint64_t>(to_ns);
  return (to_ns < from_ns ? -static_cast<double>(from - to)
                          : static_cast<double>(to - from)) *
         1e-9;
}

}  // namespace

SceneClock clock_of(Times times_ns, std::span<const AbsentParts> absent) {
  SceneClock out;
  for (std::size_t k = 0; k < times_ns.size(); ++k) {
    const bool stored = !absent[k].frame;
    if (stored && out.start.empty()) out.start.push_back(times_ns[k]);
    out.seconds.push_back(stored ? signed_seconds(out.start[0], times_ns[k])
                                 : kNoValue);
  }
  return out;
}

std::vector<PoseAt> ego_poses(const SceneDataset& scene) {
  if (!scene.has_ego) return std::vector<PoseAt>(scene.frames.size());
  std::vector<PoseAt> out;
  for (std::size_t k = 0; k < scene.frames.size(); ++k) {
    const auto& at = scene.frames.ego_translation[k];
    const auto& r = scene.frames.ego_rotation[k];
    out.push_back(
        {{at[0], at[1]},
         geom::rotation33_as_yaw(
             {{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}})});
  }
  return out;
}

std::vector<PoseAt> track_poses(const SceneDataset& scene, const TrackIndex& tracks,
                                std::uint64_t track_id) {
  const auto& agents = scene.agents;
  std::vector<PoseAt> out(scene.frames.size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    const auto row = tracks.find(k, track_id);
    if (row == TrackIndex::kNone) continue;
    out[k] = {{agents.centroid[row][0], agents.centroid[row][1]},
              static_cast<double>(agents.yaw[row])};
  }
  return out;
}

std::vector<double> changes_per_second(Times times, std::span<const double> values) {
  std::vector<double> out(values.size(), kNoValue);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isnan(values[k])) continue;
    const std::size_t a = k > 0 && !std::isnan(values[k - 1]) ? k - 1 : k;
    const bool after = k + 1 < values.size() && !std::isnan(values[k + 1]);
    const std::size_t b = after ? k + 1 : k;
    out[k] = (values[b] - values[a]) / seconds(times, a, b);
  }
  return out;
}

Motion motion_of(Times times_ns, std::span<const PoseAt> poses) {
  Motion out;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    out.speed.push_back(speed_at(times_ns, poses, k));
  }
  out.acceleration = changes_per_second(times_ns, out.speed);
  out.yaw = unwrapped(poses);
  out.yaw_rate = changes_per_second(times_ns, out.yaw);
  return out;
}

}  // namespace bev::scene
