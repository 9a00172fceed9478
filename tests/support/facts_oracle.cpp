#include "tests/support/facts_oracle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>

#include "tests/support/oracle_boxes.hpp"

namespace bev::test {
namespace {

using namespace oracle;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = std::numbers::pi;

/// A road user by frame; absent where it is not seen.
using Poses = std::vector<std::optional<Pose>>;
using Times = std::vector<double>;

double wrapped(double angle) {
  return std::atan2(std::sin(angle), std::cos(angle));
}

struct Motion {
  const Times& times;
  const Poses& poses;
  std::vector<Point> velocities;  ///< of each frame, computed once
  std::vector<double> turns;

  Motion(const Times& all, const Poses& seen_at) : times(all), poses(seen_at) {
    for (std::size_t k = 0; k < poses.size(); ++k) velocities.push_back(velocity_of(k));
    for (std::size_t k = 0; k < poses.size(); ++k) turns.push_back(turn_of(k));
  }

  bool seen(std::size_t k) const { return k < poses.size() && poses[k].has_value(); }

  bool same_run(std::size_t i, std::size_t j) const {
    for (auto k = i; k <= j; ++k) {
      if (!seen(k)) return false;
      if (k > i && !(times[k] > times[k - 1] && times[k] - times[k - 1] <= 1 + 1e-12)) {
        return false;
      }
    }
    return true;
  }

  /// The steps within half a second of step k.
  std::pair<std::size_t, std::size_t> window(std::size_t k) const {
    auto i = k, j = k;
    while (i > 0 && same_run(i - 1, k) && times[k] - times[i - 1] <= 0.5 + 1e-12) --i;
    while (same_run(k, j + 1) && times[j + 1] - times[k] <= 0.5 + 1e-12) ++j;
    return {i, j};
  }

  Point velocity(std::size_t k) const { return velocities[k]; }
  double turned(std::size_t k) const { return turns[k]; }

  Point velocity_of(std::size_t k) const {
    if (!seen(k)) return {kNan, kNan};
    const auto [i, j] = window(k);
    const double span = times[j] - times[i];
    if (span < 0.3 - 1e-12) return {kNan, kNan};
    const auto moved = poses[j]->at - poses[i]->at;
    return {moved.x / span, moved.y / span};
  }

  double speed(std::size_t k) const { return length(velocity(k)); }

  double acceleration(std::size_t k) const {
    if (!seen(k)) return kNan;
    const auto [i, j] = window(k);
    const double before = times[k] - times[i], after = times[j] - times[k];
    if (before < 0.3 - 1e-12 || after < 0.3 - 1e-12) return kNan;
    const double slow = length(poses[k]->at - poses[i]->at) / before;
    const double fast = length(poses[j]->at - poses[k]->at) / after;
    return (fast - slow) / ((times[j] - times[i]) / 2);
  }

  double turn_of(std::size_t k) const {
    if (k == 0 || !same_run(k - 1, k) || !(speed(k) >= 0.5)) return 0;
    const double step = wrapped(poses[k]->yaw - poses[k - 1]->yaw);
    return std::abs(step) <= kPi / 6 ? step : 0;
  }
};

struct Turned {
  double kind = 0;
  std::size_t begin = 0, end = 0;
};

/// The sharpest turn, over all pairs of frames.
Turned sharpest(const Motion& motion) {
  Turned out;
  double best = 0;
  for (const double sign : {1.0, -1.0}) {
    for (std::size_t j = 0; j < motion.poses.size(); ++j) {
      double change = 0;
      for (std::size_t i = j; i-- > 0;) {
        if (!motion.seen(j) || !motion.same_run(i, i + 1)) break;
        if (motion.times[j] - motion.times[i] > 12 + 1e-12) break;
        change += motion.turned(i + 1);
        if (sign * change <= best + 1e-9) continue;
        best = sign * change;
        out = {sign > 0 ? 2.0 : 3.0, i, j};
      }
    }
  }
  bool known = false;
  for (std::size_t k = 0; k < motion.poses.size(); ++k) {
    known = known || !std::isnan(motion.speed(k));
  }
  if (best >= 150 * kPi / 180) out.kind = 4;
  if (best < kPi / 4) out.kind = known ? 1 : 0;
  return out;
}

struct Names {
  std::string distance, mean, max, brake, acceleration;
};

Turned add_motion(const Motion& motion, const Names& names, OracleRow& out) {
  const auto count = motion.poses.size();
  double sum = 0, known = 0, still = 0, distance = 0, change = 0, max = kNan;
  std::size_t first = count, last = 0;
  auto& accelerations = out.series[names.acceleration];
  for (std::size_t k = 0; k < count; ++k) {
    accelerations.push_back(motion.acceleration(k));
    if (!motion.seen(k)) continue;
    first = std::min(first, k);
    last = k;
    change += motion.turned(k);
    const double speed = motion.speed(k);
    if (std::isnan(speed)) continue;
    sum += speed;
    known += 1;
    still += speed < 0.5 ? 1 : 0;
    max = std::isnan(max) ? speed : std::max(max, speed);
    if (speed >= 0.5 && k > 0 && motion.same_run(k - 1, k)) {
      distance += length(motion.poses[k]->at - motion.poses[k - 1]->at);
    }
  }
  for (const double value : accelerations) out.series[names.brake].push_back(value);
  auto& facts = out.facts;
  if (first < count) {
    const double duration = motion.times[last] - motion.times[first];
    facts["duration"] = duration > 0 || first == last ? duration : kNan;
  } else {
    facts["duration"] = kNan;
  }
  facts[names.distance] = distance;
  facts[names.mean] = known > 0 ? sum / known : kNan;
  facts[names.max] = max;
  facts["stationary"] = known > 0 ? still / known : kNan;
  facts["heading_change"] = change;
  const auto turn = sharpest(motion);
  facts["turn"] = turn.kind;
  return turn;
}

/// A position relative to a pose: ahead and to the left.
Point relative(const Pose& pose, Point at) {
  const auto d = at - pose.at;
  const double c = std::cos(pose.yaw), s = std::sin(pose.yaw);
  return {d.x * c + d.y * s, d.y * c - d.x * s};
}

double apart(double a, double b) {
  return std::abs(wrapped(a - b));
}

double cut_in_frame(const Motion& ego, const Motion& track) {
  for (std::size_t k = 0; k < track.poses.size(); ++k) {
    if (!ego.seen(k) || !track.seen(k)) continue;
    const auto& own = *ego.poses[k];
    const auto now = relative(own, track.poses[k]->at);
    if (!(ego.speed(k) >= 2 && track.speed(k) >= 1)) continue;
    if (apart(track.poses[k]->yaw, own.yaw) > kPi / 6) continue;
    if (now.x <= 0 || now.x > 40 || std::abs(now.y) > 1.2) continue;
    for (std::size_t i = k; i-- > 0;) {
      if (!track.same_run(i, k) || track.times[k] - track.times[i] > 3 + 1e-12) break;
      if (!ego.seen(i) || apart(own.yaw, ego.poses[i]->yaw) > kPi / 18) break;
      const auto then = relative(own, track.poses[i]->at);
      if (std::abs(then.y) >= 2.2) return static_cast<double>(k);
    }
  }
  return -1;
}

bool is_oncoming(const Motion& ego, const Turned& turn, const Motion& track) {
  const auto& begin = *ego.poses[turn.begin];
  for (std::size_t k = 0; k <= turn.end; ++k) {
    if (!track.seen(k) || track.times[k] < track.times[turn.begin] - 3 - 1e-12)
      continue;
    const auto at = relative(begin, track.poses[k]->at);
    if (track.speed(k) >= 2 && apart(track.poses[k]->yaw, begin.yaw) >= 5 * kPi / 6 &&
        at.x > 0 && at.x <= 60 && std::abs(at.y) <= 15) {
      return true;
    }
  }
  return false;
}

double class_of(std::size_t label) {
  if (label >= 3 && label <= 9) return 0;
  if (label >= 10 && label <= 13) return 1;
  return label == 14 ? 2 : 3;
}

double kept(const scene::Agent& agent) {
  float sum = 0;
  for (std::size_t i = 3; i <= 15; ++i) sum += agent.label_probabilities[i];
  return sum;
}

bool in_lane(const map::Lane& lane, Point p) {
  std::vector<Point> ring;
  for (const auto& at : lane.left.points) ring.push_back({at.x, at.y});
  for (auto i = lane.right.points.size(); i-- > 0;) {
    ring.push_back({lane.right.points[i].x, lane.right.points[i].y});
  }
  double angle = 0;  // the winding number, in radians
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto a = ring[i] - p, b = ring[(i + 1) % ring.size()] - p;
    angle += std::atan2(cross(a, b), dot(a, b));
  }
  return std::abs(angle) > kPi;
}

/// The colour that has precedence among a lane's active faces; 0 if none is active.
double colour_of(const OracleScene& scene, const map::Lane& lane, std::size_t frame) {
  std::set<double> found;
  const auto& rows = scene.frames[frame].traffic_light_faces_index_interval;
  for (auto row = rows.begin; row < rows.end; ++row) {
    const auto& face = scene.faces[static_cast<std::size_t>(row)];
    const auto& status = face.traffic_light_face_status;
    if (!(status[0] > 0 && status[0] >= status[1] && status[0] >= status[2])) continue;
    if (std::count(lane.traffic_controls.begin(), lane.traffic_controls.end(),
                   face.face_id) == 0) {
      continue;
    }
    const auto known = scene.map->face_row(face.face_id);
    if (!known) continue;
    switch (scene.map->faces()[*known].colour) {
      case map::Colour::red: found.insert(2); break;
      case map::Colour::yellow: found.insert(3); break;
      case map::Colour::green: found.insert(4); break;
    }
  }
  return found.empty() ? 0 : *found.begin();
}

struct Entry {
  std::size_t frame = 0, stay = 0;
  const map::Lane* lane = nullptr;
};

/// Rows of the map's lanes ahead of a lane.
std::set<std::size_t> lanes_ahead(const map::SemanticMap& map, const map::Lane& lane) {
  std::set<std::size_t> out;
  for (std::size_t i = 0; i < map.lanes().size(); ++i) {
    const auto& ids = lane.lanes_ahead;
    if (std::count(ids.begin(), ids.end(), map.lanes()[i].id) > 0) out.insert(i);
  }
  return out;
}

/// Whether the lane's lights stop at its end (outside of junctions) or begin.
bool has_line(const map::SemanticMap& map, const map::Lane& lane) {
  const auto is_lit = [&](const map::Lane& other) {
    const auto& ids = other.traffic_controls;
    return std::any_of(ids.begin(), ids.end(),
                       [&](const auto& id) { return map.face_row(id).has_value(); });
  };
  if (!is_lit(lane)) return false;
  for (const auto& other : map.lanes()) {
    if (!lane.in_junction || other.in_junction || !is_lit(other)) continue;
    for (const auto row : lanes_ahead(map, other)) {
      if (&map.lanes()[row] == &lane) return false;
    }
  }
  if (lane.in_junction) return true;
  for (const auto row : lanes_ahead(map, lane)) {
    const auto& next = map.lanes()[row];
    if (!next.in_junction && is_lit(next) && &next != &lane) return false;
  }
  return true;
}

/// Whether the way from p to q meets the line from a to b.
bool meet(Point p, Point q, Point a, Point b) {
  const auto way = q - p, line = b - a;
  const double area = cross(way, line);
  if (area == 0) return false;
  const double on_way = cross(a - p, line) / area, on_line = cross(a - p, way) / area;
  return on_way >= 0 && on_way <= 1 && on_line >= 0 && on_line <= 1;
}

void add_crossings(const Motion& ego, const map::Lane& lane, std::vector<Entry>& out) {
  const auto &l = lane.left.points, &r = lane.right.points;
  const bool at_end = !lane.in_junction;
  const auto m = at_end ? l.size() - 1 : 1, n = at_end ? r.size() - 1 : 1;
  const double heading = std::atan2(l[m].y - l[m - 1].y + r[n].y - r[n - 1].y,
                                    l[m].x - l[m - 1].x + r[n].x - r[n - 1].x);
  const auto is_on = [&](std::size_t k) { return in_lane(lane, ego.poses[k]->at); };
  for (std::size_t k = 1; k < ego.poses.size(); ++k) {
    if (!ego.same_run(k - 1, k) || is_on(k) == at_end || is_on(k - 1) != at_end)
      continue;
    if (apart(heading, ego.poses[k]->yaw) > kPi / 3) continue;
    if (at_end && !meet(ego.poses[k - 1]->at, ego.poses[k]->at,
                        {l.back().x, l.back().y}, {r.back().x, r.back().y})) {
      continue;
    }
    std::size_t stay = 0;
    if (at_end) {
      while (stay < k && ego.same_run(k - 1 - stay, k) && is_on(k - 1 - stay)) ++stay;
    } else {
      while (ego.same_run(k, k + stay) && is_on(k + stay)) ++stay;
    }
    out.push_back({k, stay, &lane});
  }
}

void add_light(const OracleScene& scene, const Motion& ego, OracleFacts& facts) {
  facts["light"] = 0;
  facts["light_frame"] = -1;
  if (scene.map == nullptr) return;
  std::vector<Entry> entries;
  for (const auto& lane : scene.map->lanes()) {
    if (lane.left.points.size() < 2 || lane.right.points.size() < 2) continue;
    if (has_line(*scene.map, lane)) add_crossings(ego, lane, entries);
  }
  facts["light"] = 1;
  if (entries.empty()) return;
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.frame < b.frame; });
  auto best = entries.front();
  for (const auto& entry : entries) {
    if (!ego.same_run(entries.front().frame, entry.frame)) break;
    if (ego.times[entry.frame] - ego.times[entries.front().frame] > 1 + 1e-12) break;
    if (entry.stay > best.stay) best = entry;
  }
  facts["light"] = colour_of(scene, *best.lane, best.frame);
  facts["light_frame"] = static_cast<double>(best.frame);
}

double least(const std::vector<double>& values) {
  double out = kNan;
  for (const double value : values) {
    if (!std::isnan(value)) out = std::isnan(out) ? value : std::min(out, value);
  }
  return out;
}

/// Takes the lesser of each frame.
void merge(std::vector<double>& into, const std::vector<double>& from) {
  into.resize(from.size(), kNan);
  for (std::size_t k = 0; k < from.size(); ++k) into[k] = least({into[k], from[k]});
}

void add_counts(const std::vector<OracleRow>& tracks, OracleRow& out) {
  auto& facts = out.facts;
  facts["tracks"] = static_cast<double>(tracks.size());
  const std::array<std::string, 4> counts{"vehicles", "cyclists", "pedestrians",
                                          "others"};
  const std::array<std::string, 3> closest{"closest_vehicle", "closest_cyclist",
                                           "closest_pedestrian"};
  for (const auto& name : counts) facts[name] = 0;
  for (const auto& name : closest) out.series[name];
  out.series["min_ttc"];
  facts["cut_ins"] = 0;
  facts["cut_in_frame"] = -1;
  for (const auto& track : tracks) {
    const auto kind = static_cast<std::size_t>(track.facts.at("class"));
    facts[counts[kind]] += 1;
    if (kind < 3) merge(out.series[closest[kind]], track.series.at("closest_ego"));
    merge(out.series["min_ttc"], track.series.at("min_ttc"));
    const double frame = track.facts.at("cut_in_frame");
    if (frame < 0) continue;
    facts["cut_ins"] += 1;
    auto& first = facts["cut_in_frame"];
    first = first < 0 ? frame : std::min(first, frame);
  }
}

OracleRow track_of(const OracleScene& scene, std::uint64_t id, const Motion& ego,
                   Poses& poses) {
  OracleRow out{id, {}, {}};
  std::array<double, scene::kLabelCount> sums{};
  double frames = 0, first = -1;
  for (std::size_t k = 0; k < scene.frames.size(); ++k) {
    const auto& rows = scene.frames[k].agent_index_interval;
    poses[k].reset();
    for (auto row = rows.begin; row < rows.end && !poses[k]; ++row) {
      const auto& agent = scene.agents[static_cast<std::size_t>(row)];
      if (agent.track_id != id || !(kept(agent) > 0.5F)) continue;
      poses[k] = Pose{{agent.centroid[0], agent.centroid[1]},
                      agent.yaw,
                      agent.extent[0],
                      agent.extent[1]};
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += agent.label_probabilities[i];
      }
      frames += 1;
      if (first < 0) first = static_cast<double>(k);
    }
  }
  const auto label = static_cast<std::size_t>(
      std::max_element(sums.begin(), sums.end()) - sums.begin());
  out.facts["label"] = static_cast<double>(label);
  out.facts["class"] = class_of(label);
  out.facts["frames"] = frames;
  out.facts["first_frame"] = first;
  const Motion motion{ego.times, poses};
  add_motion(motion,
             {"distance", "mean_speed", "max_speed", "hardest_brake",
              "strongest_acceleration"},
             out);
  for (std::size_t k = 0; k < poses.size(); ++k) {
    const bool both = ego.seen(k) && poses[k];
    double near = kNan, ttc = kNan;
    if (both) {
      const auto a = corners(*ego.poses[k]), b = corners(*poses[k]);
      near = distance(a, b);
      ttc = collision(a, b, motion.velocity(k) - ego.velocity(k));
    }
    out.series["closest_ego"].push_back(near);
    out.series["min_ttc"].push_back(ttc);
  }
  out.facts["cut_in_frame"] = class_of(label) == 0 ? cut_in_frame(ego, motion) : -1;
  out.facts["cut_in"] = out.facts["cut_in_frame"] >= 0 ? 1 : 0;
  return out;
}

}  // namespace

OracleResult oracle_facts(const OracleScene& scene) {
  OracleResult out;
  Times times;
  Poses ego_poses;
  std::set<std::uint64_t> ids;
  for (const auto& frame : scene.frames) {
    times.push_back(static_cast<double>(frame.timestamp - scene.frames[0].timestamp) *
                    1e-9);
    const auto& r = frame.ego_rotation;
    ego_poses.push_back(Pose{{frame.ego_translation[0], frame.ego_translation[1]},
                             std::atan2(r[3], r[0])});
  }
  for (const auto& agent : scene.agents) {
    if (kept(agent) > 0.5F) ids.insert(agent.track_id);
  }
  const Motion ego{times, ego_poses};
  auto& row = out.scene;
  row.facts["frames"] = static_cast<double>(scene.frames.size());
  const auto turn = add_motion(ego,
                               {"ego_distance", "ego_mean_speed", "ego_max_speed",
                                "ego_hardest_brake", "ego_strongest_acceleration"},
                               row);
  bool oncoming = false;
  Poses poses(scene.frames.size());
  for (const auto id : ids) {
    out.tracks.push_back(track_of(scene, id, ego, poses));
    const bool vehicle = out.tracks.back().facts["class"] == 0;
    if (turn.kind == 2 && vehicle && is_oncoming(ego, turn, {times, poses})) {
      oncoming = true;
    }
  }
  row.facts["unprotected_left"] = oncoming ? 1 : 0;
  add_counts(out.tracks, row);
  add_light(scene, ego, row.facts);
  return out;
}

}  // namespace bev::test
