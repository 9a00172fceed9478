#include "core/convert/city_map.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/lane_areas.hpp"
#include "core/geom/geodesy.hpp"
#include "core/map/map_writer.hpp"

namespace bev::convert {
namespace {

constexpr const char* kSegmentId = "segment";

/// New names of the lanes that a map renames.
using Names = std::unordered_map<std::string, std::string>;

std::string renamed(const Names& names, const std::string& id) {
  const auto found = names.find(id);
  return found == names.end() ? id : found->second;
}

/// Returns the vector between the ends of a lane's centre line.
geom::Vec2 end_to_end(const SourceLane& lane) {
  const auto &left = lane.left, &right = lane.right;
  return {left.back().x + right.back().x - left.front().x - right.front().x,
          left.back().y + right.back().y - left.front().y - right.front().y};
}

geom::Affine3 ecef_from_world(const map::RawFrame& frame) {
  return geom::ecef_from_enu({frame.lat_e7 / 1e7, frame.lng_e7 / 1e7, 0});
}

map::RawBoundary boundary(const std::vector<geom::Vec3>& line, map::Divider divider,
                          const std::vector<DividerChange>& changes) {
  map::RawBoundary out;
  out.line = map::steps_along(line, {});
  out.dividers.push_back(static_cast<std::uint64_t>(divider));
  for (const auto& change : changes) {
    out.dividers.push_back(static_cast<std::uint64_t>(change.divider));
    out.type_change_point_cm.push_back(change.at_cm);
  }
  return out;
}

/// Adds the values of a list that another one lacks.
void unite(std::vector<std::string>& kept, const std::vector<std::string>& added) {
  for (const auto& id : added) {
    if (std::find(kept.begin(), kept.end(), id) == kept.end()) kept.push_back(id);
  }
}

/// Adds the successors and neighbours of a lane of one map.
void unite_links(SourceLane& kept, const SourceLane& lane, const Names& names) {
  std::vector<std::string> ahead;
  for (const auto& id : lane.ahead) ahead.push_back(renamed(names, id));
  unite(kept.ahead, ahead);
  unite(kept.faces, lane.faces);
  if (kept.left_neighbour.empty()) {
    kept.left_neighbour = renamed(names, lane.left_neighbour);
  }
  if (kept.right_neighbour.empty()) {
    kept.right_neighbour = renamed(names, lane.right_neighbour);
  }
}

}  // namespace

void check_frame(const std::optional<map::RawFrame>& known, const SourceMap& map,
                 const std::string& name) {
  if (!known ||
      (known->lat_e7 == map.frame.lat_e7 && known->lng_e7 == map.frame.lng_e7)) {
    return;
  }
  fail(Errc::invalid_argument,
       {"map: scenario ", name,
        " is in the frame of another city; a data set has the map of one city"});
}

std::string meta_json_of(const map::RawFrame& frame,
                         std::span<const map::MapPart> parts) {
  return map::meta_json(ecef_from_world(frame), std::nullopt, parts);
}

bool CityMap::is_equal(const Variant& known, const SourceLane& lane) const {
  if (!known.is_lane) return false;
  const auto& kept = lanes_[known.row];
  return kept.left == lane.left && kept.right == lane.right &&
         kept.centre == lane.centre && kept.left_divider == lane.left_divider &&
         kept.right_divider == lane.right_divider &&
         kept.left_changes == lane.left_changes &&
         kept.right_changes == lane.right_changes && kept.access == lane.access &&
         kept.in_junction == lane.in_junction;
}

bool CityMap::is_equal(const Variant& known, const SourceCrosswalk& crosswalk) const {
  return !known.is_lane && crosswalks_[known.row].outline == crosswalk.outline;
}

/// Returns the equal element that was added before, or registers a new one.
template <class Element>
CityMap::Placed CityMap::place_element(const Element& element, const std::string& map) {
  constexpr bool kIsLane = std::is_same_v<Element, SourceLane>;
  auto& variants = variants_[element.id];
  for (const auto& known : variants) {
    if (!is_equal(known, element)) continue;
    ++counts_.duplicates;
    return {known, false};
  }
  Variant added{kIsLane, kIsLane ? lanes_.size() : crosswalks_.size(), element.id};
  const std::optional<std::size_t> lane_row =
      kIsLane ? std::optional(added.row) : std::nullopt;
  for (std::size_t attempt = 1; !ids_.emplace(added.id, lane_row).second; ++attempt) {
    added.id = element.id + "@" + map;
    if (attempt > 1) added.id += "@" + std::to_string(attempt);
  }
  if (added.id != element.id) ++counts_.renamed;
  variants.push_back(added);
  return {added, true};
}

void CityMap::note_rounding(const std::vector<geom::Vec3>& line) {
  for (const auto& p : line) {
    for (const double metres : {p.x, p.y, p.z}) {
      const double rounded = std::floor(metres * 100 + 0.5) / 100;
      counts_.max_rounding_m =
          std::max(counts_.max_rounding_m, std::abs(rounded - metres));
    }
  }
}

void CityMap::add(const SourceMap& map, const std::string& name) {
  check_frame(frame_, map, name);
  check_lights(map, name);
  frame_ = map.frame;
  Names names;
  std::vector<std::size_t> rows;
  for (const auto& lane : map.lanes) {
    const auto placed = place_element(lane, name);
    if (placed.variant.id != lane.id) names[lane.id] = placed.variant.id;
    rows.push_back(placed.variant.row);
    if (!placed.is_new) continue;
    lanes_.push_back(lane);
    lanes_.back().id = placed.variant.id;
    lanes_.back().faces.clear();
    lanes_.back().ahead.clear();  // united below, when all names are known
    lanes_.back().left_neighbour.clear();
    lanes_.back().right_neighbour.clear();
    note_rounding(lane.left);
    note_rounding(lane.right);
    note_rounding(lane.centre);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    unite_links(lanes_[rows[i]], map.lanes[i], names);
  }
  for (const auto& crosswalk : map.crosswalks) {
    const auto placed = place_element(crosswalk, name);
    if (!placed.is_new) continue;
    crosswalks_.push_back({placed.variant.id, crosswalk.outline});
    note_rounding(crosswalk.outline);
  }
  for (const auto& light : map.lights) {
    if (!light_rows_.emplace(light.id, lights_.size()).second) continue;
    lights_.push_back(light);
    if (light.position) note_rounding({*light.position});
  }
  counts_.lanes = lanes_.size();
  counts_.crosswalks = crosswalks_.size();
  counts_.lights = lights_.size();
}

/// Throws for a light that differs from a known one, before anything is added.
void CityMap::check_lights(const SourceMap& map, const std::string& name) const {
  for (const auto& light : map.lights) {
    const auto found = light_rows_.find(light.id);
    if (found == light_rows_.end() || lights_[found->second] == light) continue;
    fail(Errc::invalid_argument,
         {"map: light ", light.id, " of scenario ", name, " differs from another one"});
  }
}

void CityMap::write_lights(map::MapWriter& out) const {
  for (const auto& light : lights_) {
    map::LightRecord record{*frame_, {}, {}};
    if (light.position) record.position = map::steps_along({{*light.position}}, {});
    for (const auto& face : light.faces) {
      record.faces.push_back(face.id);
      out.add(face.id, map::FaceRecord{*frame_, face.colour});
    }
    out.add(light.id, record);
  }
}

const SourceLane* CityMap::lane(const std::string& id) const {
  const auto found = ids_.find(id);
  const bool is_lane = found != ids_.end() && found->second;
  return is_lane ? &lanes_[*found->second] : nullptr;
}

/// Returns the neighbour's id if changing to it is allowed, else "".
std::string CityMap::lane_change(const SourceLane& from, const std::string& neighbour,
                                 bool can_cross) const {
  const SourceLane* to = can_cross ? lane(neighbour) : nullptr;
  if (to == nullptr) return {};
  const auto a = end_to_end(from), b = end_to_end(*to);
  return a.x * b.x + a.y * b.y > 0 ? neighbour : std::string();
}

/// Returns for each lane the id of its junction, or "".
std::vector<std::string> CityMap::junctions() const {
  std::vector<std::size_t> rows;
  std::vector<Area> areas;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (!lanes_[i].in_junction) continue;
    rows.push_back(i);
    areas.push_back(area_between(lanes_[i].left, lanes_[i].right));
  }
  const auto groups = groups_of(areas);
  std::vector<std::string> out(lanes_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out[rows[i]] = "junction/" + lanes_[rows[groups[i]]].id;
  }
  return out;
}

map::RawLane CityMap::encoded(const SourceLane& lane, const std::string& parent) const {
  map::RawLane out;
  out.parent = parent;
  out.frame = *frame_;
  out.left = boundary(lane.left, lane.left_divider, lane.left_changes);
  out.right = boundary(lane.right, lane.right_divider, lane.right_changes);
  out.centre.line = map::steps_along(lane.centre, {});
  out.lanes_ahead = lane.ahead;
  out.traffic_controls = lane.faces;
  out.adjacent_left = lane_change(lane, lane.left_neighbour, lane.can_cross_left);
  out.adjacent_right = lane_change(lane, lane.right_neighbour, lane.can_cross_right);
  out.access = static_cast<std::uint64_t>(lane.access);
  if (lane.in_junction) out.turn = static_cast<std::uint64_t>(lane.turn);
  return out;
}

std::string CityMap::semantic_map() {
  if (!frame_) fail(Errc::invalid_argument, {"map: no scenario was added"});
  map::MapWriter out("bevscope");
  write(out);
  return out.take();
}

void CityMap::write(map::MapWriter& out, const std::string& prefix) {
  const auto parents = junctions();
  const std::string segment_id = prefix + kSegmentId;
  std::map<std::string, map::JunctionRecord> junctions;
  map::SegmentRecord segment;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const bool is_inside = !parents[i].empty();
    out.add(lanes_[i].id, encoded(lanes_[i], is_inside ? parents[i] : segment_id));
    auto& members = is_inside ? junctions[parents[i]].lanes : segment.lanes;
    members.push_back(lanes_[i].id);
  }
  for (const auto& crosswalk : crosswalks_) {
    out.add(crosswalk.id,
            map::CrosswalkRecord{*frame_, map::steps_along(crosswalk.outline, {}), {}});
  }
  write_lights(out);
  for (auto& [id, junction] : junctions) {
    junction.is_non_trivial_intersection = true;
    out.add(id, junction);
  }
  if (!segment.lanes.empty()) out.add(segment_id, segment);
  counts_.junctions = junctions.size();
}

std::string CityMap::meta_json() const {
  if (!frame_) fail(Errc::invalid_argument, {"map: no scenario was added"});
  return meta_json_of(*frame_);
}

}  // namespace bev::convert
