#include "core/convert/waymo_map.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "core/base/error.hpp"
#include "core/convert/lane_sides.hpp"

namespace bev::convert {
namespace {

using map::Divider;
using waymo::Feature;
using waymo::FeatureKind;

constexpr double kFarthestMapPointM = 1e6;

/// A road line type; `is_exact` if L5Kit has the same.
struct LineType {
  Divider divider;
  bool can_cross;
  bool is_exact = true;
};

constexpr LineType kLineTypes[] = {
    {Divider::unknown, false},
    {Divider::single_white_dashed, true},
    {Divider::single_white_solid, false},
    {Divider::double_white_solid, false},
    {Divider::single_yellow_dashed, true},
    {Divider::single_yellow_dashed, true, false},  // two broken yellow lines
    {Divider::single_yellow_solid, false},
    {Divider::double_yellow_solid, false},
    {Divider::double_yellow_solid_dashed, true, false},  // passing, either side
};

LineType line_type(std::uint64_t type) {
  return type < std::size(kLineTypes) ? kLineTypes[type]
                                      : LineType{Divider::unknown, false, false};
}

const char* name_of(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::lane: return "lane";
    case FeatureKind::road_line: return "road line";
    case FeatureKind::road_edge: return "road edge";
    case FeatureKind::stop_sign: return "stop sign";
    case FeatureKind::crosswalk: return "crosswalk";
    case FeatureKind::speed_bump: return "speed bump";
    case FeatureKind::driveway: return "driveway";
    case FeatureKind::sidewalk: return "sidewalk";
    case FeatureKind::none: break;
  }
  return "unknown feature";
}

struct LaneType {
  const char* name;
  map::Access access;
};

LaneType lane_type(std::uint64_t type) {
  switch (type) {
    case 1: return {"freeway", map::Access::no_restriction};
    case 2: return {"street", map::Access::no_restriction};
    case 3: return {"bike", map::Access::only_bike};
    default: return {"undefined", map::Access::unknown};
  }
}

/// One side of a lane as stored, and its place in the result.
struct SideSource {
  Hand hand;
  const char* name;
  std::span<const waymo::BoundarySection> sections;
  std::span<const waymo::Neighbour> neighbours;
};

class MapImporter {
 public:
  MapImporter(std::span<const Feature> features, const Tables& tables,
              const WaymoFrame& frame)
      : features_(features), tables_(tables), frame_(frame) {}

  WaymoMap run() {
    out_.map.prefix = frame_.prefix;
    out_.map.cell = frame_.cell;
    for (const auto& feature : features_) {
      check(feature);
      if (!by_id_.emplace(feature.id, &feature).second) {
        invalid(feature, {"id is not unique"});
      }
    }
    for (const auto& feature : features_) add(feature);
    for (const auto& feature : features_) {
      const bool is_line = feature.kind == FeatureKind::road_line ||
                           feature.kind == FeatureKind::road_edge;
      if (is_line && !used_lines_.contains(feature.id)) lose(name_of(feature.kind));
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void invalid(const Feature& feature, Message problem) const {
    fail(Errc::invalid_metadata, {"map: ", name_of(feature.kind), " ",
                                  frame_.id(feature.id), ": ", joined(problem)});
  }

  void check(const Feature& feature) const {
    for (const auto* line : {&feature.points, &feature.left, &feature.right}) {
      for (const auto& p : *line) {
        for (const double metres : {p.x, p.y, p.z}) {
          if (std::abs(metres) <= kFarthestMapPointM) continue;
          invalid(feature, {"a coordinate is not a number within 1000 km"});
        }
      }
    }
  }

  void lose(const std::string& what) { ++out_.map.lost[what]; }

  void add(const Feature& feature) {
    switch (feature.kind) {
      case FeatureKind::lane: add_lane(feature); break;
      case FeatureKind::crosswalk: add_crosswalk(feature); break;
      case FeatureKind::road_line:
      case FeatureKind::road_edge: break;  // lost if no lane uses it
      default: lose(name_of(feature.kind));
    }
  }

  std::vector<geom::Vec3> moved(const std::vector<geom::Vec3>& points) const {
    std::vector<geom::Vec3> out;
    out.reserve(points.size());
    for (const auto& p : points) out.push_back(frame_.moved(p));
    return out;
  }

  void add_crosswalk(const Feature& feature) {
    if (feature.points.size() < 3) {
      lose("crosswalk of fewer than 3 points");
      return;
    }
    out_.map.crosswalks.push_back({frame_.id(feature.id), moved(feature.points)});
  }

  void add_lane(const Feature& feature) {
    if (feature.points.empty() || !has_direction(feature.points)) {
      lose("lane of fewer than 2 points");
      return;
    }
    const auto type = lane_type(feature.type);
    SourceLane lane;
    lane.id = frame_.id(feature.id);
    lane.access = type.access;
    lane.in_junction = feature.is_interpolating;
    if (lane.in_junction) lane.turn = turn_of(ends_of(feature.points));
    for (const auto exit : feature.exits) lane.ahead.push_back(frame_.id(exit));
    if (feature.has_speed_limit) lose("speed limit");
    lane.centre = moved(feature.points);
    const auto width = tables_.lane_widths_m.find(type.name);
    double half = width == tables_.lane_widths_m.end() ? 1.65 : width->second / 2;
    if (feature.width_m > 0) half = feature.width_m / 2;
    add_side(lane, feature, half,
             {Hand::left, "left", feature.left_boundaries, feature.left_neighbours});
    add_side(
        lane, feature, half,
        {Hand::right, "right", feature.right_boundaries, feature.right_neighbours});
    out_.map.lanes.push_back(std::move(lane));
  }

  void add_side(SourceLane& lane, const Feature& feature, double half,
                const SideSource& source) {
    const bool is_left = source.hand == Hand::left;
    const auto& own = is_left ? feature.left : feature.right;
    const auto sections = valid_sections(feature, source.sections);
    std::vector<SideLine> lines;
    for (const auto& section : sections) {
      const auto* line = line_of(section);
      if (line == nullptr) continue;
      used_lines_.insert(section.feature);
      lines.push_back({static_cast<std::size_t>(section.begin),
                       static_cast<std::size_t>(section.end) + 1, line->points});
    }
    auto side = own.empty() ? maker_.make(feature.points, lines, source.hand, half)
                            : Side{own, own.size()};
    if (side.from_lines < side.points.size()) {
      lose(side.from_lines == 0 ? "lane side from width"
                                : "lane side partly from width");
      out_.sides_from_width.push_back(lane.id + "/" + source.name);
    }
    auto& points = is_left ? lane.left : lane.right;
    points = moved(side.points);
    set_dividers(sections, lengths_cm(points),
                 is_left ? lane.left_divider : lane.right_divider,
                 is_left ? lane.left_changes : lane.right_changes);
    set_neighbour(source.neighbours,
                  is_left ? lane.left_neighbour : lane.right_neighbour,
                  is_left ? lane.can_cross_left : lane.can_cross_right);
  }

  /// Returns the sections within the lane, by position.
  std::vector<waymo::BoundarySection> valid_sections(
      const Feature& feature, std::span<const waymo::BoundarySection> sections) const {
    std::vector<waymo::BoundarySection> out(sections.begin(), sections.end());
    const auto count = std::ssize(feature.points);
    for (const auto& section : out) {
      if (section.begin < 0 || section.end < section.begin || section.end >= count) {
        invalid(feature,
                {"boundary outside the lane (found points ", section.begin, " to ",
                 section.end, ", expected within 0 to ", count - 1, ")"});
      }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.begin < b.begin; });
    return out;
  }

  const Feature* line_of(const waymo::BoundarySection& section) {
    const auto found = by_id_.find(section.feature);
    const bool is_line =
        found != by_id_.end() && (found->second->kind == FeatureKind::road_line ||
                                  found->second->kind == FeatureKind::road_edge);
    if (!is_line) lose("boundary without a line");
    return is_line ? found->second : nullptr;
  }

  Divider divider_of(const waymo::BoundarySection& section) {
    const auto found = by_id_.find(section.feature);
    const bool is_edge =
        found != by_id_.end() && found->second->kind == FeatureKind::road_edge;
    if (section.type == 0 && is_edge) return Divider::curb;
    const auto type = line_type(section.type);
    if (!type.is_exact) lose("road line type " + std::to_string(section.type));
    return type.divider;
  }

  /// Sets the types of sorted sections; unknown between and after them.
  void set_dividers(std::span<const waymo::BoundarySection> sections,
                    const std::vector<std::int32_t>& lengths, Divider& first,
                    std::vector<DividerChange>& changes) {
    first = Divider::unknown;
    const auto change = [&](std::int64_t point, Divider divider) {
      const auto at = point == 0 ? 0 : lengths[static_cast<std::size_t>(point)];
      const auto now = changes.empty() ? first : changes.back().divider;
      if (divider == now) return;
      if (at == 0) {
        first = divider;
      } else if (!changes.empty() && changes.back().at_cm >= at) {
        changes.back().divider = divider;
      } else {
        changes.push_back({at, divider});
      }
    };
    std::int64_t end = -1;  // of the sections so far
    for (const auto& section : sections) {
      if (end >= 0 && section.begin > end + 1) change(end, Divider::unknown);
      change(section.begin, divider_of(section));
      end = std::max(end, section.end);
    }
    if (end >= 0 && end + 1 < std::ssize(lengths)) change(end, Divider::unknown);
  }

  /// Sets the neighbour beside most points; a lane has one per side.
  void set_neighbour(std::span<const waymo::Neighbour> neighbours, std::string& id,
                     bool& can_cross) {
    if (neighbours.empty()) return;
    const auto length = [](const waymo::Neighbour& one) {
      return static_cast<double>(one.end) - static_cast<double>(one.begin);
    };
    const auto longest = std::max_element(
        neighbours.begin(), neighbours.end(),
        [&](const auto& a, const auto& b) { return length(a) < length(b); });
    id = frame_.id(longest->lane);
    const auto& types = longest->boundary_types;
    can_cross = types.empty() || std::any_of(types.begin(), types.end(), [](auto type) {
                  return line_type(type).can_cross;
                });
    for (std::size_t i = 1; i < neighbours.size(); ++i) lose("further neighbour");
  }

  std::span<const Feature> features_;
  const Tables& tables_;
  const WaymoFrame& frame_;
  std::unordered_map<std::int64_t, const Feature*> by_id_;
  std::unordered_set<std::int64_t> used_lines_;
  SideMaker maker_;
  WaymoMap out_;
};

}  // namespace

std::string WaymoFrame::id(std::int64_t feature) const {
  const bool has_name = names != nullptr && feature >= 0 &&
                        static_cast<std::uint64_t>(feature) < names->size();
  return prefix + (has_name ? (*names)[static_cast<std::size_t>(feature)]
                            : std::to_string(feature));
}

WaymoMap waymo_map(std::span<const waymo::Feature> features, const Tables& tables,
                   const WaymoFrame& frame) {
  return MapImporter(features, tables, frame).run();
}

}  // namespace bev::convert
