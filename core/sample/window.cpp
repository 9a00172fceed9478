#include "core/sample/window.hpp"

#include <algorithm>
#include <cassert>

#include "core/scene/filters.hpp"

namespace bev::sample {

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

}  // namespace bev::sample
