#include "core/engine/map_query.hpp"

#include <utility>

#include "core/base/error.hpp"

namespace bev {
namespace {

using map::FlatDividers;
using map::FlatLines;
using map::FlatRows;
using map::FlatText;

/// Collects result arrays that refer to memory owned elsewhere.
class Lister {
 public:
  template <class T>
  void add(const std::string& name, const char* dtype, std::vector<std::size_t> shape,
           const T& values) {
    arrays_.push_back(
        {name, dtype, std::move(shape), std::as_bytes(std::span(values))});
  }
  template <class T>
  void column(const std::string& name, const char* dtype,
              const std::vector<T>& values) {
    add(name, dtype, {values.size()}, values);
  }
  void points(const std::string& name, const std::vector<geom::Vec2>& points) {
    add(name, "<f8", {points.size(), 2}, points);
  }
  void text(const std::string& name, const FlatText& text) {
    add(name, "utf8", {text.offsets.size() - 1}, text.utf8);
    column(name + ".offsets", "<u4", text.offsets);
  }
  void lines(const std::string& name, const FlatLines& lines) {
    points(name + ".points", lines.points);
    column(name + ".z", "<f8", lines.heights);
    column(name + ".offsets", "<u4", lines.offsets);
  }

  void rows(const std::string& name, const FlatRows& list) {
    column(name, "<u4", list.rows);
    column(name + ".first", "<u4", list.first);
  }
  void dividers(const std::string& side, const FlatDividers& list) {
    column(side + ".dividers", "|u1", list.kinds);
    column(side + ".dividers.first", "<u4", list.kinds_first);
    column(side + ".changes_cm", "<i4", list.changes_cm);
    column(side + ".changes_cm.first", "<u4", list.changes_first);
  }

  std::vector<ResultArray> take() { return std::move(arrays_); }

 private:
  std::vector<ResultArray> arrays_;
};

static_assert(sizeof(geom::Vec2) == 2 * sizeof(double));  // stored as rows of x, y
static_assert(sizeof(geom::Vec3) == 3 * sizeof(double));

void list_lanes(Lister& list, const map::FlatMap& flat) {
  list.text("lanes.id", flat.lane_id);
  list.lines("lanes.left", flat.left);
  list.lines("lanes.right", flat.right);
  list.lines("lanes.centre", flat.centre);
  list.column("lanes.left.divider", "|u1", flat.left_divider);
  list.column("lanes.right.divider", "|u1", flat.right_divider);
  list.dividers("lanes.left", flat.left_dividers);
  list.dividers("lanes.right", flat.right_dividers);
  list.text("lanes.controls", flat.controls);
  list.column("lanes.controls.first", "<u4", flat.controls_first);
  list.rows("lanes.ahead", flat.ahead);
  list.column("lanes.adjacent_left", "<i4", flat.adjacent_left);
  list.column("lanes.adjacent_right", "<i4", flat.adjacent_right);
  list.column("lanes.junction", "<i4", flat.junction);
  list.column("lanes.segment", "<i4", flat.segment);
  list.column("lanes.in_junction", "|b1", flat.in_junction);
  list.column("lanes.turn", "|u1", flat.turn);
  list.column("lanes.access", "|u1", flat.access);
  list.column("lanes.orientation", "|u1", flat.orientation);
  list.column("lanes.can_have_parked_cars", "|b1", flat.can_have_parked_cars);
  list.column("lanes.speed_limit", "<f4", flat.speed_limit);
  list.add("lanes.stop_line", "<f8", {flat.stop_line.size(), 2, 2}, flat.stop_line);
}

std::vector<ResultArray> arrays_of(const map::FlatMap& flat) {
  Lister list;
  list_lanes(list, flat);
  list.text("crosswalks.id", flat.crosswalk_id);
  list.lines("crosswalks", flat.crosswalks);
  list.text("lights.id", flat.light_id);
  list.points("lights.position", flat.light_position);
  list.column("lights.from_deg", "<f4", flat.light_from_deg);
  list.column("lights.movements", "|u1", flat.light_movements);
  list.text("faces.id", flat.face_id);
  list.column("faces.colour", "|u1", flat.face_colour);
  list.text("junctions.id", flat.junction_id);
  list.column("junctions.is_intersection", "|b1", flat.junction_is_intersection);
  list.rows("junctions.lanes", flat.junction_lanes);
  list.text("segments.id", flat.segment_id);
  list.column("segments.speed_limit", "<f4", flat.segment_speed_limit);
  list.column("segments.speed_limit_backward", "<f4",
              flat.segment_speed_limit_backward);
  list.add("bounds", "<f8", {2, 2}, flat.bounds);
  return list.take();
}

std::shared_ptr<const map::SemanticMap> parsed(std::span<const std::byte> fragment,
                                               std::span<const std::byte> meta_json) {
  const std::string_view text(reinterpret_cast<const char*>(meta_json.data()),
                              meta_json.size());
  return std::make_shared<const map::SemanticMap>(
      map::SemanticMap::parse(fragment, map::parse_meta(text)));
}

}  // namespace

MapQuery::MapQuery(std::span<const std::byte> fragment,
                   std::span<const std::byte> meta_json)
    : MapQuery(parsed(fragment, meta_json)) {}

MapQuery::MapQuery(std::shared_ptr<const map::SemanticMap> map)
    : map_(std::move(map)),
      lights_(*map_),
      flat_(map::flatten(*map_)),
      arrays_(arrays_of(flat_)) {}

std::vector<std::uint8_t> MapQuery::lane_colours(
    std::span<const std::string> active) const {
  const std::vector<std::string_view> ids(active.begin(), active.end());
  std::vector<std::uint8_t> out;
  for (const map::LaneLight light : lights_.colours(ids)) {
    out.push_back(static_cast<std::uint8_t>(light));
  }
  return out;
}

const map::Lane& MapQuery::lane(std::uint32_t row) const {
  const auto lanes = map_->lanes();
  if (row < lanes.size()) return lanes[row];
  fail_index({"semantic map: lane "}, row, lanes.size());
}

std::span<const ResultArray> MapQuery::show(map::LaneLines lines) {
  lines_ = std::move(lines);
  Lister list;
  const auto add = [&](const char* name, const std::vector<geom::Vec3>& line) {
    list.add(name, "<f8", {line.size(), 3}, line);
  };
  add("left", lines_.left);
  add("right", lines_.right);
  add("mid", lines_.mid);
  line_arrays_ = list.take();
  return line_arrays_;
}

std::span<const ResultArray> MapQuery::lane_by_count(std::uint32_t row,
                                                     std::uint32_t count) {
  return show(map::lane_by_count(lane(row), count));
}

std::span<const ResultArray> MapQuery::lane_by_metres(std::uint32_t row,
                                                      double step_m) {
  return show(map::lane_by_metres(lane(row), step_m));
}

int MapQuery::light_feature(std::uint32_t row,
                            std::span<const std::string> active) const {
  std::vector<map::ActiveFace> faces;
  for (const auto& id : active) {
    const auto face = map_->face_row(id);
    if (face) faces.push_back({id, map_->faces()[*face].colour});
  }
  return map::traffic_light_feature(*map_, row, faces);
}

std::array<double, 3> MapQuery::geodetic(double x, double y, double z) const {
  const auto place = map_->geodetic({x, y, z});
  return {place.latitude_deg, place.longitude_deg, place.altitude_m};
}

}  // namespace bev
