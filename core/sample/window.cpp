#include "core/sample/window.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "core/base/error.hpp"
#include "core/scene/labels.hpp"

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
         {"sample: track ", track_id, " not found above the threshold in its frame"});
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
       {"sample: pose of ", who, " is not finite (found (",
        std::to_string(subject.centroid.x), ", ", std::to_string(subject.centroid.y),
        "), yaw ", std::to_string(subject.yaw_rad), ")"});
}

}  // namespace

AgentRows::AgentRows(const scene::PoseColumns& columns)
    : centroid(columns.centroid),
      extent(columns.extent),
      yaw(columns.yaw),
      track_id(columns.track_id) {}

AgentRows AgentRows::rows(std::size_t begin, std::size_t end) const {
  assert(begin <= end && end <= size());
  const auto count = end - begin;
  AgentRows part;
  part.centroid = centroid.subspan(begin, count);
  part.extent = extent.subspan(begin, count);
  part.yaw = yaw.subspan(begin, count);
  part.track_id = track_id.subspan(begin, count);
  if (!label_probabilities.empty()) {
    part.label_probabilities = label_probabilities.subspan(begin, count);
  }
  return part;
}

std::optional<std::size_t> AgentRows::find(
    std::uint64_t wanted_track_id) const noexcept {
  const auto hit = std::find(track_id.begin(), track_id.end(), wanted_track_id);
  if (hit == track_id.end()) return std::nullopt;
  return static_cast<std::size_t>(hit - track_id.begin());
}

std::optional<std::size_t> AgentRows::find_kept(std::uint64_t wanted_track_id,
                                                float threshold) const noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    if (track_id[i] == wanted_track_id &&
        scene::keeps(label_probabilities[i], threshold)) {
      return i;
    }
  }
  return std::nullopt;
}

AgentRows Window::agents_of(std::size_t frame) const {
  const auto& interval = frames.agent_index_interval[frame];
  const auto begin = interval.begin - first_agent;
  const auto end = interval.end - first_agent;
  if (begin < 0 || end > static_cast<std::int64_t>(agents.size())) return {};
  auto rows =
      agents.rows(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
  const auto labelled = interval.begin - first_labelled;
  const auto count = rows.size();
  if (labelled >= 0 &&
      interval.end - first_labelled <= static_cast<std::int64_t>(labels.size())) {
    rows.label_probabilities =
        labels.subspan(static_cast<std::size_t>(labelled), count);
  }
  return rows;
}

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
