#include "core/convert/opendrive.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/divider_types.hpp"
#include "core/convert/lane_sides.hpp"
#include "core/geom/trig.hpp"

namespace bev::convert {
namespace opendrive {
namespace {

constexpr double kRoadStepM = 0.25;       // on curves
constexpr double kFarthestRoadM = 1.2e7;  // the map has centimetres in 32 bits
constexpr double kMinSectionM = 0.001;    // shorter ones have no direction

bool is_curved(const Cubic& cubic) {
  return cubic.factors[2] != 0 || cubic.factors[3] != 0;
}

/// Returns how vehicles use a lane of a type; nullopt if they do not.
std::optional<map::Access> access_of_type(const std::string& type) {
  if (type == "biking") return map::Access::only_bike;
  if (type == "bus") return map::Access::only_bus;
  for (const char* one : {"driving", "entry", "exit", "onRamp", "offRamp",
                          "connectingRamp", "slipLane", "bidirectional"}) {
    if (type == one) return map::Access::no_restriction;
  }
  return std::nullopt;
}

std::string id_of(const Road& road, std::size_t section, std::int64_t lane) {
  return road.id + "/" + std::to_string(section) + "/" + std::to_string(lane);
}

bool is_along(const Road& road, std::int64_t lane) {
  return (lane < 0) != road.is_left_hand;
}

/// The places of a section, and what lies beside them.
struct Course {
  std::vector<double> stations;
  std::vector<RoadPlace> places;
  std::vector<double> heights;

  /// Returns the value at a station. The last one belongs to what ends there.
  double value(const std::vector<Cubic>& cubics, std::size_t i, double from = 0) const {
    const double s = stations[i] - from;
    return i + 1 == stations.size() ? value_before(cubics, s) : value_at(cubics, s);
  }

  std::vector<geom::Vec3> line(const std::vector<double>& t) const {
    std::vector<geom::Vec3> out;
    out.reserve(t.size());
    for (std::size_t i = 0; i < t.size(); ++i) {
      const auto& [at, along] = places[i];
      out.push_back({at.x - t[i] * along.y, at.y + t[i] * along.x, heights[i]});
    }
    return out;
  }
};

class RoadImporter {
 public:
  explicit RoadImporter(File file) : file_(std::move(file)) {}

  SourceMap run() {
    out_.lost = std::move(file_.lost);
    for (std::size_t i = 0; i < file_.roads.size(); ++i) {
      const auto& road = file_.roads[i];
      if (!rows_of_roads_.emplace(road.id, i).second) {
        fail(Errc::invalid_metadata, {"road ", road.id, ": twice"});
      }
    }
    for (const auto& road : file_.roads) {
      for (std::size_t i = 0; i < road.sections.size(); ++i) add_section(road, i);
      for (const auto& crossing : road.crossings) add_crossing(road, crossing);
    }
    for (const auto& road : file_.roads) {
      for (std::size_t i = 0; i < road.sections.size(); ++i) link_section(road, i);
      for (const auto& signal : road.signals) add_signal(road, signal);
    }
    out_.geo_reference = std::move(file_.geo_reference);
    add_offset();
    return std::move(out_);
  }

 private:
  static double end_of(const Road& road, std::size_t section) {
    return section + 1 < road.sections.size() ? road.sections[section + 1].s
                                              : road.length;
  }

  /// Returns the stations at which what is between them is straight, or short.
  static std::vector<double> stations_of(const Road& road, std::size_t index) {
    const auto& section = road.sections[index];
    const double end = end_of(road, index);
    std::vector<double> marks = {section.s, end};
    bool curved = false;
    const auto add = [&](double s) {
      if (s > section.s && s < end) marks.push_back(s);
    };
    for (std::size_t i = 0; i < road.parts.size(); ++i) {
      const auto& part = road.parts[i];
      add(part.s);
      const bool is_before =
          i + 1 < road.parts.size() && road.parts[i + 1].s <= section.s;
      curved |= part.kind != RoadGeometry::Kind::line && !is_before && part.s < end;
    }
    const auto add_all = [&](const std::vector<Cubic>& cubics, double from) {
      for (const auto& cubic : cubics) {
        add(from + cubic.s);
        curved |= is_curved(cubic);
      }
    };
    add_all(road.elevation, 0);
    add_all(road.offset, 0);
    for (const auto& [id, lane] : section.lanes) {
      add_all(lane.widths, section.s);
      add_all(lane.borders, section.s);
    }
    std::sort(marks.begin(), marks.end());
    std::vector<double> out = {marks.front()};
    for (std::size_t i = 1; i < marks.size(); ++i) {
      const double all = marks[i] - marks[i - 1];
      if (all < 1e-6 && i + 1 < marks.size()) continue;
      const auto count = curved ? std::max(1.0, std::ceil(all / kRoadStepM)) : 1.0;
      const double from = out.back();
      for (double k = 1; k <= count; ++k) {
        out.push_back(k == count ? marks[i] : from + (marks[i] - from) * k / count);
      }
    }
    return out;
  }

  Course course_of(const Road& road, std::size_t index) {
    Course out;
    out.stations = stations_of(road, index);
    points_ += out.stations.size() * road.sections[index].lanes.size();
    if (points_ > kMaxRoadPoints) {
      fail(Errc::limit_exceeded, {"map: more than ", kMaxRoadPoints, " points"});
    }
    out.places = places_along(road.parts, out.stations);
    for (const auto& [p, along] : out.places) {
      if (std::abs(p.x) <= kFarthestRoadM && std::abs(p.y) <= kFarthestRoadM) continue;
      fail(Errc::invalid_metadata, {"road ", road.id, ": reference line: too far"});
    }
    for (std::size_t i = 0; i < out.stations.size(); ++i) {
      out.heights.push_back(out.value(road.elevation, i));
    }
    return out;
  }

  void add_section(const Road& road, std::size_t index) {
    const auto& section = road.sections[index];
    if (!(end_of(road, index) - section.s >= kMinSectionM)) {
      ++out_.lost["section without length"];
      return;
    }
    const auto course = course_of(road, index);
    std::vector<double> reference;
    for (std::size_t i = 0; i < course.stations.size(); ++i) {
      reference.push_back(course.value(road.offset, i));
    }
    auto inner = reference;
    for (auto at = section.lanes.upper_bound(0); at != section.lanes.end(); ++at) {
      add_lane(road, index, at->second, course, inner);
    }
    inner = reference;
    for (auto at = std::make_reverse_iterator(section.lanes.lower_bound(0));
         at != section.lanes.rend(); ++at) {
      add_lane(road, index, at->second, course, inner);
    }
  }

  /// Adds a lane, and moves `inner` to its outer line.
  void add_lane(const Road& road, std::size_t index, const Lane& lane,
                const Course& course, std::vector<double>& inner) {
    const auto& section = road.sections[index];
    const double sign = lane.id > 0 ? 1 : -1;
    std::vector<double> outer, middle;
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const bool has_border = lane.widths.empty() && !lane.borders.empty();
      outer.push_back(has_border
                          ? course.value(lane.borders, i, section.s)
                          : inner[i] + sign * std::max(0.0, course.value(lane.widths, i,
                                                                         section.s)));
      middle.push_back((inner[i] + outer[i]) / 2);
      const bool is_sane =
          std::abs(outer[i]) <= kMaxRoadM && std::abs(course.heights[i]) <= kMaxRoadM;
      if (!is_sane) {
        fail(Errc::invalid_metadata, {"lane ", id_of(road, index, lane.id),
                                      ": a width or height is too large"});
      }
    }
    if (const auto access = access_of_type(lane.type)) {
      place(road, index, lane, course, {inner, middle, outer}, *access);
    } else if (lane.type != "none") {
      ++out_.lost["lane " + lane.type];
    }
    inner = std::move(outer);
  }

  struct Across {
    const std::vector<double>&inner, &middle, &outer;
  };

  void place(const Road& road, std::size_t index, const Lane& lane,
             const Course& course, const Across& t, map::Access access) {
    SourceLane out;
    out.id = id_of(road, index, lane.id);
    out.access = access;
    out.centre = course.line(t.middle);
    out.left = course.line(road.is_left_hand ? t.outer : t.inner);
    out.right = course.line(road.is_left_hand ? t.inner : t.outer);
    if (!is_along(road, lane.id)) {
      for (auto* line : {&out.centre, &out.left, &out.right}) {
        std::reverse(line->begin(), line->end());
      }
    }
    if (!has_direction(out.centre)) {
      ++out_.lost["lane without length"];
      return;
    }
    out.in_junction = road.is_in_junction();
    if (out.in_junction) out.turn = turn_of(ends_of(out.centre));
    set_sides(road, index, lane, course, t, out);
    rows_[out.id] = out_.lanes.size();
    out_.lanes.push_back(std::move(out));
  }

  /// Sets lines and neighbours: the inner line is that of the next lane towards 0.
  void set_sides(const Road& road, std::size_t index, const Lane& lane,
                 const Course& course, const Across& t, SourceLane& out) const {
    const auto& section = road.sections[index];
    const std::int64_t out_by = lane.id > 0 ? 1 : -1;
    const auto side = [&](bool is_inner, const std::vector<geom::Vec3>& line,
                          map::Divider& divider, std::vector<DividerChange>& changes,
                          bool& can_cross, std::string& neighbour) {
      const auto marked = section.lanes.find(is_inner ? lane.id - out_by : lane.id);
      std::vector<DividerNode> nodes;
      can_cross = marked == section.lanes.end() || marked->second.marks.empty();
      if (marked != section.lanes.end()) {
        const auto points = course.line(is_inner ? t.inner : t.outer);
        for (const auto& mark : marked->second.marks) {
          const auto at = std::lower_bound(course.stations.begin(),
                                           course.stations.end(), section.s + mark.s);
          const auto i = std::min<std::size_t>(
              static_cast<std::size_t>(at - course.stations.begin()),
              points.size() - 1);
          nodes.push_back({points[i], mark.divider});
          can_cross |= mark.can_cross;
        }
      }
      if (nodes.empty()) nodes.push_back({line.front(), map::Divider::none});
      nodes.push_back(
          {course.line(is_inner ? t.inner : t.outer).back(), nodes.back().type});
      auto types = divider_types(nodes, line);
      divider = types.first;
      changes = std::move(types.changes);
      const auto beside = lane.id + (is_inner ? -out_by : out_by);
      const auto found = section.lanes.find(beside);
      const bool is_lane = beside != 0 && found != section.lanes.end() &&
                           access_of_type(found->second.type);
      neighbour = is_lane ? id_of(road, index, beside) : "";
    };
    side(!road.is_left_hand, out.left, out.left_divider, out.left_changes,
         out.can_cross_left, out.left_neighbour);
    side(road.is_left_hand, out.right, out.right_divider, out.right_changes,
         out.can_cross_right, out.right_neighbour);
  }

  const Road* road_of(const std::string& id) const {
    const auto found = rows_of_roads_.find(id);
    return found == rows_of_roads_.end() ? nullptr : &file_.roads[found->second];
  }

  void link_section(const Road& road, std::size_t index) {
    for (const auto& [id, lane] : road.sections[index].lanes) {
      const auto row = rows_.find(id_of(road, index, id));
      if (row == rows_.end()) continue;
      auto& ahead = out_.lanes[row->second].ahead;
      const bool along = is_along(road, id);
      const auto& next = along ? lane.successor : lane.predecessor;
      const bool is_last = along ? index + 1 == road.sections.size() : index == 0;
      if (!is_last) {
        if (next) add_ahead(road, along ? index + 1 : index - 1, *next, along, ahead);
        continue;
      }
      const auto& end = along ? road.successor : road.predecessor;
      if (!end) continue;
      if (!end->is_junction) {
        if (next) enter(end->id, end->at_start, *next, ahead);
        continue;
      }
      const auto junction = file_.junctions.find(end->id);
      if (junction == file_.junctions.end()) continue;
      for (const auto& connection : junction->second) {
        const auto to = connection.lanes.find(id);
        if (connection.from != road.id || to == connection.lanes.end()) continue;
        enter(connection.to, connection.at_start, to->second, ahead);
      }
    }
  }

  /// Adds the lane of another road at one of its ends.
  void enter(const std::string& id, bool at_start, std::int64_t lane,
             std::vector<std::string>& ahead) {
    const auto* const road = road_of(id);
    if (road == nullptr || road->sections.empty()) return;
    add_ahead(*road, at_start ? 0 : road->sections.size() - 1, lane, at_start, ahead);
  }

  /// Adds a lane ahead, if its traffic goes there.
  void add_ahead(const Road& road, std::size_t section, std::int64_t lane, bool along,
                 std::vector<std::string>& ahead) {
    auto id = id_of(road, section, lane);
    if (!rows_.contains(id)) return;
    if (is_along(road, lane) != along) {
      ++out_.lost["link against traffic"];
      return;
    }
    if (std::find(ahead.begin(), ahead.end(), id) == ahead.end()) {
      ahead.push_back(std::move(id));
    }
  }

  geom::Vec3 position_of(const Road& road, double s, double t, double dz) const {
    const double at[] = {std::clamp(s, 0.0, road.length)};
    const auto place = places_along(road.parts, at).front();
    return {place.position.x - t * place.direction.y,
            place.position.y + t * place.direction.x, value_at(road.elevation, s) + dz};
  }

  void add_signal(const Road& road, const Signal& signal) {
    const auto id = road.id + ":" + signal.id;
    SourceLight light{id,
                      {{id + "/r", map::Colour::red},
                       {id + "/y", map::Colour::yellow},
                       {id + "/g", map::Colour::green}},
                      position_of(road, signal.s, signal.t, signal.z)};
    const bool is_known = std::any_of(out_.lights.begin(), out_.lights.end(),
                                      [&](const auto& one) { return one.id == id; });
    if (is_known) {
      ++out_.lost["signal of the same id"];
      return;
    }
    const auto after = std::upper_bound(
        road.sections.begin(), road.sections.end(), signal.s,
        [](double s, const Section& section) { return s < section.s; });
    if (after == road.sections.begin()) return;
    const auto index = static_cast<std::size_t>(after - road.sections.begin()) - 1;
    for (const auto& [lane, unused] : road.sections[index].lanes) {
      const auto row = rows_.find(id_of(road, index, lane));
      if (row == rows_.end() || !controls(road, signal, lane)) continue;
      for (const auto& face : light.faces) {
        out_.lanes[row->second].faces.push_back(face.id);
      }
    }
    out_.lights.push_back(std::move(light));
  }

  static bool controls(const Road& road, const Signal& signal, std::int64_t lane) {
    if (signal.orientation != 0 && is_along(road, lane) != (signal.orientation > 0)) {
      return false;
    }
    return signal.lanes.empty() ||
           std::any_of(signal.lanes.begin(), signal.lanes.end(),
                       [&](const auto& range) {
                         return std::min(range.first, range.second) <= lane &&
                                lane <= std::max(range.first, range.second);
                       });
  }

  void add_crossing(const Road& road, const CrossingObject& crossing) {
    SourceCrosswalk out;
    out.id = road.id + ":" + crossing.id;
    const double at[] = {std::clamp(crossing.s, 0.0, road.length)};
    const auto place = places_along(road.parts, at).front();
    const auto turn = geom::sincos(crossing.heading_rad);
    for (const auto& corner : crossing.corners) {
      if (corner.is_of_road) {
        out.outline.push_back(position_of(road, corner.along, corner.beside, 0));
        continue;
      }
      const double u = turn.cos * corner.along - turn.sin * corner.beside,
                   v = turn.sin * corner.along + turn.cos * corner.beside + crossing.t;
      const auto& [p, d] = place;
      out.outline.push_back({p.x + u * d.x - v * d.y, p.y + u * d.y + v * d.x,
                             value_at(road.elevation, crossing.s)});
    }
    out_.crosswalks.push_back(std::move(out));
  }

  void add_offset() {
    const auto& [x, y, z, heading] = file_.offset;
    const auto turn = geom::sincos(heading);
    out_.each_point([&, x = x, y = y, z = z](geom::Vec3& p) {
      const double u = p.x + x, v = p.y + y;
      p = {u * turn.cos - v * turn.sin, u * turn.sin + v * turn.cos, p.z + z};
      if (std::max(std::abs(p.x), std::abs(p.y)) > kFarthestRoadM) {
        fail(Errc::invalid_metadata, {"header: offset: too far"});
      }
    });
  }

  File file_;
  SourceMap out_;
  std::unordered_map<std::string, std::size_t> rows_of_roads_, rows_;  // by id
  std::size_t points_ = 0;
};

}  // namespace
}  // namespace opendrive

SourceMap import_opendrive(std::string_view xml) {
  return opendrive::RoadImporter(opendrive::parse(xml)).run();
}

}  // namespace bev::convert
