#include <bevscope/map.hpp>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/map/interpolate.hpp"
#include "core/map/meta.hpp"
#include "core/scan/fact_file_head.hpp"
#include "library/map_impl.hpp"
#include "library/result_arrays.hpp"

namespace bev {
namespace {

SemanticMap::Impl::Lines lines_of(const Arrays& arrays, const std::string& name) {
  return {arrays[name + ".points"].rows<double, 2>(), arrays.array<double>(name + ".z"),
          arrays.array<std::uint32_t>(name + ".offsets")};
}

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

void check_row(const char* what, std::size_t row, std::size_t count) {
  if (row < count) return;
  fail(Errc::out_of_range,
       {"semantic map: ", what, " ", row, " is out of range (count ", count, ")"});
}

/// Views items [first[row], first[row + 1]) of a list.
std::span<const std::uint32_t> list_of(const Arrays& arrays, const std::string& name,
                                       std::size_t row) {
  const auto first = arrays.array<std::uint32_t>(name + ".first");
  const auto items = arrays.array<std::uint32_t>(name);
  return items.subspan(first[row], first[row + 1] - first[row]);
}

TextView controls_of(const Arrays& arrays, std::size_t row) {
  const auto& text = arrays["lanes.controls"];
  const auto offsets = arrays.array<std::uint32_t>("lanes.controls.offsets");
  const auto first = arrays.array<std::uint32_t>("lanes.controls.first");
  const auto bytes = text.bytes();
  return {{reinterpret_cast<const char*>(bytes.data()), bytes.size()},
          offsets.subspan(first[row], first[row + 1] - first[row] + 1)};
}

std::optional<std::uint32_t> row_or_none(std::int32_t row) {
  if (row < 0) return std::nullopt;
  return static_cast<std::uint32_t>(row);
}

LaneLines shared_lines(map::LaneLines lines) {
  static_assert(sizeof(geom::Vec3) == sizeof(std::array<double, 3>));
  const auto owner = std::make_shared<const map::LaneLines>(std::move(lines));
  const auto view = [](const std::vector<geom::Vec3>& line) {
    return std::span(reinterpret_cast<const std::array<double, 3>*>(line.data()),
                     line.size());
  };
  return {view(owner->left), view(owner->right), view(owner->mid), owner};
}

}  // namespace

MapLine SemanticMap::Impl::Lines::operator[](std::size_t i) const {
  const auto begin = offsets[i], count = offsets[i + 1] - offsets[i];
  return {points.subspan(begin, count), z.subspan(begin, count)};
}

SemanticMap::Impl::Whole::Whole(std::shared_ptr<const map::SemanticMap> map)
    : query(std::move(map)),
      arrays(library::arrays_of(query.build(), nullptr)),
      lane_id(arrays.text("lanes.id")),
      crosswalk_id(arrays.text("crosswalks.id")),
      light_id(arrays.text("lights.id")),
      face_id(arrays.text("faces.id")),
      left(lines_of(arrays, "lanes.left")),
      right(lines_of(arrays, "lanes.right")),
      centre(lines_of(arrays, "lanes.centre")),
      crosswalks(lines_of(arrays, "crosswalks")) {}

SemanticMap::Impl::Impl(const Map& map, Mark mark_of_map)
    : source(map), mark(std::move(mark_of_map)) {
  whole_.emplace(map);
}

SemanticMap::Impl::Impl(map::MapSource parts, std::function<Map()> read_whole,
                        Mark mark_of_map)
    : source(std::move(parts)),
      mark(std::move(mark_of_map)),
      read_whole_(std::move(read_whole)) {}

const SemanticMap::Impl::Whole& SemanticMap::Impl::whole() const {
  std::call_once(once_, [&] {
    if (!whole_) whole_.emplace(read_whole_());
  });
  return *whole_;
}

SemanticMap::SemanticMap(std::span<const std::byte> fragment,
                         std::string_view meta_json)
    : impl_(std::make_shared<const Impl>(
          std::make_shared<const map::SemanticMap>(
              map::SemanticMap::parse(fragment, map::parse_meta(meta_json))),
          [mark = map_mark(fragment, bytes_of(meta_json))] { return mark; })) {}

SemanticMap::SemanticMap(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
SemanticMap::~SemanticMap() = default;
SemanticMap::SemanticMap(SemanticMap&&) noexcept = default;
SemanticMap& SemanticMap::operator=(SemanticMap&&) noexcept = default;

std::size_t SemanticMap::lane_count() const {
  return impl_->whole().lane_id.size();
}

std::size_t SemanticMap::crosswalk_count() const {
  return impl_->whole().crosswalk_id.size();
}

std::size_t SemanticMap::light_count() const {
  return impl_->whole().light_id.size();
}

std::size_t SemanticMap::face_count() const {
  return impl_->whole().face_id.size();
}

Lane SemanticMap::lane(std::size_t row) const {
  check_row("lane", row, lane_count());
  const auto& arrays = impl_->whole().arrays;
  const auto byte = [&](const char* name) {
    return arrays.array<std::uint8_t>(name)[row];
  };
  const auto maybe = [&](const char* name) {
    return row_or_none(arrays.array<std::int32_t>(name)[row]);
  };
  Lane lane;
  lane.id = impl_->whole().lane_id[row];
  lane.left = impl_->whole().left[row];
  lane.right = impl_->whole().right[row];
  lane.centre = impl_->whole().centre[row];
  lane.controls = controls_of(arrays, row);
  lane.ahead = list_of(arrays, "lanes.ahead", row);
  lane.adjacent_left = maybe("lanes.adjacent_left");
  lane.adjacent_right = maybe("lanes.adjacent_right");
  lane.in_junction = byte("lanes.in_junction") != 0;
  lane.turn = static_cast<Turn>(byte("lanes.turn"));
  lane.access = static_cast<Access>(byte("lanes.access"));
  lane.orientation = static_cast<Orientation>(byte("lanes.orientation"));
  lane.can_have_parked_cars = byte("lanes.can_have_parked_cars") != 0;
  lane.speed_limit = arrays.array<float>("lanes.speed_limit")[row];
  return lane;
}

Crosswalk SemanticMap::crosswalk(std::size_t row) const {
  check_row("crosswalk", row, crosswalk_count());
  return {impl_->whole().crosswalk_id[row], impl_->whole().crosswalks[row]};
}

TrafficLight SemanticMap::light(std::size_t row) const {
  check_row("traffic light", row, light_count());
  return {impl_->whole().light_id[row],
          impl_->whole().arrays["lights.position"].rows<double, 2>()[row]};
}

TrafficFace SemanticMap::face(std::size_t row) const {
  check_row("face", row, face_count());
  const auto colour = impl_->whole().arrays.array<std::uint8_t>("faces.colour")[row];
  return {impl_->whole().face_id[row], static_cast<FaceColour>(colour)};
}

std::optional<std::uint32_t> SemanticMap::find_lane(std::string_view id) const {
  return impl_->whole().query.map().lane_row(id);
}

std::vector<std::uint32_t> SemanticMap::lanes_near(double x, double y,
                                                   double radius) const {
  return impl_->whole().query.near(x, y, radius);
}

std::vector<std::uint32_t> SemanticMap::crosswalks_near(double x, double y,
                                                        double radius) const {
  return impl_->whole().query.crosswalks_near(x, y, radius);
}

LaneLines SemanticMap::lane_by_count(std::size_t row, std::uint32_t count) const {
  check_row("lane", row, lane_count());
  return shared_lines(
      map::lane_by_count(impl_->whole().query.map().lanes()[row], count));
}

LaneLines SemanticMap::lane_by_metres(std::size_t row, double step_m) const {
  check_row("lane", row, lane_count());
  return shared_lines(
      map::lane_by_metres(impl_->whole().query.map().lanes()[row], step_m));
}

std::vector<LaneColour> SemanticMap::lane_colours(
    std::span<const std::string> active) const {
  std::vector<LaneColour> colours;
  for (const auto colour : impl_->whole().query.lane_colours(active)) {
    colours.push_back(static_cast<LaneColour>(colour));
  }
  return colours;
}

std::array<double, 3> SemanticMap::geodetic(double x, double y, double z) const {
  return impl_->whole().query.geodetic(x, y, z);
}

std::size_t SemanticMap::part_count() const noexcept {
  const auto* const parts = impl_->source.parts();
  return parts == nullptr ? 0 : parts->count();
}

std::optional<std::size_t> SemanticMap::find_part(double x, double y) const {
  const auto* const parts = impl_->source.parts();
  return parts == nullptr ? std::nullopt : parts->find({x, y});
}

SemanticMap SemanticMap::part(std::size_t index) const {
  const auto* const parts = impl_->source.parts();
  if (parts == nullptr) fail_index({"map part "}, index, 0);
  return SemanticMap(
      std::make_shared<const Impl>(parts->part(index), [all = impl_, index] {
        return joined({all->mark(), " part ", index});
      }));
}

Arrays SemanticMap::arrays() const {
  const auto all = impl_->whole().arrays.all();
  return {{all.begin(), all.end()}, impl_};
}

}  // namespace bev
