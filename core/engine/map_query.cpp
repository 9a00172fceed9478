#include "core/engine/map_query.hpp"

namespace bev {
namespace {

using map::FlatLines;
using map::FlatText;

/// Lists arrays of somebody else's bytes.
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
    column(name + ".offsets", "<u4", lines.offsets);
  }

  std::vector<ResultArray> take() { return std::move(arrays_); }

 private:
  std::vector<ResultArray> arrays_;
};

static_assert(sizeof(geom::Vec2) == 2 * sizeof(double));  // a row of points

std::vector<ResultArray> arrays_of(const map::FlatMap& flat) {
  Lister list;
  list.text("lanes.id", flat.lane_id);
  list.lines("lanes.left", flat.left);
  list.lines("lanes.right", flat.right);
  list.column("lanes.left.divider", "|u1", flat.left_divider);
  list.column("lanes.right.divider", "|u1", flat.right_divider);
  list.text("lanes.controls", flat.controls);
  list.column("lanes.controls.first", "<u4", flat.controls_first);
  list.column("lanes.ahead", "<u4", flat.ahead.rows);
  list.column("lanes.ahead.first", "<u4", flat.ahead.first);
  list.column("lanes.in_junction", "|b1", flat.in_junction);
  list.column("lanes.turn", "|u1", flat.turn);
  list.column("lanes.access", "|u1", flat.access);
  list.text("crosswalks.id", flat.crosswalk_id);
  list.lines("crosswalks", flat.crosswalks);
  list.text("lights.id", flat.light_id);
  list.points("lights.position", flat.light_position);
  list.text("faces.id", flat.face_id);
  list.column("faces.colour", "|u1", flat.face_colour);
  list.add("bounds", "<f8", {2, 2}, flat.bounds);
  return list.take();
}

map::SemanticMap parsed(std::span<const std::byte> fragment,
                        std::span<const std::byte> meta_json) {
  const std::string_view json(reinterpret_cast<const char*>(meta_json.data()),
                              meta_json.size());
  return map::SemanticMap::parse(fragment, map::parse_meta(json));
}

}  // namespace

MapQuery::MapQuery(std::span<const std::byte> fragment,
                   std::span<const std::byte> meta_json)
    : map_(parsed(fragment, meta_json)),
      lights_(map_),
      flat_(map::flatten(map_)),
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

}  // namespace bev
