#include "core/sample/agent_filters.hpp"

#include <cmath>

#include "core/sample/reference_order.hpp"
#include "core/scene/labels.hpp"

namespace bev::sample {

std::vector<std::uint32_t> rows_above_threshold(
    std::span<const std::array<float, scene::kLabelCount>> probabilities,
    float threshold) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (scene::keeps(probabilities[i], threshold)) {
      rows.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return rows;
}

std::vector<std::uint32_t> rows_within(std::span<const std::array<double, 2>> centroids,
                                       geom::Vec2 centre, double max_distance) {
  std::vector<std::uint32_t> near;
  std::vector<double> distances;
  for (std::size_t i = 0; i < centroids.size(); ++i) {
    const double dx = centroids[i][0] - centre.x;
    const double dy = centroids[i][1] - centre.y;
    const double distance = std::sqrt(dx * dx + dy * dy);
    if (!(distance < max_distance)) continue;
    near.push_back(static_cast<std::uint32_t>(i));
    distances.push_back(distance);
  }
  std::vector<std::uint32_t> order;
  argsort(distances, order);
  for (auto& place : order) place = near[place];
  return order;
}

std::vector<std::uint32_t> rows_of_track(std::span<const std::uint64_t> track_ids,
                                         std::uint64_t wanted_track_id) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < track_ids.size(); ++i) {
    if (track_ids[i] == wanted_track_id) rows.push_back(static_cast<std::uint32_t>(i));
  }
  return rows;
}

std::vector<std::uint32_t> rows_with_state(
    std::span<const std::array<float, 3>> statuses, scene::FaceState state) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    if (statuses[i][static_cast<std::size_t>(state)] > 0) {
      rows.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return rows;
}

std::vector<std::uint64_t> other_track_ids(std::span<const std::uint64_t> all,
                                           std::span<const std::uint64_t> priority,
                                           std::optional<std::uint64_t> selected,
                                           std::size_t most) {
  PythonSet taken;
  for (const auto ids : {priority, all}) {
    for (const auto id : ids) {
      if (taken.size() >= most) break;
      if (id != selected) taken.add(id);
    }
  }
  std::vector<std::uint64_t> out;
  taken.list(out);
  return out;
}

}  // namespace bev::sample
