#include "core/facts/light_at_entry.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "core/map/area.hpp"

namespace bev::facts {
namespace {

using Line = std::vector<geom::Vec3>;

/// Returns a lane's heading at its begin or end: from the middle of both sides to that
/// of the next points.
std::optional<double> heading_of(const map::Lane& lane, bool at_end) {
  const Line &left = lane.left.points, &right = lane.right.points;
  if (left.size() < 2 || right.size() < 2) return std::nullopt;
  const std::size_t l = at_end ? left.size() - 1 : 1, r = at_end ? right.size() - 1 : 1;
  return geom::atan2((left[l].y - left[l - 1].y) + (right[r].y - right[r - 1].y),
                     (left[l].x - left[l - 1].x) + (right[r].x - right[r - 1].x));
}

/// Returns whether the way between two places crosses a line forwards.
bool crosses(const map::StopLine& line, geom::Vec2 from, geom::Vec2 to) {
  const double x = line.right.x - line.left.x, y = line.right.y - line.left.y;
  const auto ahead = [&](geom::Vec2 at) {
    return x * (at.y - line.left.y) - y * (at.x - line.left.x);
  };
  const double before = ahead(from), after = ahead(to);
  if (!(before < 0 && after >= 0)) return false;
  const double share = before / (before - after);
  const double along = x * (from.x + share * (to.x - from.x) - line.left.x) +
                       y * (from.y + share * (to.y - from.y) - line.left.y);
  return along >= 0 && along <= x * x + y * y;
}

Light light_of(map::LaneLight light) {
  switch (light) {
    case map::LaneLight::none: return Light::unknown;
    case map::LaneLight::red: return Light::red;
    case map::LaneLight::yellow: return Light::yellow;
    case map::LaneLight::green: return Light::green;
  }
  return Light::unknown;
}

}  // namespace

LightsOfMap::LightsOfMap(map::MapSource maps)
    : maps_(std::move(maps)), map_(maps_.whole()) {
  if (!map_) return;
  lights_.emplace(*map_);
  stops_ = map::stop_lines(*map_);
  std::vector<map::Box> boxes;
  for (std::uint32_t row = 0; row < map_->lanes().size(); ++row) {
    const auto& lane = map_->lanes()[row];
    if (!stops_[row]) continue;
    lanes_.push_back(row);
    boxes.push_back(lane.bounds);
  }
  index_ = map::BoxIndex(boxes);
}

std::vector<std::uint32_t> LightsOfMap::lanes_at(geom::Vec2 at) const {
  auto near = index_.near(at.x, at.y, 0);
  if (near.size() > kMaxLanes) near.resize(kMaxLanes);
  std::vector<std::uint32_t> out;
  for (const auto i : near) {
    const auto& lane = map_->lanes()[lanes_[i]];
    if (map::is_on_lane(lane.left.points, lane.right.points, at))
      out.push_back(lanes_[i]);
  }
  return out;
}

std::vector<LightsOfMap::Visit> LightsOfMap::visits(const Path& ego) const {
  std::vector<Visit> done, open;
  for (std::size_t k = 0; k < ego.size(); ++k) {
    const auto on = lanes_at(ego.steps[k].at);
    std::vector<Visit> still;
    for (auto visit : open) {
      const bool stays =
          ego.run[k] != k && std::binary_search(on.begin(), on.end(), visit.lane);
      (stays ? still : done).push_back(visit);
      if (stays) still.back().end = k + 1;
    }
    for (const auto lane : on) {
      const bool known = std::any_of(still.begin(), still.end(),
                                     [&](const Visit& v) { return v.lane == lane; });
      if (!known) still.push_back({lane, k, k + 1});
    }
    open = std::move(still);
  }
  done.insert(done.end(), open.begin(), open.end());
  std::sort(done.begin(), done.end(), [](const Visit& a, const Visit& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.lane < b.lane;
  });
  return done;
}

std::optional<std::size_t> LightsOfMap::crossing(const Path& ego,
                                                 const Visit& visit) const {
  const auto& line = *stops_[visit.lane];
  const std::size_t step = line.at_end ? visit.end : visit.begin;
  // Without a step before, in the same run, it is not known how it came there.
  if (step == ego.size() || ego.run[step] == step) return std::nullopt;
  if (line.at_end && !crosses(line, ego.steps[step - 1].at, ego.steps[step].at))
    return std::nullopt;
  const auto heading = heading_of(map_->lanes()[visit.lane], line.at_end);
  if (!heading || !(std::fabs(geom::angular_distance(*heading, ego.steps[step].yaw)) <=
                    kMaxAngleRad)) {
    return std::nullopt;
  }
  return step;
}

LightAtEntry LightsOfMap::find(const Path& ego, const ActiveFaces& active) const {
  if (maps_.parts() != nullptr && ego.size() > 0) {
    return LightsOfMap(maps_.at(ego.steps[0].at)).find(ego, active);
  }
  struct Crossing {
    std::size_t step, stay;
    std::uint32_t lane;
  };
  std::vector<Crossing> found;
  for (const auto& visit : visits(ego)) {
    if (const auto step = crossing(ego, visit))
      found.push_back({*step, visit.end - visit.begin, visit.lane});
  }
  if (found.empty()) return {Light::none, kNoFrame};
  std::sort(found.begin(), found.end(), [](const Crossing& a, const Crossing& b) {
    return a.step != b.step ? a.step < b.step : a.lane < b.lane;
  });
  const Crossing& first = found.front();
  const Crossing* best = &first;
  for (const auto& other : found) {
    if (ego.run[other.step] != ego.run[first.step] ||
        !(ego.seconds(first.step, other.step) <= kSameEntryS)) {
      break;
    }
    if (other.stay > best->stay) best = &other;
  }
  const auto frame = ego.steps[best->step].frame;
  const auto colours = lights_->colours(active(frame));
  return {light_of(colours[best->lane]), static_cast<std::int32_t>(frame)};
}

}  // namespace bev::facts
