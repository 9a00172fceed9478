#include "core/convert/lanelet2.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/lane_sides.hpp"
#include "core/geom/trig.hpp"
#include "core/geom/utm.hpp"

namespace bev::convert {
namespace lanelet2 {
namespace {

using Line = std::vector<geom::Vec3>;
using Kind = Lanelet::Kind;

constexpr double kOriginStepDeg = 0.01;

/// Returns the element with an id.
template <class Element>
const Element& element_of(const std::vector<Element>& all, Id id, const char* what,
                          Message user) {
  const auto found = std::lower_bound(all.begin(), all.end(), id,
                                      [](const auto& a, Id b) { return a.id < b; });
  if (found != all.end() && found->id == id) return *found;
  fail(Errc::invalid_metadata, {joined(user), ": ", what, " ", id, " is missing"});
}

double cross(const geom::Vec3& a, const geom::Vec3& b, const geom::Vec3& p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/// Returns on which side of the nearest step of a line a point is: 1 for left, -1 for
/// right, 0 on it. At a bend, the steps before and after may disagree; then the bend's
/// direction decides.
int side_of(const Line& line, const geom::Vec3& p) {
  double least = std::numeric_limits<double>::infinity();
  std::size_t step = 0;
  bool is_at_end = false;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const auto &a = line[i], &b = line[i + 1];
    const double dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
    const double size = dx * dx + dy * dy + dz * dz;
    const double along = (p.x - a.x) * dx + (p.y - a.y) * dy + (p.z - a.z) * dz;
    const double t = size > 0 ? std::clamp(along / size, 0.0, 1.0) : 0;
    const double x = a.x + t * dx - p.x, y = a.y + t * dy - p.y, z = a.z + t * dz - p.z;
    const double distance = x * x + y * y + z * z;
    if (!(distance < least)) continue;
    least = distance;
    step = i;
    is_at_end = t == 1;
  }
  if (least == 0) return 0;
  const bool is_left = cross(line[step], line[step + 1], p) > 0;
  if (is_at_end && step + 2 < line.size()) {
    const auto &a = line[step], &b = line[step + 1], &c = line[step + 2];
    const bool turns_left = cross(a, b, c) > 0;
    if (is_left != (cross(b, c, p) > 0) && is_left == turns_left)
      return is_left ? -1 : 1;
  }
  return is_left ? 1 : -1;
}

geom::Vec3 middle_of(const Line& line) {
  if (line.size() > 2) return line[line.size() / 2];
  const auto &a = line.front(), &b = line.back();
  return {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
}

/// A side of a lanelet in its direction.
struct Bound {
  const Way* way = nullptr;
  bool is_reversed = false;
  Line points;

  void reverse() {
    is_reversed = !is_reversed;
    std::reverse(points.begin(), points.end());
  }
  Id first() const { return is_reversed ? way->nodes.back() : way->nodes.front(); }
  Id last() const { return is_reversed ? way->nodes.front() : way->nodes.back(); }
};

/// Turns the sides of a lanelet, so that left is left of right.
void align(Bound& left, Bound& right) {
  if (side_of(left.points, middle_of(right.points)) >= 0) left.reverse();
  if (side_of(right.points, middle_of(left.points)) <= 0) right.reverse();
}

/// The nodes of a map in world. Those that are needed are converted, each once.
class Positions {
 public:
  Positions(const std::vector<Node>& nodes, const std::optional<geom::Geodetic>& origin)
      : nodes_(nodes), origin_(origin), is_known_(nodes.size()) {}

  /// Adds a way to those that are needed.
  void need(const Way& way) {
    for (const auto id : way.nodes) {
      const auto& node = node_of(way, id);
      is_local_ = is_local_ && node.metres.has_value();
      if (!node.degrees) continue;
      box_.add(geom::Vec3{node.degrees->x, node.degrees->y, 0});
    }
  }

  /// Chooses the origin, when all needed ways are known. Returns it.
  map::RawFrame choose() {
    if (!origin_) {
      const auto rounded = [](double a, double b) {
        return std::floor((a + b) / 2 / kOriginStepDeg + 0.5) * kOriginStepDeg;
      };
      origin_ = geom::Geodetic{0, 0, 0};
      if (!box_.empty()) {
        origin_->latitude_deg = rounded(box_.min_y, box_.max_y);
        origin_->longitude_deg = rounded(box_.min_x, box_.max_x);
      }
    }
    const auto [latitude, longitude, unused] = *origin_;
    const auto zone = geom::utm_zone_of(latitude, longitude);
    if (!zone && !is_local_) {
      fail(Errc::unsupported, {"map: the origin is outside UTM"});
    }
    zone_ = zone.value_or(geom::UtmZone{1});
    if (!is_local_) offset_ = geom::utm_from_geodetic(latitude, longitude, zone_);
    const auto e7 = [](double degrees) {
      return static_cast<std::int32_t>(std::floor(degrees * 1e7 + 0.5));
    };
    return {e7(latitude), e7(longitude)};
  }

  Line line_of(const Way& way) {
    Line out;
    out.reserve(way.nodes.size());
    if (world_.empty()) world_.resize(nodes_.size());
    for (const auto id : way.nodes) {
      const auto& node = node_of(way, id);
      const auto row = static_cast<std::size_t>(&node - nodes_.data());
      if (!is_known_[row]) world_[row] = world_of(node);
      is_known_[row] = true;
      out.push_back(world_[row]);
    }
    return out;
  }

 private:
  const Node& node_of(const Way& way, Id id) const {
    return element_of(nodes_, id, "node", {"way ", way.id});
  }

  geom::Vec3 world_of(const Node& node) const {
    if (is_local_ && !node.metres) {
      fail(Errc::invalid_metadata, {"node ", node.id, ": no local_x and local_y"});
    }
    if (is_local_) return {node.metres->x, node.metres->y, node.height};
    if (!node.degrees) {
      fail(Errc::invalid_metadata, {"node ", node.id, ": no latitude and longitude"});
    }
    const auto [longitude, latitude] = *node.degrees;
    const double aside = std::remainder(longitude - origin_->longitude_deg, 360);
    const bool is_near =
        std::abs(latitude - origin_->latitude_deg) <= kMaxLaneletReachDeg &&
        std::abs(aside) <= kMaxLaneletReachDeg;
    if (!is_near) {
      fail(Errc::invalid_metadata, {"node ", node.id, ": far from the map's origin"});
    }
    const auto at = geom::utm_from_geodetic(latitude, longitude, zone_);
    return {at.x - offset_.x, at.y - offset_.y, node.height};
  }

  const std::vector<Node>& nodes_;
  std::optional<geom::Geodetic> origin_;
  geom::UtmZone zone_;
  geom::Vec2 offset_{};
  map::Box box_;
  bool is_local_ = true;
  std::vector<bool> is_known_;
  Line world_;
};

class LaneletImporter {
 public:
  LaneletImporter(File file, const std::optional<geom::Geodetic>& origin)
      : file_(std::move(file)), positions_(file_.nodes, origin) {}

  SourceMap run() {
    out_.lost = std::move(file_.lost);
    std::size_t points = 0;
    const auto need = [&](const Way& way) {
      points += way.nodes.size();
      if (points > kMaxLaneletPoints) {
        fail(Errc::limit_exceeded, {"map: more than ", kMaxLaneletPoints, " points"});
      }
      positions_.need(way);
    };
    for (const auto& lanelet : file_.lanelets) {
      need(way_of(lanelet, lanelet.left));
      need(way_of(lanelet, lanelet.right));
      if (lanelet.centre) need(way_of(lanelet, *lanelet.centre));
    }
    out_.frame = positions_.choose();
    for (const auto& lanelet : file_.lanelets) add(lanelet);
    std::sort(starts_.begin(), starts_.end());
    std::sort(lefts_.begin(), lefts_.end());
    std::sort(rights_.begin(), rights_.end());
    for (std::size_t row = 0; row < ends_.size(); ++row) link(row);
    return std::move(out_);
  }

 private:
  /// The two nodes at an end, access and row of a lane.
  using Start = std::tuple<Id, Id, map::Access, std::size_t>;
  /// Way, direction, access and row of a lane's side.
  using Beside = std::tuple<Id, bool, map::Access, std::size_t>;

  struct End {
    const Lanelet* lanelet;
    Id left, right;  ///< last nodes
    std::pair<Id, bool> left_way, right_way;
  };

  const Way& way_of(const Lanelet& lanelet, Id id) const {
    return element_of(file_.ways, id, "way", {"lanelet ", lanelet.id});
  }

  void add(const Lanelet& lanelet) {
    const auto bound = [&](Id id) {
      const auto& way = way_of(lanelet, id);
      return Bound{&way, false, positions_.line_of(way)};
    };
    auto left = bound(lanelet.left), right = bound(lanelet.right);
    if (!has_direction(left.points) || !has_direction(right.points)) {
      ++out_.lost["lanelet without length"];
      return;
    }
    align(left, right);
    if (lanelet.kind == Kind::crosswalk) return add_crosswalk(lanelet, left, right);
    SourceLane lane;
    lane.id = std::to_string(lanelet.id);
    lane.access = lanelet.access;
    // The lane is on the right of its left side.
    set_side(left, true, lane.left_divider, lane.can_cross_left);
    set_side(right, false, lane.right_divider, lane.can_cross_right);
    lane.in_junction = lanelet.in_junction;
    if (lane.in_junction) lane.turn = turn_of(ends_of(left.points));
    if (lanelet.centre) lane.centre = centre_of(lanelet, left, right);
    const auto row = out_.lanes.size();
    starts_.push_back({left.first(), right.first(), lane.access, row});
    lefts_.push_back({left.way->id, left.is_reversed, lane.access, row});
    rights_.push_back({right.way->id, right.is_reversed, lane.access, row});
    ends_.push_back({&lanelet,
                     left.last(),
                     right.last(),
                     {left.way->id, left.is_reversed},
                     {right.way->id, right.is_reversed}});
    lane.left = std::move(left.points);
    lane.right = std::move(right.points);
    out_.lanes.push_back(std::move(lane));
  }

  static void set_side(const Bound& bound, bool is_left, map::Divider& divider,
                       bool& can_cross) {
    const auto& way = *bound.way;
    // Whether the lane lies on the right of the way, which may be crossed to the left.
    const bool is_from_right = is_left != bound.is_reversed;
    divider = is_from_right ? way.from_right : way.from_left;
    can_cross = is_from_right ? way.to_left : way.to_right;
  }

  Line centre_of(const Lanelet& lanelet, const Bound& left, const Bound& right) {
    auto out = positions_.line_of(way_of(lanelet, *lanelet.centre));
    if (!has_direction(out)) return {};
    const auto &a = left.points, &b = right.points;
    const double x = a.back().x + b.back().x - a.front().x - b.front().x;
    const double y = a.back().y + b.back().y - a.front().y - b.front().y;
    const double along =
        (out.back().x - out.front().x) * x + (out.back().y - out.front().y) * y;
    if (along < 0) std::reverse(out.begin(), out.end());
    return out;
  }

  void add_crosswalk(const Lanelet& lanelet, const Bound& left, const Bound& right) {
    SourceCrosswalk out{std::to_string(lanelet.id), left.points};
    out.outline.insert(out.outline.end(), right.points.rbegin(), right.points.rend());
    out_.crosswalks.push_back(std::move(out));
  }

  void count_link() {
    if (++links_ <= kMaxLaneletLinks) return;
    fail(Errc::limit_exceeded, {"map: more than ", kMaxLaneletLinks, " links"});
  }

  void link(std::size_t row) {
    const auto& end = ends_[row];
    const auto access = out_.lanes[row].access;
    add_ahead(row, access);
    if (access != map::Access::no_restriction) {
      add_ahead(row, map::Access::no_restriction);
    }
    out_.lanes[row].left_neighbour = neighbour(rights_, end.left_way, row);
    out_.lanes[row].right_neighbour = neighbour(lefts_, end.right_way, row);
    for (const auto rule : end.lanelet->rules) add_lights(rule, out_.lanes[row]);
  }

  /// Adds the lanes ahead with this access: their sides begin where the lane's end.
  void add_ahead(std::size_t row, map::Access access) {
    const auto& end = ends_[row];
    auto at = std::lower_bound(starts_.begin(), starts_.end(),
                               Start{end.left, end.right, access, 0});
    for (; at != starts_.end(); ++at) {
      const auto& [left, right, other, next] = *at;
      if (left != end.left || right != end.right || other != access) break;
      if (next == row) continue;
      count_link();
      out_.lanes[row].ahead.push_back(out_.lanes[next].id);
    }
  }

  /// Returns the lane with this side, of the same access or without restriction.
  std::string neighbour(const std::vector<Beside>& sides,
                        const std::pair<Id, bool>& way, std::size_t row) const {
    for (const auto access : {out_.lanes[row].access, map::Access::no_restriction}) {
      const auto at = std::lower_bound(sides.begin(), sides.end(),
                                       Beside{way.first, way.second, access, 0});
      if (at == sides.end()) continue;
      const auto& [id, is_reversed, other, found] = *at;
      const bool is_beside =
          id == way.first && is_reversed == way.second && other == access;
      if (is_beside && found != row) return out_.lanes[found].id;
    }
    return {};
  }

  void add_lights(Id rule, SourceLane& lane) {
    const auto found = std::lower_bound(file_.lights.begin(), file_.lights.end(), rule,
                                        [](const auto& a, Id b) { return a.id < b; });
    if (found == file_.lights.end() || found->id != rule) return;
    for (const auto id : found->ways) {
      count_link();
      const auto& way =
          element_of(file_.ways, id, "way", {"regulatory element ", rule});
      const auto row = light_rows_.emplace(id, out_.lights.size());
      if (row.second) add_light(way);
      for (const auto& face : out_.lights[row.first->second].faces) {
        lane.faces.push_back(face.id);
      }
    }
  }

  void add_light(const Way& way) {
    constexpr std::pair<map::Colour, const char*> kFaces[] = {
        {map::Colour::red, "/r"},
        {map::Colour::yellow, "/y"},
        {map::Colour::green, "/g"}};
    const auto id = std::to_string(way.id);
    SourceLight light{id + "/l", {}, {}};
    for (const auto& [colour, end] : kFaces) {
      const auto& known = way.colours;
      if (known.empty() || std::find(known.begin(), known.end(), colour) != known.end())
        light.faces.push_back({id + end, colour});
    }
    const auto line = positions_.line_of(way);
    if (!line.empty()) light.position = middle_of(line);
    out_.lights.push_back(std::move(light));
  }

  File file_;
  Positions positions_;
  SourceMap out_;
  std::vector<Start> starts_;
  std::vector<Beside> lefts_, rights_;
  std::vector<End> ends_;
  std::map<Id, std::size_t> light_rows_;
  std::size_t links_ = 0;
};

}  // namespace
}  // namespace lanelet2

SourceMap import_lanelet2(std::string_view xml,
                          const std::optional<geom::Geodetic>& origin) {
  return lanelet2::LaneletImporter(lanelet2::parse(xml), origin).run();
}

}  // namespace bev::convert
