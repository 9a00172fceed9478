#include "core/convert/nuplan_map.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/geo_package.hpp"
#include "core/convert/lane_sides.hpp"

namespace bev::convert {

namespace {

using map::Divider;

constexpr double kUsualWidthM = 3.5;

/// Returns a reference, which files store as integer, number or text.
std::optional<std::int64_t> reference_of(const sqlite::Value& value) {
  if (value.kind == sqlite::Kind::integer) return value.integer;
  if (value.kind == sqlite::Kind::real) {
    const bool is_whole =
        std::abs(value.real) < 9e15 && std::floor(value.real) == value.real;
    return is_whole ? std::optional(static_cast<std::int64_t>(value.real))
                    : std::nullopt;
  }
  if (value.kind != sqlite::Kind::text) return std::nullopt;
  std::int64_t whole = 0;
  const auto* const end = value.bytes.data() + value.bytes.size();
  const auto [stop, error] = std::from_chars(value.bytes.data(), end, whole);
  const std::string_view rest(stop, static_cast<std::size_t>(end - stop));
  const bool is_whole = error == std::errc() && (rest.empty() || rest == ".0");
  return is_whole ? std::optional(whole) : std::nullopt;
}

double length_between(const geom::Vec3& a, const geom::Vec3& b) {
  return geom::hypot(a.x - b.x, a.y - b.y);
}

/// Turns a line to the direction of another one.
void align(std::vector<geom::Vec3>& line, const std::vector<geom::Vec3>& with) {
  const auto same = length_between(line.front(), with.front()) +
                    length_between(line.back(), with.back());
  const auto other = length_between(line.front(), with.back()) +
                     length_between(line.back(), with.front());
  if (other < same) std::reverse(line.begin(), line.end());
}

UtmArea area_of(const std::vector<geom::Vec3>& line, UtmArea out) {
  for (const auto& p : line) {
    out = {std::min(out[0], p.x), std::max(out[1], p.x), std::min(out[2], p.y),
           std::max(out[3], p.y)};
  }
  return out;
}

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr UtmArea kNowhere = {kFar, -kFar, kFar, -kFar};

bool touches(const UtmArea& a, const UtmArea& b) {
  return a[0] <= b[1] && b[0] <= a[1] && a[2] <= b[3] && b[2] <= a[3];
}

std::vector<geom::Vec3> moved_by(const std::vector<geom::Vec3>& line, double dx,
                                 double dy) {
  std::vector<geom::Vec3> out;
  out.reserve(line.size());
  for (const auto& p : line) out.push_back({p.x + dx, p.y + dy, p.z});
  return out;
}

}  // namespace

/// Fills a map from the layers of a file.
class NuplanMapLayers {
 public:
  NuplanMapLayers(const sqlite::Database& database, std::int64_t epsg,
                  const Tables& tables)
      : database_(database), tables_(tables), out_(epsg) {}

  NuplanMap read() {
    if (!package_) package_.emplace(database_, out_.epsg_);
    constexpr std::array kLayers = {
        &NuplanMapLayers::read_boundaries, &NuplanMapLayers::read_centres,
        &NuplanMapLayers::read_lanes,      &NuplanMapLayers::read_sides,
        &NuplanMapLayers::read_connectors, &NuplanMapLayers::link,
        &NuplanMapLayers::read_crosswalks, &NuplanMapLayers::read_stops};
    for (; layer_ < kLayers.size(); ++layer_) {
      (this->*kLayers[layer_])();
      next_row_ = kFirstRow;
    }
    return std::move(out_);
  }

 private:
  static constexpr auto kFirstRow = std::numeric_limits<std::int64_t>::min();

  struct Boundary {
    std::vector<geom::Vec3> points;
    std::int64_t type = -1;
  };
  struct Sides {
    std::optional<std::int64_t> left, right;
  };
  struct Position {
    std::int64_t fid = 0;
    std::optional<std::int64_t> group, index;
  };

  /// Passes the rows that were not passed yet.
  template <class Use>
  void for_each(sqlite::Rows& rows, Use use) {
    bool has = rows.seek_all(next_row_);
    for (; has; has = rows.next()) {
      static_cast<void>(rows[0]);  // reads all of the row, so that `use` reads nothing
      use();
      if (rows.rowid() == std::numeric_limits<std::int64_t>::max()) return;
      next_row_ = rows.rowid() + 1;
    }
  }

  void read_boundaries() {
    const auto column = package_->column_of("boundaries");
    sqlite::Rows rows(database_, database_.table("boundaries"),
                      {"fid", "boundary_type_fid", column});
    for_each(rows, [&] {
      const auto fid = rows[0].integer;
      Boundary boundary{package_->line("boundaries", fid, rows[2]),
                        reference_of(rows[1]).value_or(-1)};
      if (boundary.points.size() > 1) boundaries_[fid] = std::move(boundary);
    });
  }

  void read_centres() {
    const auto column = package_->column_of("baseline_paths");
    sqlite::Rows rows(database_, database_.table("baseline_paths"),
                      {"fid", "lane_fid", "lane_connector_fid", column});
    for_each(rows, [&] {
      auto points = package_->line("baseline_paths", rows[0].integer, rows[3]);
      if (points.size() < 2 || !has_direction(points)) return;
      if (const auto lane = reference_of(rows[1])) {
        lane_centres_[*lane] = std::move(points);
      } else if (const auto connector = reference_of(rows[2])) {
        connector_centres_[*connector] = std::move(points);
      }
    });
  }

  void read_lanes() {
    sqlite::Rows rows(database_, database_.table("lanes_polygons"),
                      {"fid", "lane_group_fid", "lane_index", "left_boundary_fid",
                       "right_boundary_fid"});
    for_each(rows, [&] {
      const auto fid = rows[0].integer;
      const auto centre = lane_centres_.find(fid);
      if (centre == lane_centres_.end()) return;
      SourceLane lane;
      lane.id = std::to_string(fid);
      lane.centre = centre->second;
      lane.access = map::Access::no_restriction;
      const auto group = reference_of(rows[1]), index = reference_of(rows[2]);
      if (group && index) groups_[{*group, *index}] = lane.id;
      places_.push_back({fid, group, index});
      add(std::move(lane), {reference_of(rows[3]), reference_of(rows[4])}, "lane");
    });
  }

  void read_sides() {
    const auto* const table =
        database_.find("gen_lane_connectors_scaled_width_polygons");
    if (table == nullptr) return;
    sqlite::Rows rows(
        database_, *table,
        {"lane_connector_fid", "left_boundary_fid", "right_boundary_fid"});
    for_each(rows, [&] {
      const auto fid = reference_of(rows[0]);
      if (fid) sides_[*fid] = {reference_of(rows[1]), reference_of(rows[2])};
    });
  }

  void read_connectors() {
    sqlite::Rows rows(database_, database_.table("lane_connectors"),
                      {"fid", "exit_lane_fid", "entry_lane_fid"});
    for_each(rows, [&] {
      const auto fid = rows[0].integer;
      const auto centre = connector_centres_.find(fid);
      if (centre == connector_centres_.end()) return;
      SourceLane lane;
      lane.id = NuplanMap::connector_id(fid);
      lane.centre = centre->second;
      lane.access = map::Access::no_restriction;
      lane.in_junction = true;
      lane.turn = turn_of(ends_of(lane.centre));
      // Named from the lanes: one exits to the connector, which enters the other.
      if (const auto from = reference_of(rows[1])) exits_[*from].push_back(lane.id);
      if (const auto to = reference_of(rows[2])) {
        lane.ahead.push_back(std::to_string(*to));
      }
      places_.push_back({fid, {}, {}});
      const auto found = sides_.find(fid);
      add(std::move(lane), found == sides_.end() ? Sides() : found->second,
          "lane_connector");
    });
  }

  void add(SourceLane lane, const Sides& sides, const char* type) {
    const auto width = tables_.lane_widths_m.find(type);
    const double half =
        (width == tables_.lane_widths_m.end() ? kUsualWidthM : width->second) / 2;
    bool is_from_width = false;
    const auto set = [&](std::optional<std::int64_t> fid, Hand hand, auto& points,
                         Divider& divider, bool& can_cross) {
      const auto found = fid ? boundaries_.find(*fid) : boundaries_.end();
      if (found == boundaries_.end()) {
        points = maker_.make(lane.centre, {}, hand, half).points;
        is_from_width = true;
        return;
      }
      points = found->second.points;
      align(points, lane.centre);
      if (found->second.type == 0) divider = Divider::single_white_dashed;
      if (found->second.type == 2) divider = Divider::single_white_solid;
      can_cross = found->second.type == 0;
    };
    set(sides.left, Hand::left, lane.left, lane.left_divider, lane.can_cross_left);
    set(sides.right, Hand::right, lane.right, lane.right_divider, lane.can_cross_right);
    out_.rows_[lane.id] = out_.lanes_.size();
    out_.lane_areas_.push_back(
        area_of(lane.right, area_of(lane.left, area_of(lane.centre, kNowhere))));
    out_.has_width_side_.push_back(is_from_width);
    out_.lanes_.push_back(std::move(lane));
  }

  /// Sets what needs all lanes: neighbours, and the connectors ahead of lanes.
  void link() {
    for (std::size_t i = 0; i < out_.lanes_.size(); ++i) {
      auto& lane = out_.lanes_[i];
      const auto& place = places_[i];
      if (lane.in_junction) continue;
      const auto ahead = exits_.find(place.fid);
      if (ahead != exits_.end()) lane.ahead = ahead->second;
      if (!place.group || !place.index) continue;
      const auto neighbour = [&](std::int64_t by) {
        const auto found = groups_.find({*place.group, *place.index + by});
        return found == groups_.end() ? std::string() : found->second;
      };
      lane.left_neighbour = neighbour(-1);  // counted from the left
      lane.right_neighbour = neighbour(1);
    }
  }

  template <class Use>
  void read_polygons(const char* layer, Use use) {
    const auto column = package_->column_of(layer);
    sqlite::Rows rows(database_, database_.table(layer), {"fid", column});
    for_each(rows, [&] {
      const auto fid = rows[0].integer;
      auto found = package_->geometry(layer, fid, rows[1]);
      if (found.lines.empty()) return;
      auto outline = std::move(found.lines.front());
      if (outline.size() > 1 && outline.front() == outline.back()) outline.pop_back();
      if (outline.size() >= 3) use(fid, std::move(outline));
    });
  }

  void read_crosswalks() {
    read_polygons("crosswalks", [&](std::int64_t fid, auto outline) {
      out_.crosswalk_areas_.push_back(area_of(outline, kNowhere));
      out_.crosswalks_.push_back({"x" + std::to_string(fid), std::move(outline)});
    });
  }

  void read_stops() {
    if (database_.find("stop_polygons") == nullptr) return;
    read_polygons("stop_polygons", [&](std::int64_t, const auto& outline) {
      out_.stop_areas_.push_back(area_of(outline, kNowhere));
    });
  }

  const sqlite::Database& database_;
  Tables tables_;
  NuplanMap out_;
  std::optional<GeoPackage> package_;
  std::size_t layer_ = 0;              // that is being read, and
  std::int64_t next_row_ = kFirstRow;  // its next row
  std::unordered_map<std::int64_t, Boundary> boundaries_;
  std::unordered_map<std::int64_t, std::vector<geom::Vec3>> lane_centres_,
      connector_centres_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> groups_;
  std::vector<Position> places_;  // of lanes
  std::unordered_map<std::int64_t, std::vector<std::string>> exits_;
  std::unordered_map<std::int64_t, Sides> sides_;  // of connectors
  SideMaker maker_;
};

NuplanMapReader::NuplanMapReader(const sqlite::Database& database, std::int64_t epsg,
                                 const Tables& tables)
    : layers_(std::make_unique<NuplanMapLayers>(database, epsg, tables)) {}

NuplanMapReader::~NuplanMapReader() = default;

NuplanMap NuplanMapReader::read() {
  return layers_->read();
}

NuplanMap::NuplanMap(const sqlite::Database& database, std::int64_t epsg,
                     const Tables& tables)
    : NuplanMap(NuplanMapReader(database, epsg, tables).read()) {}

std::string NuplanMap::connector_id(std::int64_t connector) {
  return "c" + std::to_string(connector);
}

SourceMap NuplanMap::within(const UtmArea& area, double dx, double dy) const {
  SourceMap out;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (!touches(lane_areas_[i], area)) continue;
    auto lane = lanes_[i];
    lane.left = moved_by(lane.left, dx, dy);
    lane.right = moved_by(lane.right, dx, dy);
    lane.centre = moved_by(lane.centre, dx, dy);
    if (has_width_side_[i]) ++out.lost["lane side from width"];
    out.lanes.push_back(std::move(lane));
  }
  for (std::size_t i = 0; i < crosswalks_.size(); ++i) {
    if (!touches(crosswalk_areas_[i], area)) continue;
    out.crosswalks.push_back(
        {crosswalks_[i].id, moved_by(crosswalks_[i].outline, dx, dy)});
  }
  const auto stops = std::count_if(stop_areas_.begin(), stop_areas_.end(),
                                   [&](const auto& one) { return touches(one, area); });
  if (stops > 0) out.lost["stop polygon"] = static_cast<std::uint64_t>(stops);
  return out;
}

std::optional<geom::Vec3> NuplanMap::start_of(std::int64_t connector, double dx,
                                              double dy) const {
  const auto found = rows_.find(connector_id(connector));
  if (found == rows_.end()) return std::nullopt;
  const auto& p = lanes_[found->second].centre.front();
  return geom::Vec3{p.x + dx, p.y + dy, p.z};
}

}  // namespace bev::convert
