#include "core/sample/subject.hpp"

#include <cmath>
#include <string>

#include "core/base/error.hpp"

namespace bev::sample {
namespace {

Subject ego_subject(const Window& window) {
  const auto& position = window.frames.ego_translation[window.current];
  return {std::nullopt,
          {position[0], position[1]},
          window.ego_yaw[window.current],
          {4.87, 1.85, 1.8}};
}

Subject agent_subject(const Window& window, std::uint64_t track_id,
                      const SampleParams& params) {
  const auto agents = window.agents_of(window.current);
  const auto row = agents.find_kept(track_id, params.filter_agents_threshold);
  if (!row) {
    fail(params.absent_track,
         {"sample: track ", track_id,
          ": not among the agents of its frame above the threshold"});
  }
  const auto& centroid = agents.centroid[*row];
  const auto& extent = agents.extent[*row];
  return {track_id,
          {centroid[0], centroid[1]},
          agents.yaw[*row],
          {extent[0], extent[1], extent[2]}};
}

void check_finite(const Subject& subject) {
  if (std::isfinite(subject.centroid.x) && std::isfinite(subject.centroid.y) &&
      std::isfinite(subject.yaw_rad)) {
    return;
  }
  const auto who = subject.track_id ? "track " + std::to_string(*subject.track_id)
                                    : std::string("the ego vehicle");
  fail(Errc::corrupt_chunk,
       {"sample: ", who, " at (", std::to_string(subject.centroid.x), ", ",
        std::to_string(subject.centroid.y), ") with yaw ",
        std::to_string(subject.yaw_rad), ", expected finite numbers"});
}

}  // namespace

Subject find_subject(const Window& window, std::optional<std::uint64_t> track_id,
                     const SampleParams& params) {
  const auto subject =
      track_id ? agent_subject(window, *track_id, params) : ego_subject(window);
  check_finite(subject);
  return subject;
}

geom::Affine2 world_from(const Subject& subject) noexcept {
  return geom::pose(subject.centroid, subject.yaw_rad);
}

}  // namespace bev::sample
