#include "core/sample/vector_agents.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/geom/angle.hpp"
#include "core/scene/filters.hpp"
#include "core/scene/labels.hpp"

namespace bev::sample {
namespace {

constexpr float kThreshold = 0.5F;

void put_pose(const AgentRows& agents, std::size_t i, const Observer& observer,
              std::size_t place, VectorTracks& out) {
  const auto& [x, y] = agents.centroid[i];
  const auto position = observer.agent_from_world * geom::Vec2{x, y};
  out.positions[2 * place] = static_cast<float>(position.x);
  out.positions[2 * place + 1] = static_cast<float>(position.y);
  out.yaws[place] = geom::angular_distance_f32(agents.yaw[i], observer.yaw_rad);
  out.extents[2 * place] = agents.extent[i][0];
  out.extents[2 * place + 1] = agents.extent[i][1];
  out.available[place] = 1;
}

}  // namespace

void VectorTracks::resize(std::size_t tracks, std::size_t frames_per_track) {
  frames = frames_per_track;
  const auto count = tracks * frames;
  positions.assign(2 * count, 0.0F);
  yaws.assign(count, 0.0F);
  extents.assign(2 * count, 0.0F);
  available.assign(count, 0);
}

std::size_t VectorAgentsBuilder::find_sights(const Window& window,
                                             const FrameRun& history,
                                             geom::Vec2 centroid) {
  sights_.clear();
  distances_.clear();
  std::size_t now = 0;
  for (std::size_t i = 0; i < history.count; ++i) {
    const auto agents = window.agents_of(history.frame(i));
    for (std::size_t k = 0; k < agents.size(); ++k) {
      const double x = agents.centroid[k][0] - centroid.x;
      const double y = agents.centroid[k][1] - centroid.y;
      const double distance = std::sqrt(x * x + y * y);
      if (!(distance < params_.max_agents_distance)) continue;
      const auto& labels = agents.label_probabilities[k];
      if (!scene::keeps(labels, kThreshold)) continue;
      distances_.push_back(distance);
      sights_.push_back({agents.track_id[k],
                         static_cast<std::uint8_t>(scene::most_probable(labels))});
    }
    if (i == 0) now = sights_.size();
  }
  return now;
}

void VectorAgentsBuilder::take(const std::vector<std::uint32_t>& order,
                               const Observer& observer, std::size_t most) {
  for (const auto row : order) {
    if (chosen_.size() >= most) return;
    const auto id = sights_[row].track_id;
    if (observer.track_id != id) chosen_.add(id);
  }
}

void VectorAgentsBuilder::choose(std::size_t now, const Observer& observer,
                                 std::size_t most) {
  const std::span<const double> distances(distances_);
  argsort(distances.first(now), now_order_);
  argsort(distances, order_);
  chosen_.clear();
  take(now_order_, observer, most);
  take(order_, observer, most);
  chosen_.list(ids_);
}

std::optional<std::size_t> VectorAgentsBuilder::row_of(std::uint64_t track_id) const {
  const auto place = std::lower_bound(
      taken_.begin(), taken_.end(), track_id,
      [](const Taken& taken, std::uint64_t id) { return taken.track_id < id; });
  if (place == taken_.end() || place->track_id != track_id) return std::nullopt;
  return place->row;
}

void VectorAgentsBuilder::put_types(std::size_t lead, VectorAgents& out) const {
  // Backwards, so that the nearest sight of a track stays.
  for (auto row = order_.rbegin(); row != order_.rend(); ++row) {
    const Sight& sight = sights_[*row];
    if (const auto place = row_of(sight.track_id)) out.types[*place] = sight.label;
  }
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    out.track_ids[lead + i] = static_cast<std::int64_t>(ids_[i]);
  }
}

void VectorAgentsBuilder::follow(const Window& window, const FrameRun& run,
                                 const Observer& observer, VectorTracks& out) const {
  for (std::size_t i = 0; i < run.count; ++i) {
    const auto agents = window.agents_of(run.frame(i));
    for (std::size_t k = 0; k < agents.size(); ++k) {
      const auto row = row_of(agents.track_id[k]);
      if (!row) continue;
      const auto place = *row * out.frames + i;
      if (out.available[place] == 0) put_pose(agents, k, observer, place, out);
    }
  }
}

void VectorAgentsBuilder::build(const Window& window, const VectorFrames& frames,
                                const Observer& observer, geom::Vec2 centroid,
                                std::size_t lead, VectorAgents& out) {
  const std::size_t count = params_.other_agents_num;
  const auto now = find_sights(window, frames.history, centroid);
  choose(now, observer, count - lead);
  taken_.clear();
  for (std::size_t i = 0; i < ids_.size(); ++i) taken_.push_back({ids_[i], lead + i});
  std::sort(taken_.begin(), taken_.end(),
            [](const Taken& a, const Taken& b) { return a.track_id < b.track_id; });

  out.types.assign(count, 0);
  out.track_ids.assign(count, 0);
  put_types(lead, out);
  out.history.resize(count, params_.history_num_frames_max() + 1);
  out.future.resize(count, params_.future_num_frames);
  auto recent = frames.history;
  recent.count =
      std::min<std::size_t>(recent.count, params_.history_num_frames_agents + 1);
  follow(window, recent, observer, out.history);
  follow(window, frames.future, observer, out.future);
}

}  // namespace bev::sample
