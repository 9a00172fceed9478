#include "core/facts/scene_facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"
#include "core/facts/interactions.hpp"
#include "core/geom/trig.hpp"
#include "core/scene/encounter.hpp"
#include "core/scene/motion.hpp"

namespace bev::facts {
namespace {

// Of L5Kit's filter.
constexpr float kThreshold = 0.5F;

bool is_finite(geom::Vec2 at) {
  return std::isfinite(at.x) && std::isfinite(at.y);
}

/// Returns the label with the greatest sum of probabilities over the path.
std::size_t label_of(const Path& path, const scene::AgentColumns& agents) {
  std::array<double, scene::kLabelCount> sums{};
  for (const auto& step : path.steps) {
    const auto& probabilities = agents.label_probabilities[step.row];
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += probabilities[i];
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < sums.size(); ++i) {
    if (sums[i] > sums[best]) best = i;
  }
  return best;
}

/// Returns a distance that the rectangles' distance is not below.
double least_distance(const geom::Rectangle& a, const geom::Rectangle& b) {
  const auto radius = [](const geom::Rectangle& r) {
    return r.half_length + r.half_width;
  };
  const double apart = geom::hypot(b.centre.x - a.centre.x, b.centre.y - a.centre.y);
  // A margin for rounding, much more than its error.
  return apart * (1 - 1e-9) - (radius(a) + radius(b)) * (1 + 1e-9);
}

std::vector<std::string_view> active_faces(const SceneInput& input,
                                           std::uint32_t frame) {
  std::vector<std::string_view> out;
  const auto& all = input.data.frames.traffic_light_faces_index_interval;
  if (frame >= all.size()) return out;  // a data set without faces
  for (auto row = all[frame].begin; row < all[frame].end; ++row) {
    const auto i = static_cast<std::size_t>(row);
    const auto state = scene::state_of(input.data.faces.traffic_light_face_status[i]);
    if (state == scene::FaceState::active) out.push_back(input.face_ids[i]);
  }
  return out;
}

}  // namespace

void Extreme::take(const Extreme& other) noexcept {
  if (!std::isnan(other.value) && !(other.value >= value)) *this = other;
}

void FactsMaker::compute(const SceneInput& input) {
  scene_ = {};
  tracks_.clear();
  const auto frames = input.data.frames.size();
  if (frames > 0x7FFFFFFF) {
    fail(Errc::limit_exceeded, {"facts of scene ", input.scene, ": ", frames,
                                " frames (expected at most 2147483647)"});
  }
  scene_.scene = input.scene;
  scene_.frames = static_cast<std::uint32_t>(frames);
  find_ego(input);
  sort_rows(input);
  for (std::size_t begin = 0; begin < kept_.size();) {
    auto end = begin;
    while (end < kept_.size() && kept_[end].track_id == kept_[begin].track_id) ++end;
    add_track(input, begin, end);
    begin = end;
  }
  if (input.lights != nullptr) {
    scene_.light = input.lights->find(
        ego_, [&](std::uint32_t frame) { return active_faces(input, frame); });
  }
}

void FactsMaker::find_ego(const SceneInput& input) {
  const auto poses = scene::ego_poses(input.data);
  ego_.steps.clear();
  const auto& times = input.data.frames.timestamp;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    if (!is_finite(poses[k].at)) continue;
    ego_.steps.push_back(
        {static_cast<std::uint32_t>(k), times[k], poses[k].at, poses[k].yaw, 0});
  }
  ego_.rebuild();
  ego_turn_ = sharpest_turn(ego_);
  scene_.ego = motion_facts(ego_, ego_turn_);
  if (input.data.has_ego || times.empty()) return;
  scene_.ego.distance = scene_.ego.heading_change = kUnknown;
  scene_.ego.duration =
      times.size() == 1 ? 0 : scene::seconds_between(times.front(), times.back());
}

void FactsMaker::sort_rows(const SceneInput& input) {
  const auto& agents = input.data.agents;
  const auto& frames = input.data.frames.agent_index_interval;
  kept_.clear();
  for (std::size_t k = 0; k < frames.size(); ++k) {
    for (auto row = frames[k].begin; row < frames[k].end; ++row) {
      const auto i = static_cast<std::size_t>(row);
      const auto& at = agents.centroid[i];
      if (!scene::keeps(agents.label_probabilities[i], kThreshold)) continue;
      if (!is_finite({at[0], at[1]})) continue;
      kept_.push_back({agents.track_id[i], static_cast<std::uint32_t>(k), i});
    }
  }
  std::sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) {
    if (a.track_id != b.track_id) return a.track_id < b.track_id;
    return a.frame != b.frame ? a.frame < b.frame : a.row < b.row;
  });
}

void FactsMaker::add_track(const SceneInput& input, std::size_t begin,
                           std::size_t end) {
  const auto& agents = input.data.agents;
  track_.steps.clear();
  for (auto i = begin; i < end; ++i) {
    const auto [id, frame, row] = kept_[i];
    if (i > begin && kept_[i - 1].frame == frame) continue;  // the first row counts
    track_.steps.push_back({frame,
                            input.data.frames.timestamp[frame],
                            {agents.centroid[row][0], agents.centroid[row][1]},
                            static_cast<double>(agents.yaw[row]),
                            row});
  }
  track_.rebuild();
  TrackFacts out;
  out.scene = input.scene;
  out.track_id = kept_[begin].track_id;
  const auto label = label_of(track_, agents);
  out.label = static_cast<std::uint8_t>(label);
  out.agent_class = scene::class_of_label(label);
  out.frames = static_cast<std::uint32_t>(track_.size());
  out.first_frame = static_cast<std::int32_t>(track_.steps.front().frame);
  out.motion = motion_facts(track_, sharpest_turn(track_));
  approach(agents, out);
  if (out.agent_class == scene::AgentClass::vehicle) {
    out.cut_in_frame = cut_in_frame(ego_, track_);
    out.cut_in = out.cut_in_frame != kNoFrame;
    scene_.unprotected_left =
        scene_.unprotected_left ||
        (ego_turn_.kind == Turn::left && is_oncoming(ego_, ego_turn_, track_));
  }
  count(out);
  tracks_.push_back(out);
}

/// Finds the least distance and time to collision. Steps that are too far for either
/// are skipped without computing them.
void FactsMaker::approach(const scene::AgentColumns& agents, TrackFacts& out) {
  scene::for_each_encounter(ego_, track_, [&](const scene::Encounter& at) {
    const auto& step = track_.steps[at.track];
    const auto own = scene::ego_rectangle(ego_.steps[at.ego]);
    const auto other = scene::rectangle(step, agents.extent[step.row]);
    const double least = least_distance(own, other);
    const auto frame = static_cast<std::int32_t>(step.frame);
    if (!(least > out.ego.value)) {
      out.ego.take({geom::distance(own, other), frame, out.track_id});
    }
    const auto velocity = scene::relative_velocity(ego_, track_, at);
    if (least > geom::hypot(velocity.x, velocity.y) * geom::kMaxTtcS) return;
    const double time = geom::time_to_collision(own, other, velocity);
    out.ttc.take({time, frame, out.track_id});
  });
}

void FactsMaker::count(const TrackFacts& track) {
  ++scene_.tracks;
  scene_.ttc.take(track.ttc);
  switch (track.agent_class) {
    case scene::AgentClass::vehicle:
      ++scene_.vehicles;
      scene_.vehicle.take(track.ego);
      break;
    case scene::AgentClass::cyclist:
      ++scene_.cyclists;
      scene_.cyclist.take(track.ego);
      break;
    case scene::AgentClass::pedestrian:
      ++scene_.pedestrians;
      scene_.pedestrian.take(track.ego);
      break;
    case scene::AgentClass::other: ++scene_.others; break;
  }
  if (!track.cut_in) return;
  ++scene_.cut_ins;
  if (scene_.cut_in_frame == kNoFrame || track.cut_in_frame < scene_.cut_in_frame) {
    scene_.cut_in_frame = track.cut_in_frame;
  }
}

}  // namespace bev::facts
