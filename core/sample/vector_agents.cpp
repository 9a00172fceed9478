#include "core/sample/vector_agents.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/geom/angle.hpp"
#include "core/scene/labels.hpp"

namespace bev::sample {
namespace {

constexpr float kThreshold = 0.5F;

void put_pose(const AgentRows& agents, std::size_t i, const ReferenceFrame& reference,
              std::size_t place, VectorTracks& out) {
  const auto& [x, y] = agents.centroid[i];
  const auto position = reference.agent_from_world * geom::Vec2{x, y};
  out.positions[2 * place] = static_cast<float>(position.x);
  out.positions[2 * place + 1] = static_cast<float>(position.y);
  out.yaws[place] = geom::angular_distance_f32(agents.yaw[i], reference.yaw_rad);
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

void TrackRows::clear(std::size_t count) {
  std::size_t size = 2;
  shift_ = 63;
  for (; size < 2 * count; size *= 2) --shift_;
  slots_.assign(size, Slot{});
}

void TrackRows::add(std::uint64_t track_id, std::size_t row) {
  auto at = place(track_id);
  while (slots_[at].row_after != 0) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = {track_id, row + 1};
}

std::optional<std::size_t> TrackRows::find(std::uint64_t track_id) const noexcept {
  for (auto at = place(track_id);; at = (at + 1) & (slots_.size() - 1)) {
    const Slot& slot = slots_[at];
    if (slot.row_after == 0) return std::nullopt;
    if (slot.track_id == track_id) return slot.row_after - 1;
  }
}

std::size_t VectorAgentsBuilder::find_observations(const Window& window,
                                                   const FrameRun& history,
                                                   geom::Vec2 centroid) {
  observations_.clear();
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
      observations_.push_back({agents.track_id[k], &labels});
    }
    if (i == 0) now = observations_.size();
  }
  return now;
}

void VectorAgentsBuilder::take(const std::vector<std::uint32_t>& order,
                               const ReferenceFrame& reference, std::size_t most) {
  for (const auto row : order) {
    if (chosen_.size() >= most) return;
    const auto id = observations_[row].track_id;
    if (reference.track_id != id) chosen_.add(id);
  }
}

void VectorAgentsBuilder::choose(std::size_t now, const ReferenceFrame& reference,
                                 std::size_t most) {
  const std::span<const double> distances(distances_);
  argsort(distances.first(now), now_order_);
  argsort(distances, order_);
  chosen_.clear();
  take(now_order_, reference, most);
  take(order_, reference, most);
  chosen_.list(ids_);
}

void VectorAgentsBuilder::put_types(std::size_t lead, VectorAgents& out) const {
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    out.track_ids[lead + i] = static_cast<std::int64_t>(ids_[i]);
    out.types[lead + i] = -1;
  }
  // The nearest observation of a track counts, not the latest.
  for (const auto row : order_) {
    const Observation& observation = observations_[row];
    const auto place = taken_.find(observation.track_id);
    if (!place || out.types[*place] >= 0) continue;
    out.types[*place] =
        static_cast<std::int64_t>(scene::most_probable(*observation.labels));
  }
}

void VectorAgentsBuilder::follow(const Window& window, const FrameRun& run,
                                 const ReferenceFrame& reference,
                                 VectorTracks& out) const {
  for (std::size_t i = 0; i < run.count; ++i) {
    const auto agents = window.agents_of(run.frame(i));
    for (std::size_t k = 0; k < agents.size(); ++k) {
      const auto row = taken_.find(agents.track_id[k]);
      if (!row) continue;
      const auto place = *row * out.frames + i;
      if (out.available[place] == 0) put_pose(agents, k, reference, place, out);
    }
  }
}

void VectorAgentsBuilder::build(const Window& window, const VectorFrames& frames,
                                const ReferenceFrame& reference, geom::Vec2 centroid,
                                std::size_t lead, VectorAgents& out) {
  const std::size_t count = params_.other_agents_num;
  const auto now = find_observations(window, frames.history, centroid);
  choose(now, reference, count - lead);
  taken_.clear(ids_.size());
  for (std::size_t i = 0; i < ids_.size(); ++i) taken_.add(ids_[i], lead + i);

  out.types.assign(count, 0);
  out.track_ids.assign(count, 0);
  put_types(lead, out);
  out.history.resize(count, params_.history_num_frames_max() + 1);
  out.future.resize(count, params_.future_num_frames);
  auto recent = frames.history;
  recent.count =
      std::min<std::size_t>(recent.count, params_.history_num_frames_agents + 1);
  follow(window, recent, reference, out.history);
  follow(window, frames.future, reference, out.future);
}

}  // namespace bev::sample
