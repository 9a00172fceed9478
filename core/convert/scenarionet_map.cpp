#include "core/convert/scenarionet_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/base/error.hpp"
#include "core/convert/lane_sides.hpp"
#include "core/geom/trig.hpp"

namespace bev::convert {
namespace {

using pickle::Value;
using waymo::Feature;
using waymo::FeatureKind;

constexpr double kConnectorWidthM = 3.5;  // if no lane leads to it
constexpr double kMinLaneWidthM = 1, kMaxLaneWidthM = 20;
constexpr double kJointM = 0.1;
constexpr double kJointCos = 0.984807753012208;  // of 10 degrees
constexpr std::uint64_t kMaxJointComparisons = 100'000'000;

/// A type of map features, and its number in Waymo's messages.
struct FeatureType {
  std::string_view name;
  FeatureKind kind;
  std::uint64_t number = 0;
};

// Reference  metadrive, type.py
constexpr std::array kFeatureTypes{
    FeatureType{"LANE_UNKNOWN", FeatureKind::lane, 0},
    FeatureType{"LANE_FREEWAY", FeatureKind::lane, 1},
    FeatureType{"LANE_SURFACE_STREET", FeatureKind::lane, 2},
    FeatureType{"LANE_SURFACE_UNSTRUCTURE", FeatureKind::lane, 2},
    FeatureType{"LANE_BIKE_LANE", FeatureKind::lane, 3},
    FeatureType{"UNKNOWN_LINE", FeatureKind::road_line, 0},
    FeatureType{"ROAD_LINE_BROKEN_SINGLE_WHITE", FeatureKind::road_line, 1},
    FeatureType{"ROAD_LINE_SOLID_SINGLE_WHITE", FeatureKind::road_line, 2},
    FeatureType{"ROAD_LINE_SOLID_DOUBLE_WHITE", FeatureKind::road_line, 3},
    FeatureType{"ROAD_LINE_BROKEN_SINGLE_YELLOW", FeatureKind::road_line, 4},
    FeatureType{"ROAD_LINE_BROKEN_DOUBLE_YELLOW", FeatureKind::road_line, 5},
    FeatureType{"ROAD_LINE_SOLID_SINGLE_YELLOW", FeatureKind::road_line, 6},
    FeatureType{"ROAD_LINE_SOLID_DOUBLE_YELLOW", FeatureKind::road_line, 7},
    FeatureType{"ROAD_LINE_PASSING_DOUBLE_YELLOW", FeatureKind::road_line, 8},
    FeatureType{"ROAD_EDGE_BOUNDARY", FeatureKind::road_edge, 1},
    FeatureType{"ROAD_EDGE_MEDIAN", FeatureKind::road_edge, 2},
    FeatureType{"STOP_SIGN", FeatureKind::stop_sign},
    FeatureType{"CROSSWALK", FeatureKind::crosswalk},
    FeatureType{"SPEED_BUMP", FeatureKind::speed_bump},
    FeatureType{"DRIVEWAY", FeatureKind::driveway},
};

const FeatureType* type_of(std::string_view name) {
  const auto found = std::find_if(kFeatureTypes.begin(), kFeatureTypes.end(),
                                  [&](const auto& one) { return one.name == name; });
  return found == kFeatureTypes.end() ? nullptr : &*found;
}

/// Returns the number of a line's type beside a lane; 0 for edges and unknown ones.
std::uint64_t line_number(Value name) {
  const auto* type = type_of(name.text().value_or(""));
  return type != nullptr && type->kind == FeatureKind::road_line ? type->number : 0;
}

class FeatureReader {
 public:
  FeatureReader(PickledValues& values, FeatureNames& names, waymo::Message& out,
                const waymo::Limits& limits)
      : values_(values),
        names_(names),
        out_(out),
        is_nuscenes_(out.dataset == "nuscenes"),
        left_items_(limits.items),
        left_points_(limits.points) {}

  void read(Value features) {
    if (!features.is(pickle::Kind::dict)) {
      fail(Errc::invalid_metadata,
           {"map_features: not a dict (found ", features.describe(), ")"});
    }
    take(left_items_, features.size());
    for_each(features, [&](const std::string& name, Value) { names_.number(name); });
    for_each(features, [&](const std::string& name, Value value) {
      name_ = name;
      out_.features.push_back(feature(value));
      out_.features.back().id = names_.number(name);
    });
    if (is_nuscenes_ && !has_links_) link_lanes();
    if (is_nuscenes_) set_connector_widths();
  }

 private:
  template <class Use>
  void for_each(Value features, Use use) {
    const auto items = features.items();
    for (auto item = items.begin(); item != items.end(); ++item) {
      const auto name = values_.name(*item);
      if (!name) fail(Errc::invalid_metadata, {"map_features: invalid id"});
      ++item;
      use(*name, *item);
    }
  }

  [[noreturn]] void invalid(Message problem) const {
    fail(Errc::invalid_metadata, {"map_features: ", name_, ": ", joined(problem)});
  }

  static void take(std::size_t& left, std::size_t count) {
    if (count > left) fail(Errc::limit_exceeded, {"map_features: too many values"});
    left -= count;
  }

  Feature feature(Value value) {
    const auto type_name = value.find("type").text();
    if (!type_name) invalid({"no type"});
    Feature out;
    const auto* type = type_of(*type_name);
    if (type == nullptr) {
      // An area, or of a writer of its own: Feature counts it as unknown.
      if (*type_name == "ROAD_EDGE_SIDEWALK") out.kind = FeatureKind::sidewalk;
      return out;
    }
    out.kind = type->kind;
    out.type = type->number;
    if (type->kind == FeatureKind::lane) {
      read_lane(value, out);
      out.is_interpolating |= *type_name == "LANE_SURFACE_UNSTRUCTURE";
    } else if (type->kind == FeatureKind::crosswalk) {
      out.points = points(value.find("polygon"), "polygon");
    } else if (type->kind == FeatureKind::road_line ||
               type->kind == FeatureKind::road_edge) {
      if (value.find("polyline"))
        out.points = points(value.find("polyline"), "polyline");
    }
    return out;
  }

  std::vector<geom::Vec3> points(Value value, const char* what) {
    auto out = values_.points(value, !is_nuscenes_);
    if (!out) invalid({what, ": not points (found ", value.describe(), ")"});
    take(left_points_, out->size());
    return *std::move(out);
  }

  void read_lane(Value value, Feature& out) {
    out.points = points(value.find("polyline"), "polyline");
    for (const auto* key : {"speed_limit_mph", "speed_limit_kmh", "speed_limit_mps"}) {
      out.has_speed_limit |= !value.find(key).is_none();
    }
    out.is_interpolating = out_.dataset == "waymo" &&
                           value.find("interpolating").boolean().value_or(false);
    has_links_ |= value.find("exit_lanes") || value.find("entry_lanes");
    for (const auto exit : value.find("exit_lanes").items()) {
      out.exits.push_back(reference(exit, "exit_lanes"));
    }
    read_sections(value.find("left_boundaries"), out.left_boundaries);
    read_sections(value.find("right_boundaries"), out.right_boundaries);
    read_neighbours(value.find("left_neighbor"), true, out.left_neighbours);
    read_neighbours(value.find("right_neighbor"), false, out.right_neighbours);
    if (is_nuscenes_) {
      drop_repeated(out.points);
      out.is_interpolating = !value.find("polygon");
      correct("heading in place of the height of a centre line", 1);
    }
    if (!out.left_boundaries.empty() || !out.right_boundaries.empty()) return;
    const auto outline = value.find("polygon");
    if (outline) read_outline(points(outline, "polygon"), out);
  }

  void correct(const char* what, std::size_t count) {
    if (count > 0) out_.corrected[what] += count;
  }

  /// Drops what the segments of a line have in common.
  void drop_repeated(std::vector<geom::Vec3>& line) {
    const auto end = std::unique(
        line.begin(), line.end(),
        [](const auto& a, const auto& b) { return a.x == b.x && a.y == b.y; });
    correct("repeated point of a centre line",
            static_cast<std::size_t>(line.end() - end));
    line.erase(end, line.end());
  }

  void read_outline(const std::vector<geom::Vec3>& outline, Feature& out) {
    auto sides =
        out.points.size() > 1 ? maker_.divide(out.points, outline) : std::nullopt;
    if (!sides) {
      ++out_.lost["outline of a lane"];
      return;
    }
    out.left = std::move(sides->left);
    out.right = std::move(sides->right);
  }

  std::int64_t integer(Value value, const char* what) {
    const auto found = values_.integer(value);
    if (!found) invalid({what, ": not an integer (found ", value.describe(), ")"});
    return *found;
  }

  std::int64_t reference(Value value, const char* what) {
    take(left_items_, 1);
    const auto found = values_.name(value);
    if (!found) invalid({what, ": not an id (found ", value.describe(), ")"});
    return names_.number(*found);
  }

  void read_sections(Value value, std::vector<waymo::BoundarySection>& out) {
    for (const auto one : value.items()) {
      out.push_back({integer(one.find("lane_start_index"), "lane_start_index"),
                     integer(one.find("lane_end_index"), "lane_end_index"),
                     reference(one.find("boundary_feature_id"), "boundary_feature_id"),
                     line_number(one.find("boundary_type"))});
    }
  }

  /// Reads Waymo's neighbours, or nuPlan's, which are ids from left to right.
  void read_neighbours(Value value, bool is_left, std::vector<waymo::Neighbour>& out) {
    for (const auto one : value.items()) {
      if (!one.is(pickle::Kind::dict)) {
        out.push_back({reference(one, "neighbor"), 0, 0, {}});
        continue;
      }
      out.push_back({reference(one.find("feature_id"), "feature_id"),
                     integer(one.find("self_start_index"), "self_start_index"),
                     integer(one.find("self_end_index"), "self_end_index"),
                     {}});
      for (const auto side : one.find("boundaries").items()) {
        take(left_items_, 1);
        out.back().boundary_types.push_back(line_number(side.find("boundary_type")));
      }
    }
    const auto is_id = [](const auto& one) { return one.begin == 0 && one.end == 0; };
    if (out.empty() || !std::all_of(out.begin(), out.end(), is_id)) return;
    (is_left ? out.back() : out.front()).end = 1;  // the nearest of all
  }

  bool is_lane(const Feature& feature) const {
    return feature.kind == FeatureKind::lane && has_direction(feature.points);
  }

  /// Sets the lanes ahead by their positions.
  void link_lanes() {
    std::vector<const Feature*> starts;
    for (const auto& one : out_.features) {
      if (is_lane(one)) starts.push_back(&one);
    }
    const auto x_of = [](const Feature* one) { return one->points.front().x; };
    std::stable_sort(starts.begin(), starts.end(),
                     [&](const auto* a, const auto* b) { return x_of(a) < x_of(b); });
    std::uint64_t comparisons = 0;
    for (auto& lane : out_.features) {
      if (!is_lane(lane)) continue;
      const auto& end = lane.points.back();
      const auto last = ends_of(lane.points).last;
      auto at =
          std::lower_bound(starts.begin(), starts.end(), end.x - kJointM,
                           [&](const auto* one, double x) { return x_of(one) < x; });
      for (; at != starts.end() && x_of(*at) <= end.x + kJointM; ++at) {
        if (++comparisons > kMaxJointComparisons) {
          fail(Errc::limit_exceeded, {"map_features: too many lanes at one position"});
        }
        const auto& start = (*at)->points.front();
        const auto first = ends_of((*at)->points).first;
        const bool is_near = geom::hypot(start.x - end.x, start.y - end.y) <= kJointM;
        const bool is_ahead = first.x * last.x + first.y * last.y >= kJointCos;
        if (*at == &lane || !is_near || !is_ahead) continue;
        take(left_items_, 1);
        lane.exits.push_back((*at)->id);
        correct("lane ahead by position", 1);
      }
    }
  }

  void set_connector_widths() {
    std::unordered_map<std::int64_t, double> widths;
    for (const auto& lane : out_.features) {
      if (lane.left.empty()) continue;
      const auto &a = lane.left.back(), &b = lane.right.back();
      const double width = geom::hypot(a.x - b.x, a.y - b.y);
      if (width < kMinLaneWidthM || width > kMaxLaneWidthM) continue;
      for (const auto exit : lane.exits) widths.emplace(exit, width);
    }
    for (auto& lane : out_.features) {
      if (lane.kind != FeatureKind::lane || !lane.left.empty()) continue;
      const auto width = widths.find(lane.id);
      lane.width_m = width == widths.end() ? kConnectorWidthM : width->second;
    }
  }

  PickledValues& values_;
  FeatureNames& names_;
  waymo::Message& out_;
  bool is_nuscenes_;
  std::size_t left_items_, left_points_;
  bool has_links_ = false;
  SideMaker maker_;
  std::string name_;
};

}  // namespace

std::int64_t FeatureNames::number(const std::string& name) {
  const auto [found, is_new] = rows_.emplace(name, std::ssize(names_));
  if (is_new) names_.push_back(name);
  return found->second;
}

void read_scenarionet_map(Value features, PickledValues& values, FeatureNames& names,
                          waymo::Message& out, const waymo::Limits& limits) {
  FeatureReader(values, names, out, limits).read(features);
}

}  // namespace bev::convert
