#include "core/convert/scenarionet_export_map.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace bev::convert {
namespace {

/// Returns MetaDrive's type of a line; null for what has none.
const char* line_type_of(map::Divider divider) {
  using map::Divider;
  switch (divider) {
    case Divider::single_yellow_solid: return "ROAD_LINE_SOLID_SINGLE_YELLOW";
    case Divider::single_white_solid: return "ROAD_LINE_SOLID_SINGLE_WHITE";
    case Divider::single_yellow_dashed: return "ROAD_LINE_BROKEN_SINGLE_YELLOW";
    case Divider::single_white_dashed: return "ROAD_LINE_BROKEN_SINGLE_WHITE";
    case Divider::double_yellow_solid: return "ROAD_LINE_SOLID_DOUBLE_YELLOW";
    case Divider::double_white_solid: return "ROAD_LINE_SOLID_DOUBLE_WHITE";
    case Divider::double_yellow_solid_dashed:
    case Divider::double_yellow_dashed_solid: return "ROAD_LINE_PASSING_DOUBLE_YELLOW";
    case Divider::curb_red:
    case Divider::curb_yellow:
    case Divider::curb: return "ROAD_EDGE_BOUNDARY";
    default: return nullptr;
  }
}

const char* lane_type_of(const map::Lane& lane) {
  if (lane.access == map::Access::only_bike) return "LANE_BIKE_LANE";
  return lane.in_junction ? "LANE_SURFACE_UNSTRUCTURE" : "LANE_SURFACE_STREET";
}

/// Returns the middle of a lane's sides, at the points of the one with more.
std::vector<geom::Vec3> centre_of(const map::Lane& lane) {
  if (!lane.centre.empty()) return lane.centre;
  const auto &left = lane.left.points, &right = lane.right.points;
  const auto count = std::max(left.size(), right.size());
  std::vector<geom::Vec3> out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = [&](const auto& side) {
      return side[count > 1 ? i * (side.size() - 1) / (count - 1) : 0];
    };
    const auto a = at(left), b = at(right);
    out.push_back({(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2});
  }
  return out;
}

map::Box path_of(const scene::SceneRecords& records) {
  map::Box out;
  for (const auto& frame : records.frames) {
    const auto& p = frame.ego_translation;
    out.add({p[0] - kExportedMapM, p[1] - kExportedMapM, p[0] + kExportedMapM,
             p[1] + kExportedMapM});
  }
  return out;
}

bool overlaps(const map::Box& a, const map::Box& b) {
  return a.min_x <= b.max_x && b.min_x <= a.max_x && a.min_y <= b.max_y &&
         b.min_y <= a.max_y;
}

}  // namespace

std::string ExportFrame::id(const std::string& of) const {
  return of.starts_with(prefix) ? of.substr(prefix.size()) : of;
}

void write_points(pickle::Writer& out, std::span<const geom::Vec3> points) {
  std::vector<double> values;
  for (const auto& p : points) values.insert(values.end(), {p.x, p.y, p.z});
  const std::size_t shape[] = {points.size(), 3};
  out.array("f8", shape, std::as_bytes(std::span(values)));
}

ExportedMap::ExportedMap(const map::SemanticMap& map,
                         const scene::SceneRecords& records, ExportFrame frame)
    : map_(map), records_(records), frame_(std::move(frame)) {
  const auto around = path_of(records);
  for (const auto& lane : map.lanes()) {
    const bool has_sides = !lane.left.points.empty() && !lane.right.points.empty();
    if (!has_sides || !overlaps(lane.bounds, around)) continue;
    lanes_.push_back(&lane);
    for (const auto& next : lane.lanes_ahead) entries_[next].push_back(lane.id);
  }
  for (const auto& crosswalk : map.crosswalks()) {
    if (overlaps(crosswalk.bounds, around)) crosswalks_.push_back(&crosswalk);
  }
}

std::size_t ExportedMap::write_features(pickle::Writer& out) const {
  std::size_t count = 0;
  out.begin_dict();
  for (const auto* lane : lanes_) {
    write_lane(out, *lane);
    ++count;
    for (const auto& [side, end] :
         {std::pair(&lane->left, "/left"), std::pair(&lane->right, "/right")}) {
      const char* type =
          side->dividers.empty() ? nullptr : line_type_of(side->dividers.front());
      if (type == nullptr) continue;
      ++count;
      out.text(frame_.id(lane->id) + end);
      out.begin_dict();
      out.text("type");
      out.text(type);
      out.text("polyline");
      std::vector<geom::Vec3> points;
      for (const auto& p : side->points) points.push_back(frame_.back(p));
      write_points(out, points);
      out.end_dict();
    }
  }
  for (const auto* crosswalk : crosswalks_) {
    ++count;
    std::vector<geom::Vec3> points;
    for (const auto& p : crosswalk->outline) points.push_back(frame_.back(p));
    out.text(frame_.id(crosswalk->id));
    out.begin_dict();
    out.text("type");
    out.text("CROSSWALK");
    out.text("polygon");
    write_points(out, points);
    out.end_dict();
  }
  out.end_dict();
  return count;
}

void ExportedMap::write_lane(pickle::Writer& out, const map::Lane& lane) const {
  const auto ids = [&](const char* key, const std::vector<std::string>& of) {
    out.text(key);
    out.begin_list();
    for (const auto& id : of) out.text(frame_.id(id));
    out.end_list();
  };
  const auto one = [](const std::string& id) {
    return id.empty() ? std::vector<std::string>{} : std::vector<std::string>{id};
  };
  std::vector<geom::Vec3> centre = centre_of(lane), ring = lane.right.points;
  ring.insert(ring.end(), lane.left.points.rbegin(), lane.left.points.rend());
  ring.push_back(ring.front());
  for (auto* line : {&centre, &ring}) {
    for (auto& p : *line) p = frame_.back(p);
  }
  out.text(frame_.id(lane.id));
  out.begin_dict();
  out.text("type");
  out.text(lane_type_of(lane));
  out.text("polyline");
  write_points(out, centre);
  out.text("polygon");
  write_points(out, ring);
  const auto entries = entries_.find(lane.id);
  ids("entry_lanes",
      entries == entries_.end() ? std::vector<std::string>{} : entries->second);
  ids("exit_lanes", lane.lanes_ahead);
  ids("left_neighbor", one(lane.adjacent_left));
  ids("right_neighbor", one(lane.adjacent_right));
  if (const auto limit = map_.speed_limit_mps(lane)) {
    out.text("speed_limit_kmh");
    out.real(double{*limit} * 3.6);
  }
  out.end_dict();
}

/// Returns the state of a lane's light at each step; null for None.
std::vector<const char*> ExportedMap::states_of(const map::Lane& lane) const {
  static constexpr std::array kColours = {"TRAFFIC_LIGHT_RED", "TRAFFIC_LIGHT_GREEN",
                                          "TRAFFIC_LIGHT_YELLOW"};
  std::unordered_map<std::string_view, map::Colour> colours;
  for (const auto& id : lane.traffic_controls) {
    const auto row = map_.face_row(id);
    if (row) colours.emplace(id, map_.faces()[*row].colour);
  }
  std::vector<const char*> out(records_.frames.size(), nullptr);
  if (colours.empty()) return out;
  for (std::size_t step = 0; step < out.size(); ++step) {
    const auto& rows = records_.frames[step].traffic_light_faces_index_interval;
    for (auto i = rows.begin; i < rows.end; ++i) {
      const auto& face = records_.faces[static_cast<std::size_t>(i)];
      const auto colour = colours.find(face.face_id);
      if (colour == colours.end()) continue;
      if (out[step] == nullptr) out[step] = "TRAFFIC_LIGHT_UNKNOWN";
      const auto& status = face.traffic_light_face_status;
      if (status[0] > status[1] && status[0] > status[2]) {
        out[step] = kColours[static_cast<std::size_t>(colour->second)];
        break;
      }
    }
  }
  return out;
}

std::uint64_t ExportedMap::rows_without_lane() const {
  std::unordered_set<std::string_view> known;
  for (const auto* lane : lanes_) {
    known.insert(lane->traffic_controls.begin(), lane->traffic_controls.end());
  }
  const auto& rows = records_.faces;
  return static_cast<std::uint64_t>(
      std::count_if(rows.begin(), rows.end(),
                    [&](const auto& face) { return !known.contains(face.face_id); }));
}

std::size_t ExportedMap::write_lights(pickle::Writer& out) const {
  std::size_t count = 0;
  out.begin_dict();
  for (const auto* lane : lanes_) {
    if (lane->traffic_controls.empty()) continue;
    const auto states = states_of(*lane);
    const auto is_none = [](const char* state) { return state == nullptr; };
    if (std::all_of(states.begin(), states.end(), is_none)) continue;
    ++count;
    const auto id = frame_.id(lane->id);
    std::optional<geom::Vec3> position;
    for (const auto& light : map_.lights()) {
      const auto& faces = light.faces;
      const bool is_it = std::find(faces.begin(), faces.end(),
                                   lane->traffic_controls.front()) != faces.end();
      if (is_it) position = light.position;
    }
    const auto stop = frame_.back(position.value_or(centre_of(*lane).back()));
    const double values[] = {stop.x, stop.y, stop.z};
    const std::size_t shape[] = {3};
    out.text(id);
    out.begin_dict();
    out.text("type");
    out.text("TRAFFIC_LIGHT");
    out.text("state");
    out.begin_dict();
    out.text("object_state");
    out.begin_list();
    for (const char* state : states) state == nullptr ? out.none() : out.text(state);
    out.end_list();
    out.end_dict();
    out.text("lane");
    out.text(id);
    out.text("stop_point");
    out.array("f8", shape, std::as_bytes(std::span(values)));
    out.text("metadata");
    out.begin_dict();
    out.text("type");
    out.text("TRAFFIC_LIGHT");
    out.text("object_id");
    out.text(id);
    out.text("track_length");
    out.integer(std::ssize(states));
    out.end_dict();
    out.end_dict();
  }
  out.end_dict();
  return count;
}

}  // namespace bev::convert
