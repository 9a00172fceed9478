#include "core/convert/nuscenes_map.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/convert/arc_lines.hpp"
#include "core/convert/divider_types.hpp"
#include "core/convert/json_items.hpp"
#include "core/convert/lane_sides.hpp"
#include "core/geom/trig.hpp"

namespace bev::convert {
namespace {

using geom::Vec3;
using map::Divider;
using nlohmann::json;

constexpr double kFarthestNodeM = 1e6;
constexpr double kStepM = 1;  // between points of a centre line
constexpr double kUsualLaneM = 3.5, kMinLaneM = 1, kMaxLaneM = 20;
constexpr std::size_t kMaxMapPoints = 5'000'000;

constexpr std::pair<std::string_view, map::Colour> kBulbs[] = {
    {"RED", map::Colour::red},
    {"YELLOW", map::Colour::yellow},
    {"GREEN", map::Colour::green}};

bool is_within(const std::vector<Vec3>& line, const NuscenesMap::Area& area) {
  NuscenesMap::Area own = {kFarthestNodeM * 2, -kFarthestNodeM * 2, kFarthestNodeM * 2,
                           -kFarthestNodeM * 2};
  for (const auto& p : line) {
    own = {std::min(own[0], p.x), std::max(own[1], p.x), std::min(own[2], p.y),
           std::max(own[3], p.y)};
  }
  return own[0] <= area[1] && area[0] <= own[1] && own[2] <= area[3] &&
         area[2] <= own[3];
}

}  // namespace

/// Fills a map from the layers of a file, in which nodes may follow what names them.
class NuscenesMapReader {
 public:
  NuscenesMapReader(NuscenesMap& out, const Tables& tables)
      : out_(out), tables_(tables) {}

  void run(std::string_view text) {
    JsonItems items(JsonItems::Root::object, [this](const auto& item) { add(item); });
    items.push(text);
    items.end();
    thing_ = "lane ";
    for (auto& lane : lanes_) add_lane(lane);
    set_connector_sides();
    add_crosswalks();
  }

 private:
  struct DividerPart {
    std::string from;  // node
    Divider type = Divider::unknown;
  };
  struct Lane {
    std::string token, polygon;
    bool is_connector = false;
    std::vector<DividerPart> left, right;
  };
  struct Crossing {
    std::string token, polygon;
  };

  [[noreturn]] void invalid(Message problem) const {
    fail(Errc::invalid_metadata, {"map: ", thing_, ": ", joined(problem)});
  }

  static const json* find(const json& record, const char* name) {
    const auto found = record.is_object() ? record.find(name) : record.end();
    return record.is_object() && found != record.end() ? &*found : nullptr;
  }

  const std::string& text_of(const json& value, const char* what) const {
    const auto* out = value.get_ptr<const std::string*>();
    if (out == nullptr) invalid({what, ": not a text"});
    return *out;
  }

  std::string text(const json& record, const char* name) const {
    const auto* value = find(record, name);
    if (value == nullptr) invalid({"no ", name});
    return text_of(*value, name);
  }

  double number(const json& record, const char* name) const {
    const auto* value = find(record, name);
    return number_of(value == nullptr ? json() : *value, name);
  }

  double number_of(const json& value, const char* name) const {
    const double out = value.is_number() ? value.get<double>() : std::nan("");
    if (!(std::abs(out) <= kFarthestNodeM))
      invalid({name, ": not a number in its range"});
    return out;
  }

  /// Returns a list; an absent one is empty.
  json list(const json& record, const char* name) const {
    const auto* value = find(record, name);
    if (value == nullptr || value->is_null()) return json::array();
    if (!value->is_array()) invalid({name, ": not a list"});
    return *value;
  }

  void check_unique(const std::string& id) {
    if (!ids_.insert(id).second) invalid({"token is not unique"});
  }

  void take(std::size_t count) {
    if (count > left_) fail(Errc::limit_exceeded, {"map: too many points"});
    left_ -= count;
  }

  void add(const JsonItems::Item& item) {
    using Adder = void (NuscenesMapReader::*)(const json&, const std::string&);
    constexpr std::pair<std::string_view, Adder> kLayers[] = {
        {"node", &NuscenesMapReader::read_node},
        {"polygon", &NuscenesMapReader::read_polygon},
        {"lane", &NuscenesMapReader::read_lane},
        {"lane_connector", &NuscenesMapReader::read_connector},
        {"arcline_path_3", &NuscenesMapReader::read_path},
        {"connectivity", &NuscenesMapReader::read_links},
        {"ped_crossing", &NuscenesMapReader::read_crossing},
        {"traffic_light", &NuscenesMapReader::read_light}};
    for (const auto& [name, adder] : kLayers) {
      if (name != item.section) continue;
      if (layer_ != name) count_ = 0;
      layer_ = name;
      thing_ = std::string(name) + " " + std::to_string(count_++);
      bool is_too_deep = false;
      const auto record = parse_json_tree(item.text, is_too_deep);
      if (!record) invalid({"not JSON"});
      (this->*adder)(*record, std::string(item.key));
    }
  }

  void read_node(const json& record, const std::string&) {
    take(1);
    nodes_[text(record, "token")] = {number(record, "x"), number(record, "y"), 0};
  }

  void read_polygon(const json& record, const std::string&) {
    auto& nodes = polygons_[text(record, "token")];
    for (const auto& one : list(record, "exterior_node_tokens")) {
      take(1);
      nodes.push_back(text_of(one, "exterior_node_tokens"));
    }
  }

  void read_lane(const json& record, const std::string&) {
    Lane lane{text(record, "token"), text(record, "polygon_token"), false, {}, {}};
    lane.left = parts(record, "left_lane_divider_segments");
    lane.right = parts(record, "right_lane_divider_segments");
    lanes_.push_back(std::move(lane));
  }

  void read_connector(const json& record, const std::string&) {
    lanes_.push_back({text(record, "token"), "", true, {}, {}});
  }

  std::vector<DividerPart> parts(const json& record, const char* name) {
    std::vector<DividerPart> out;
    for (const auto& one : list(record, name)) {
      take(1);
      out.push_back(
          {text(one, "node_token"), nuscenes_divider(text(one, "segment_type"))});
    }
    return out;
  }

  void read_path(const json& record, const std::string& lane) {
    if (!record.is_array()) invalid({"not a list of paths"});
    auto& line = paths_[lane];
    for (const auto& one : record) {
      ArcLine path;
      const auto start = list(one, "start_pose"), lengths = list(one, "segment_length");
      if (start.size() != 3 || lengths.size() != 3) invalid({"not a path"});
      for (std::size_t i = 0; i < 3; ++i) {
        path.start[i] = number_of(start[i], "start_pose");
        path.lengths[i] = number_of(lengths[i], "segment_length");
      }
      path.shape = text(one, "shape");
      path.radius = number(one, "radius");
      for (const auto& p : points(path)) {
        take(1);
        const bool is_joint = !line.empty() && geom::hypot(p.x - line.back().x,
                                                           p.y - line.back().y) < 1e-6;
        if (!is_joint) line.push_back(p);
      }
    }
  }

  std::vector<Vec3> points(const ArcLine& path) const {
    try {
      return points_of(path, kStepM);
    } catch (const Error& error) {
      invalid({error.what()});
    }
  }

  void read_links(const json& record, const std::string& lane) {
    auto& ahead = ahead_[lane];
    for (const auto& one : list(record, "outgoing")) {
      take(1);
      ahead.push_back(text_of(one, "outgoing"));
    }
  }

  void read_crossing(const json& record, const std::string&) {
    crossings_.push_back({text(record, "token"), text(record, "polygon_token")});
  }

  void read_light(const json& record, const std::string&) {
    SourceLight light;
    light.id = text(record, "token");
    const auto* pose = find(record, "pose");
    if (pose == nullptr) invalid({"no pose"});
    light.position =
        Vec3{number(*pose, "tx"), number(*pose, "ty"), number(*pose, "tz")};
    for (const auto& item : list(record, "items")) {
      const auto colour = text(item, "color");
      for (const auto& [name, known] : kBulbs) {
        if (name != colour) continue;
        light.faces.push_back(
            {light.id + "/" + std::to_string(light.faces.size()), known});
      }
    }
    check_unique(light.id);
    out_.lights_.push_back(std::move(light));
  }

  std::vector<Vec3> outline(const std::string& polygon) const {
    const auto found = polygons_.find(polygon);
    if (found == polygons_.end()) invalid({"polygon ", polygon, " is not in the map"});
    std::vector<Vec3> out;
    for (const auto& token : found->second) out.push_back(node(token));
    return out;
  }

  const Vec3& node(const std::string& token) const {
    const auto found = nodes_.find(token);
    if (found == nodes_.end()) invalid({"node ", token, " is not in the map"});
    return found->second;
  }

  double half_width(const char* type) const {
    const auto found = tables_.lane_widths_m.find(type);
    return (found == tables_.lane_widths_m.end() ? kUsualLaneM : found->second) / 2;
  }

  void add_lane(const Lane& from) {
    thing_ = "lane " + from.token;
    check_unique(from.token);
    const auto path = paths_.find(from.token);
    if (path == paths_.end() || !has_direction(path->second)) return;
    SourceLane lane;
    lane.id = from.token;
    lane.centre = std::move(path->second);
    path->second.clear();
    lane.access = map::Access::no_restriction;
    lane.in_junction = from.is_connector;
    if (from.is_connector) lane.turn = turn_of(ends_of(lane.centre));
    if (const auto ahead = ahead_.find(from.token); ahead != ahead_.end()) {
      lane.ahead = ahead->second;
    }
    bool is_from_width = from.is_connector;
    if (!from.is_connector) {
      auto sides = maker_.divide(lane.centre, outline(from.polygon));
      is_from_width = !sides;
      if (sides) {
        lane.left = std::move(sides->left);
        lane.right = std::move(sides->right);
      } else {
        set_sides(lane, half_width("lane"));
      }
      set_divider(from.left, lane.left, lane.left_divider, lane.left_changes);
      set_divider(from.right, lane.right, lane.right_divider, lane.right_changes);
    }
    out_.has_width_side_.push_back(is_from_width);
    out_.lanes_.push_back(std::move(lane));
  }

  void set_sides(SourceLane& lane, double half) {
    lane.left = maker_.make(lane.centre, {}, Hand::left, half).points;
    lane.right = maker_.make(lane.centre, {}, Hand::right, half).points;
  }

  /// Sets the divider types of a side.
  void set_divider(const std::vector<DividerPart>& parts, const std::vector<Vec3>& side,
                   Divider& first, std::vector<DividerChange>& changes) {
    left_comparisons_ -=
        std::min<std::uint64_t>(left_comparisons_, parts.size() * side.size());
    if (left_comparisons_ == 0) fail(Errc::limit_exceeded, {"map: too many dividers"});
    std::vector<DividerNode> nodes;
    for (const auto& part : parts) nodes.push_back({node(part.from), part.type});
    auto types = divider_types(nodes, side);
    first = types.first;
    changes = std::move(types.changes);
  }

  void set_connector_sides() {
    std::unordered_map<std::string, double> widths;
    for (const auto& lane : out_.lanes_) {
      if (lane.in_junction) continue;
      const auto &a = lane.left.back(), &b = lane.right.back();
      const double width = geom::hypot(a.x - b.x, a.y - b.y);
      if (width < kMinLaneM || width > kMaxLaneM) continue;
      for (const auto& ahead : lane.ahead) widths.emplace(ahead, width);
    }
    for (auto& lane : out_.lanes_) {
      if (!lane.in_junction) continue;
      const auto width = widths.find(lane.id);
      set_sides(lane, width == widths.end() ? half_width("lane_connector")
                                            : width->second / 2);
    }
  }

  void add_crosswalks() {
    for (const auto& crossing : crossings_) {
      thing_ = "ped_crossing " + crossing.token;
      auto points = outline(crossing.polygon);
      if (points.size() > 1 && points.front() == points.back()) points.pop_back();
      if (points.size() < 3) continue;
      check_unique(crossing.token);
      out_.crosswalks_.push_back({crossing.token, std::move(points)});
    }
  }

  NuscenesMap& out_;
  const Tables& tables_;
  std::string thing_;
  std::string_view layer_;
  std::size_t count_ = 0, left_ = kMaxMapPoints;
  std::uint64_t left_comparisons_ = kMaxComparisons;
  std::unordered_map<std::string, Vec3> nodes_;
  std::unordered_map<std::string, std::vector<std::string>> polygons_, ahead_;
  std::unordered_map<std::string, std::vector<Vec3>> paths_;
  std::unordered_set<std::string> ids_;  // of elements
  std::vector<Lane> lanes_;
  std::vector<Crossing> crossings_;
  SideMaker maker_;
};

NuscenesMap::NuscenesMap(std::string_view json, const Tables& tables) {
  NuscenesMapReader(*this, tables).run(json);
}

SourceMap NuscenesMap::within(const Area& area, double dx) const {
  const auto moved = [&](std::vector<Vec3> line) {
    for (auto& p : line) p.x += dx;
    return line;
  };
  SourceMap out;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto& from = lanes_[i];
    if (!is_within(from.left, area) && !is_within(from.right, area)) continue;
    auto lane = from;
    lane.left = moved(std::move(lane.left));
    lane.right = moved(std::move(lane.right));
    lane.centre = moved(std::move(lane.centre));
    if (has_width_side_[i]) ++out.lost["lane side from width"];
    out.lanes.push_back(std::move(lane));
  }
  for (const auto& crosswalk : crosswalks_) {
    if (!is_within(crosswalk.outline, area)) continue;
    out.crosswalks.push_back({crosswalk.id, moved(crosswalk.outline)});
  }
  for (const auto& light : lights_) {
    if (!is_within({*light.position}, area)) continue;
    out.lights.push_back(light);
    out.lights.back().position->x += dx;
  }
  return out;
}

}  // namespace bev::convert
