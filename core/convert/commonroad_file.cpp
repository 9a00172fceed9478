#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "core/base/error.hpp"
#include "core/convert/commonroad.hpp"
#include "core/convert/commonroad_tables.hpp"
#include "core/convert/lane_sides.hpp"
#include "core/convert/waymo_message.hpp"
#include "core/convert/xml_reader.hpp"
#include "core/geom/trig.hpp"
#include "core/zarr/text.hpp"

// The text of CommonRoad's files.

namespace bev::convert::commonroad {
namespace {

constexpr double kFarthest = 1e7;  // of all numbers
constexpr double kMinStepS = 1e-3, kMaxStepS = 1e3;
constexpr std::int64_t kMaxStep = 99'999;

/// Returns the box of points, along the axes.
ShapeBox box_around(const std::vector<geom::Vec2>& points) {
  map::Box box;
  for (const auto& p : points) box.add(geom::Vec3{p.x, p.y, 0});
  return {{(box.min_x + box.max_x) / 2, (box.min_y + box.max_y) / 2},
          box.max_x - box.min_x,
          box.max_y - box.min_y};
}

/// Reads a file, element by element.
class CommonroadParser {
 public:
  explicit CommonroadParser(std::string_view text) : xml_(text) {}

  File run() {
    if (!xml_.open() || xml_.name() != "commonRoad") {
      fail(Errc::unsupported, {"not a scenario of CommonRoad"});
    }
    read_head();
    xml_.each([&](std::string_view name) {
      if (name == "lanelet") return read_lanelet();
      if (name == "trafficLight") return read_light();
      if (name == "intersection") return read_intersection();
      if (name == "planningProblem") return read_problem();
      if (name == "location") return read_location();
      if (name == "scenarioTags") {
        return xml_.each([&](std::string_view tag) { add_tag(tag); });
      }
      const bool is_static = name == "staticObstacle";
      if (is_static || name == "dynamicObstacle" || name == "obstacle") {
        return read_obstacle(is_static);
      }
      count_lost(name);
    });
    set_turns();
    attributes_["tags"] = tags_;
    out_.attributes = attributes_.dump(-1, ' ', true);
    return std::move(out_);
  }

 private:
  [[noreturn]] static void invalid(Message problem) {
    fail(Errc::invalid_metadata, {"scenario: ", joined(problem)});
  }

  void lose(const std::string& what) { ++out_.lost[what]; }

  void count_lost(std::string_view element) {
    if (const auto* row = row_named(kLostElements, element)) lose(row->what);
  }

  static void take(std::size_t& left) {
    if (left == 0) fail(Errc::limit_exceeded, {"scenario: too many values"});
    --left;
  }

  double number() {
    const auto element = xml_.name();
    const double value = xml_.content_number();
    if (std::abs(value) <= kFarthest) return value;
    invalid({"element ", element, ": too large"});
  }

  static std::int64_t whole(double value) {
    const bool is_step = value >= 0 && value <= static_cast<double>(kMaxStep);
    if (is_step && std::floor(value) == value) return static_cast<std::int64_t>(value);
    invalid({"not a number of time steps (expected 0 to ", kMaxStep, ")"});
  }

  /// Reads an exact value, or an interval.
  std::pair<double, double> range() {
    const auto element = xml_.name();
    std::vector<double> found;
    xml_.each([&](std::string_view name) {
      if (name == "exact" || name.starts_with("interval")) found.push_back(number());
    });
    if (found.empty() || found.size() > 2) {
      invalid({"element ", element, ": neither a value nor an interval"});
    }
    return {found.front(), found.back()};
  }

  double middle() {
    const auto [first, last] = range();
    if (first != last) lose("interval of a state");
    return (first + last) / 2;
  }

  geom::Vec3 point() {
    take(left_points_);
    geom::Vec3 out;
    xml_.each([&](std::string_view name) {
      if (name == "x") out.x = number();
      if (name == "y") out.y = number();
      if (name == "z") out.z = number();
    });
    return out;
  }

  geom::Vec2 flat_point() {
    const auto p = point();
    return {p.x, p.y};
  }

  /// Adds the corners of a rectangle or circle, which is also returned.
  ShapeBox round_or_rectangle(std::vector<geom::Vec2>& corners) {
    ShapeBox out;
    xml_.each([&](std::string_view name) {
      if (name == "length") out.length = number();
      if (name == "width") out.width = number();
      if (name == "radius") out.length = out.width = 2 * number();
      if (name == "orientation") out.heading_rad = number();
      if (name == "center") out.centre = flat_point();
    });
    const auto [sin, cos] = geom::sincos(out.heading_rad);
    for (const double u : {-out.length / 2, out.length / 2}) {
      for (const double v : {-out.width / 2, out.width / 2}) {
        corners.push_back(
            {out.centre.x + u * cos - v * sin, out.centre.y + u * sin + v * cos});
      }
    }
    return out;
  }

  /// Reads a shape, or a position, which has no size if it is a point.
  ShapeBox shape() {
    const auto element = xml_.name();
    std::vector<geom::Vec2> corners;
    std::optional<ShapeBox> only;
    std::size_t parts = 0;
    xml_.each([&](std::string_view name) {
      ++parts;
      if (name == "rectangle" || name == "circle") {
        only = round_or_rectangle(corners);
      } else if (name == "point") {
        corners.push_back(flat_point());
      } else if (name == "polygon") {
        lose("outline of a shape");
        xml_.each([&](std::string_view) { corners.push_back(flat_point()); });
      } else {
        --parts;
      }
    });
    if (corners.empty()) invalid({"element ", element, ": no shape"});
    if (parts == 1 && only) return *only;
    if (parts > 1) lose("shape of several parts");
    return box_around(corners);
  }

  std::string reference() { return std::to_string(xml_.integer("ref")); }

  std::int64_t id() {
    const auto out = xml_.integer("id");
    if (out < 0) invalid({"id is negative (found ", out, ")"});
    if (!ids_.insert(out).second) invalid({"id is not unique (found ", out, ")"});
    return out;
  }

  void read_head() {
    const auto version = xml_.text("commonRoadVersion");
    if (version != "2018b" && version != "2020a") {
      fail(Errc::unsupported, {"CommonRoad: unknown version (found ", version,
                               ", expected 2018b or 2020a)"});
    }
    out_.id = xml_.text("benchmarkID");
    out_.step_s = xml_.number("timeStepSize");
    if (!(out_.step_s >= kMinStepS && out_.step_s <= kMaxStepS)) {
      invalid({"timeStepSize: not a time step in seconds"});
    }
    attributes_["version"] = version;
    for (const auto* name : {"author", "affiliation", "source", "date"}) {
      if (const auto found = xml_.find(name)) attributes_[name] = *found;
    }
    tags_ = xml_.find("tags").value_or("");
  }

  void add_tag(std::string_view tag) {
    if (!tags_.empty()) tags_ += " ";
    tags_ += tag;
  }

  void read_location() {
    xml_.each([&](std::string_view name) {
      if (name == "geoNameId") attributes_["geo_name_id"] = xml_.content();
      if (name == "gpsLatitude") attributes_["latitude"] = number();
      if (name == "gpsLongitude") attributes_["longitude"] = number();
    });
  }

  void read_bound(std::vector<geom::Vec3>& points, Divider& divider, bool& can_cross) {
    can_cross = true;  // unless a line forbids it
    xml_.each([&](std::string_view name) {
      if (name == "point") points.push_back(point());
      if (name != "lineMarking") return;
      const auto marking = xml_.content();
      const auto* const row = row_named(kMarkings, marking);
      if (row == nullptr) invalid({"unknown line marking (found ", marking, ")"});
      if (!row->is_exact) lose("line marking " + marking);
      divider = row->divider;
      can_cross = row->can_cross;
    });
  }

  void read_lanelet() {
    SourceLane lane;
    lane.id = std::to_string(id());
    lane.access = Access::no_restriction;
    const auto* type = std::end(kLaneletTypes);
    std::vector<std::string> lights;
    xml_.each([&](std::string_view name) {
      take(left_items_);
      if (name == "leftBound") {
        read_bound(lane.left, lane.left_divider, lane.can_cross_left);
      } else if (name == "rightBound") {
        read_bound(lane.right, lane.right_divider, lane.can_cross_right);
      } else if (name == "successor") {
        lane.ahead.push_back(reference());
      } else if (name == "adjacentLeft" || name == "adjacentRight") {
        if (xml_.text("drivingDir") != "same") return;
        (name == "adjacentLeft" ? lane.left_neighbour : lane.right_neighbour) =
            reference();
      } else if (name == "trafficLightRef") {
        lights.push_back(reference());
      } else if (name == "laneletType") {
        const auto* const row = row_named(kLaneletTypes, xml_.content());
        if (row != nullptr) type = std::min(type, row);
      } else {
        count_lost(name);
      }
    });
    const auto use = type == std::end(kLaneletTypes) ? Use::lane : type->use;
    if (lane.left.size() < 2 || lane.right.size() != lane.left.size()) {
      invalid({"lanelet ", lane.id, ": bounds of ", lane.left.size(), " and ",
               lane.right.size(), " points (expected the same number, at least 2)"});
    }
    if (use == Use::none) return lose("lanelet of type " + std::string(type->name));
    if (use == Use::crosswalk) {
      lane.left.insert(lane.left.end(), lane.right.rbegin(), lane.right.rend());
      out_.map.crosswalks.push_back({lane.id, std::move(lane.left)});
      return;
    }
    if (type != std::end(kLaneletTypes)) lane.access = type->access;
    lane.in_junction = use == Use::junction;
    add_lane(std::move(lane), lights);
  }

  void add_lane(SourceLane lane, const std::vector<std::string>& lights) {
    for (std::size_t i = 0; i < lane.left.size(); ++i) {
      const auto &a = lane.left[i], &b = lane.right[i];
      lane.centre.push_back({(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2});
    }
    if (!has_direction(lane.centre)) return lose("lanelet without length");
    for (const auto& light : lights) {
      out_.lane_lights.emplace_back(out_.map.lanes.size(), light);
    }
    out_.map.lanes.push_back(std::move(lane));
  }

  void read_intersection() {
    xml_.each([&](std::string_view incoming) {
      if (incoming != "incoming") return;
      xml_.each([&](std::string_view name) {
        take(left_items_);
        const auto* const row = row_named(kIncomingTurns, name);
        if (row != nullptr) turns_[reference()] = row->turn;
      });
    });
  }

  void set_turns() {
    for (auto& lane : out_.map.lanes) {
      const auto found = turns_.find(lane.id);
      const bool is_named = found != turns_.end();
      lane.in_junction |= is_named;
      if (is_named) {
        lane.turn = found->second;
      } else if (lane.in_junction) {
        lane.turn = turn_of(ends_of(lane.centre));
      }
    }
  }

  void read_light() {
    take(left_items_);
    Light light;
    light.source.id = std::to_string(id());
    xml_.each([&](std::string_view name) {
      if (name == "cycle") {
        read_cycle(light);
      } else if (name == "position") {
        const auto at = shape().centre;
        light.source.position = geom::Vec3{at.x, at.y, 0};
      } else if (name == "active") {
        light.is_active = xml_.content() != "false";
      } else if (name == "direction" && xml_.content() != "all") {
        lose("direction of a traffic light");
      }
    });
    out_.lights.push_back(std::move(light));
  }

  void read_cycle(Light& light) {
    xml_.each([&](std::string_view name) {
      take(left_items_);
      if (name == "timeOffset") light.offset = whole(number());
      if (name != "cycleElement") return;
      std::int64_t steps = 0;
      const LightColour* colour = nullptr;
      xml_.each([&](std::string_view child) {
        if (child == "duration") steps = whole(number());
        if (child == "color") colour = row_named(kLightColours, xml_.content());
      });
      if (steps == 0 || colour == nullptr) {
        invalid({"traffic light ", light.source.id, ": not a duration and a colour"});
      }
      light.phases.emplace_back(steps, colour->lit);
    });
  }

  State state() {
    take(left_states_);
    State out;
    bool has_position = false, has_time = false;
    xml_.each([&](std::string_view name) {
      if (name == "position" || name == "shape") {
        const auto box = shape();
        out.position = box.centre;
        if (name == "shape") out.occupied = box;
        has_position = true;
      } else if (name == "orientation") {
        out.heading_rad = middle();
      } else if (name == "velocity") {
        out.velocity = middle();
      } else if (name == "velocityY") {
        out.velocity_y = middle();
      } else if (name == "time") {
        const auto [first, last] = range();
        out.step = (whole(first) + whole(last)) / 2;
        if (first != last) lose("interval of a state");
        has_time = true;
      }
    });
    if (!has_position || !has_time) invalid({"a state without position or time"});
    return out;
  }

  void read_obstacle(bool is_static) {
    take(left_items_);
    Obstacle out;
    out.id = id();
    out.is_static = is_static;
    xml_.each([&](std::string_view name) {
      if (name == "role") {
        out.is_static = xml_.content() == "static";
      } else if (name == "type") {
        out.type = xml_.content();
      } else if (name == "shape") {
        out.shape = shape();
      } else if (name == "initialState") {
        out.states.push_back(state());  // before the others, by the schema
      } else if (name == "trajectory" || name == "occupancySet") {
        xml_.each([&](std::string_view) { out.states.push_back(state()); });
      } else {
        count_lost(name);
      }
    });
    if (out.states.empty()) invalid({"obstacle ", out.id, ": no state"});
    out_.obstacles.push_back(std::move(out));
  }

  void read_problem() {
    take(left_items_);
    Problem out;
    out.id = id();
    bool has_start = false;
    xml_.each([&](std::string_view name) {
      if (name == "initialState") {
        out.start = state();
        has_start = true;
      } else if (name == "goalState") {
        lose("goal of a planning problem");
        xml_.each([&](std::string_view child) {
          if (child != "time") return;
          out.last_step = std::max(out.last_step, whole(range().second));
        });
      }
    });
    if (!has_start) invalid({"planning problem ", out.id, ": no initial state"});
    out_.problems.push_back(out);
  }

  XmlReader xml_;
  File out_;
  waymo::Limits limits_;
  std::size_t left_points_ = limits_.points, left_states_ = limits_.states,
              left_items_ = limits_.items;
  std::unordered_set<std::int64_t> ids_;
  std::unordered_map<std::string, map::Turn> turns_;  // by lanelet
  nlohmann::json attributes_ = nlohmann::json::object();
  std::string tags_;
};

}  // namespace

File parse(std::string_view xml) {
  if (zarr::valid_utf8(xml) != xml.size()) {
    fail(Errc::corrupt_chunk, {"XML: not UTF-8"});
  }
  return CommonroadParser(xml).run();
}

}  // namespace bev::convert::commonroad
