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

/// Returns the heading at a lane's begin: from the middle of the first points of both
/// sides to that of the second points.
std::optional<double> heading_of(const map::Lane& lane) {
  const Line &left = lane.left.points, &right = lane.right.points;
  if (left.size() < 2 || right.size() < 2) return std::nullopt;
  return geom::atan2((left[1].y - left[0].y) + (right[1].y - right[0].y),
                     (left[1].x - left[0].x) + (right[1].x - right[0].x));
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

LightsOfMap::LightsOfMap(std::shared_ptr<const map::SemanticMap> map)
    : map_(std::move(map)), lights_(*map_) {
  std::vector<map::Box> boxes;
  for (std::uint32_t row = 0; row < map_->lanes().size(); ++row) {
    const auto& lane = map_->lanes()[row];
    const bool has_light = std::any_of(
        lane.traffic_controls.begin(), lane.traffic_controls.end(),
        [&](const std::string& id) { return map_->face_row(id).has_value(); });
    if (!has_light) continue;
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

bool LightsOfMap::is_entry(const Path& ego, const Visit& visit) const {
  if (ego.run[visit.begin] == visit.begin) return false;  // it was there already
  const auto heading = heading_of(map_->lanes()[visit.lane]);
  if (!heading) return false;
  const double yaw = ego.steps[visit.begin].yaw;
  return std::fabs(geom::angular_distance(*heading, yaw)) <= kMaxAngle;
}

LightAtEntry LightsOfMap::find(const Path& ego, const ActiveFaces& active) const {
  const Visit* first = nullptr;
  const Visit* best = nullptr;
  const auto all = visits(ego);
  for (const auto& visit : all) {
    if (!is_entry(ego, visit)) continue;
    if (first == nullptr) first = best = &visit;
    if (ego.run[visit.begin] != ego.run[first->begin] ||
        !(ego.seconds(first->begin, visit.begin) <= kSameEntryS)) {
      break;
    }
    if (visit.end - visit.begin > best->end - best->begin) best = &visit;
  }
  if (best == nullptr) return {Light::none, kNoFrame};
  const auto frame = ego.steps[best->begin].frame;
  const auto colours = lights_.colours(active(frame));
  return {light_of(colours[best->lane]), static_cast<std::int32_t>(frame)};
}

}  // namespace bev::facts
