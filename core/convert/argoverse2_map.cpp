#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/convert/argoverse2.hpp"
#include "core/convert/lane_sides.hpp"

namespace bev::convert {
namespace {

using map::Access;
using map::Divider;
using nlohmann::json;

constexpr std::size_t kMaxMapBytes = std::size_t{16} << 20U;
constexpr double kFarthestOnMapM = 1e6;

/// Reads the members of one record; `thing` names it in messages.
struct Record {
  std::string thing;
  const json& value;

  [[noreturn]] void invalid(Message problem) const {
    fail(Errc::invalid_metadata, {"map: ", thing, ": ", joined(problem)});
  }

  const json& member(const char* name) const {
    if (!value.is_object()) invalid({"not an object"});
    const auto found = value.find(name);
    if (found == value.end()) invalid({name, " not found"});
    return *found;
  }

  double coordinate(const json& point, const char* line, const char* axis) const {
    const auto found = point.is_object() ? point.find(axis) : point.end();
    const bool is_number =
        point.is_object() && found != point.end() && found->is_number();
    const double number = is_number ? found->get<double>() : std::nan("");
    if (!(std::abs(number) <= kFarthestOnMapM)) {
      invalid({line, ": coordinate ", axis, " is not a number within 1000 km"});
    }
    return number;
  }

  std::vector<geom::Vec3> line(const char* name, std::size_t min_points) const {
    const json& points = member(name);
    if (!points.is_array() || points.size() < min_points) {
      invalid({name, ": must be at least ", min_points, " points"});
    }
    std::vector<geom::Vec3> out;
    out.reserve(points.size());
    for (const json& point : points) {
      out.push_back({coordinate(point, name, "x"), coordinate(point, name, "y"),
                     coordinate(point, name, "z")});
    }
    return out;
  }

  std::string id(const json& id, const char* name) const {
    if (!id.is_number_integer()) {
      invalid({name, ": not an integer (found ", id.type_name(), ")"});
    }
    return id.dump();
  }

  std::string id_or_null(const char* name) const {
    const json& found = member(name);
    return found.is_null() ? std::string() : id(found, name);
  }

  std::vector<std::string> ids(const char* name) const {
    const json& list = member(name);
    if (!list.is_array()) invalid({name, ": not an array"});
    std::vector<std::string> out;
    for (const json& one : list) out.push_back(id(one, name));
    return out;
  }

  const std::string& text(const char* name) const {
    const json& found = member(name);
    if (!found.is_string()) invalid({name, ": not a string"});
    return found.get_ref<const std::string&>();
  }
};

/// A mark of a lane's side. Of mixed marks the first word is the line nearer to the
/// lane; L5Kit's types exist for yellow ones only.
struct Mark {
  std::string_view name;
  Divider divider;
  bool can_cross;  ///< the nearer line is dashed
};

constexpr Mark kMarks[] = {
    {"DASH_SOLID_YELLOW", Divider::double_yellow_solid_dashed, true},
    {"DASH_SOLID_WHITE", Divider::double_white_solid, true},
    {"DASHED_WHITE", Divider::single_white_dashed, true},
    {"DASHED_YELLOW", Divider::single_yellow_dashed, true},
    {"DOUBLE_SOLID_YELLOW", Divider::double_yellow_solid, false},
    {"DOUBLE_SOLID_WHITE", Divider::double_white_solid, false},
    {"DOUBLE_DASH_YELLOW", Divider::single_yellow_dashed, true},
    {"DOUBLE_DASH_WHITE", Divider::single_white_dashed, true},
    {"SOLID_YELLOW", Divider::single_yellow_solid, false},
    {"SOLID_WHITE", Divider::single_white_solid, false},
    {"SOLID_DASH_WHITE", Divider::double_white_solid, false},
    {"SOLID_DASH_YELLOW", Divider::double_yellow_dashed_solid, false},
    {"SOLID_BLUE", Divider::unknown, false},
    {"NONE", Divider::none, false},
    {"UNKNOWN", Divider::unknown, false},
};

constexpr std::string_view kApproximated[] = {"DASH_SOLID_WHITE", "SOLID_DASH_WHITE",
                                              "DOUBLE_DASH_YELLOW", "DOUBLE_DASH_WHITE",
                                              "SOLID_BLUE"};

const Mark& mark_of(const Record& lane, const char* name, SourceMap& out) {
  const std::string& text = lane.text(name);
  const auto found = std::find_if(std::begin(kMarks), std::end(kMarks),
                                  [&](const Mark& mark) { return mark.name == text; });
  if (found == std::end(kMarks)) {
    lane.invalid({name, ": unknown mark type (found \"", text, "\")"});
  }
  if (std::find(std::begin(kApproximated), std::end(kApproximated), text) !=
      std::end(kApproximated)) {
    ++out.lost["mark type " + text];
  }
  return *found;
}

Access access_of(const Record& lane) {
  const std::string& type = lane.text("lane_type");
  if (type == "VEHICLE") return Access::no_restriction;
  if (type == "BUS") return Access::only_bus;
  if (type == "BIKE") return Access::only_bike;
  lane.invalid(
      {"lane_type: unknown type (found \"", type, "\", expected VEHICLE, BIKE, BUS)"});
}

Ends ends_of_sides(const SourceLane& lane) {
  const Ends left = ends_of(lane.left), right = ends_of(lane.right);
  return {{left.first.x + right.first.x, left.first.y + right.first.y},
          {left.last.x + right.last.x, left.last.y + right.last.y}};
}

SourceLane lane_of(const Record& record, SourceMap& out) {
  SourceLane lane;
  lane.id = record.id(record.member("id"), "id");
  lane.left = record.line("left_lane_boundary", 2);
  lane.right = record.line("right_lane_boundary", 2);
  const json& inside = record.member("is_intersection");
  if (!inside.is_boolean()) record.invalid({"is_intersection: not a boolean"});
  lane.in_junction = inside.get<bool>();
  const Mark& left = mark_of(record, "left_lane_mark_type", out);
  const Mark& right = mark_of(record, "right_lane_mark_type", out);
  const auto can_cross = [&](const Mark& mark) {
    return mark.can_cross || (mark.divider == Divider::none && !lane.in_junction);
  };
  lane.left_divider = left.divider;
  lane.right_divider = right.divider;
  lane.can_cross_left = can_cross(left);
  lane.can_cross_right = can_cross(right);
  lane.left_neighbour = record.id_or_null("left_neighbor_id");
  lane.right_neighbour = record.id_or_null("right_neighbor_id");
  lane.ahead = record.ids("successors");
  static_cast<void>(record.ids("predecessors"));
  lane.access = access_of(record);
  if (record.value.contains("centerline")) lane.centre = record.line("centerline", 2);
  if (lane.in_junction) {
    lane.turn =
        turn_of(lane.centre.empty() ? ends_of_sides(lane) : ends_of(lane.centre));
  }
  return lane;
}

SourceCrosswalk crosswalk_of(const Record& record) {
  const auto first = record.line("edge1", 2), second = record.line("edge2", 2);
  if (first.size() != 2 || second.size() != 2) {
    record.invalid({"edge1 and edge2 must have 2 points each"});
  }
  return {record.id(record.member("id"), "id"),
          {first[0], first[1], second[1], second[0]}};
}

const json& section(const json& root, const char* name) {
  const auto found = root.find(name);
  if (found == root.end() || !found->is_object()) {
    fail(Errc::invalid_metadata, {"map: ", name, " not found"});
  }
  return *found;
}

template <class Take>
void each(const json& section, const char* kind, Take take) {
  for (const auto& [key, value] : section.items()) {
    const Record record{std::string(kind) + " " + key, value};
    if (record.id(record.member("id"), "id") != key) {
      record.invalid({"id differs from its key"});
    }
    take(record);
  }
}

}  // namespace

SourceMap parse_argoverse2_map(std::string_view text, std::string_view city,
                               const Tables& tables) {
  if (text.size() > kMaxMapBytes) {
    fail(Errc::limit_exceeded, {"map: too large (found ", text.size(),
                                " bytes, expected at most ", kMaxMapBytes, ")"});
  }
  const auto origin = tables.cities.find(city);
  if (origin == tables.cities.end()) {
    fail(Errc::not_found,
         {"map: origin of city \"", city, "\" is unknown; add it to the tables"});
  }
  bool too_deep = false;
  const auto root = parse_json_tree(text, too_deep);
  if (!root || !root->is_object()) {
    fail(Errc::invalid_metadata, {"map: not a JSON object"});
  }
  SourceMap out;
  out.frame = origin->second;
  each(section(*root, "lane_segments"), "lane",
       [&](const Record& record) { out.lanes.push_back(lane_of(record, out)); });
  each(section(*root, "pedestrian_crossings"), "crossing",
       [&](const Record& record) { out.crosswalks.push_back(crosswalk_of(record)); });
  if (const auto areas = root->find("drivable_areas"); areas != root->end()) {
    if (!areas->empty()) out.lost["drivable area"] += areas->size();
  }
  return out;
}

}  // namespace bev::convert
