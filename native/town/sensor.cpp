#include "native/town/sensor.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/geom/trig.hpp"

namespace bev::town {
namespace {

// Returns the label that a thing is most easily confused with.
Label lookalike(Label label) {
  switch (label) {
    case Label::car: return Label::van;
    case Label::van: return Label::truck;
    case Label::truck: return Label::van;
    case Label::bus: return Label::truck;
    case Label::cyclist: return Label::motorcyclist;
    case Label::motorcyclist:
    case Label::pedestrian: return Label::cyclist;
    case Label::unknown: return Label::pedestrian;
  }
  return Label::unknown;
}

std::array<float, scene::kLabelCount> probabilities(Label label, double certainty) {
  std::array<float, scene::kLabelCount> out{};
  const auto add = [&](Label which, double share) {
    out[static_cast<std::size_t>(which)] += static_cast<float>(share);
  };
  const double rest = 1 - certainty;
  add(label, certainty);
  add(lookalike(label), 0.6 * rest);
  add(label == Label::unknown ? Label::car : Label::unknown, 0.4 * rest);
  return out;
}

}  // namespace

std::vector<std::size_t> Sensor::in_range(Vec2 from,
                                          std::span<const WorldObject> objects) const {
  struct Candidate {
    double distance;
    std::size_t index;
  };
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    // Known tracks are followed slightly beyond the detection range.
    const bool known = tracks_.count(objects[i].identity) > 0;
    const double distance = length(objects[i].at - from) - (known ? 3 : 0);
    if (distance < 2 * reach_.metres) candidates.push_back({distance, i});
  }
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  std::vector<std::size_t> out;
  for (const Candidate& candidate : candidates) {
    const bool near = candidate.distance < reach_.metres;
    if (out.size() >= (near ? reach_.max_objects : reach_.min_objects)) break;
    out.push_back(candidate.index);
  }
  return out;
}

Sensor::Track Sensor::new_track() {
  Track track;
  track.id = next_id_++;
  track.certainty = random_.between(0.88, 0.995);
  track.length_error = 0.03 * random_.normal();
  track.width_error = 0.02 * random_.normal();
  track.yaw_error = 0.01 * random_.normal();
  track.seen = frame_;
  return track;
}

scene::Agent Sensor::record(const WorldObject& object, Track& track, double distance) {
  const auto drift = [&](double value, double spread) {
    return 0.9 * value + 0.1 * spread * random_.normal();
  };
  track.error = {drift(track.error.x, 0.08), drift(track.error.y, 0.08)};
  track.yaw_error = drift(track.yaw_error, 0.03);
  const double far = distance / reach_.metres;
  double certainty = track.certainty - 0.16 * far * far + 0.012 * random_.normal();
  if (object.label == Label::unknown) certainty -= 0.22;
  scene::Agent agent;
  agent.track_id = track.id;
  agent.centroid = {object.at.x + track.error.x, object.at.y + track.error.y};
  agent.extent = {static_cast<float>(object.length * (1 + track.length_error)),
                  static_cast<float>(object.width * (1 + track.width_error)),
                  static_cast<float>(object.height)};
  const double yaw =
      geom::atan2(object.direction.y, object.direction.x) + track.yaw_error;
  agent.yaw = static_cast<float>(yaw);
  agent.velocity = {static_cast<float>(object.velocity.x),
                    static_cast<float>(object.velocity.y)};
  agent.label_probabilities =
      probabilities(object.label, std::clamp(certainty, 0.35, 0.998));
  return agent;
}

std::vector<scene::Agent> Sensor::look(Vec2 from,
                                       std::span<const WorldObject> objects) {
  std::vector<scene::Agent> out;
  for (const std::size_t i : in_range(from, objects)) {
    const WorldObject& object = objects[i];
    const auto hidden = hidden_until_.find(object.identity);
    if (hidden != hidden_until_.end() && frame_ < hidden->second) continue;
    if (frame_ > 0 && random_.chance(0.0006)) {  // once in three minutes
      hidden_until_[object.identity] = frame_ + 3 + random_.index(8);
      tracks_.erase(object.identity);
      continue;
    }
    auto found = tracks_.find(object.identity);
    if (found == tracks_.end()) {
      found = tracks_.emplace(object.identity, new_track()).first;
    }
    found->second.seen = frame_;
    out.push_back(record(object, found->second, length(object.at - from)));
  }
  std::erase_if(tracks_,
                [&](const auto& entry) { return entry.second.seen != frame_; });
  std::sort(out.begin(), out.end(), [](const scene::Agent& a, const scene::Agent& b) {
    return a.track_id < b.track_id;
  });
  ++frame_;
  return out;
}

}  // namespace bev::town
