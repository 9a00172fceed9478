#include <bevscope/map.hpp>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/map/interpolate.hpp"
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

SemanticMap::Impl::Impl(std::span<const std::byte> fragment, std::string_view meta_json)
    : mark(map_mark(fragment, bytes_of(meta_json))),
      query(fragment, bytes_of(meta_json)),
      arrays(library::arrays_of(query.build(), nullptr)),
      lane_id(arrays.text("lanes.id")),
      crosswalk_id(arrays.text("crosswalks.id")),
      light_id(arrays.text("lights.id")),
      face_id(arrays.text("faces.id")),
      left(lines_of(arrays, "lanes.left")),
      right(lines_of(arrays, "lanes.right")),
      centre(lines_of(arrays, "lanes.centre")),
      crosswalks(lines_of(arrays, "crosswalks")) {}

SemanticMap::SemanticMap(std::span<const std::byte> fragment,
                         std::string_view meta_json)
    : impl_(std::make_shared<Impl>(fragment, meta_json)) {}
SemanticMap::~SemanticMap() = default;
SemanticMap::SemanticMap(SemanticMap&&) noexcept = default;
SemanticMap& SemanticMap::operator=(SemanticMap&&) noexcept = default;

std::size_t SemanticMap::lane_count() const noexcept {
  return impl_->lane_id.size();
}

std::size_t SemanticMap::crosswalk_count() const noexcept {
  return impl_->crosswalk_id.size();
}

std::size_t SemanticMap::light_count() const noexcept {
  return impl_->light_id.size();
}

std::size_t SemanticMap::face_count() const noexcept {
  return impl_->face_id.size();
}

Lane SemanticMap::lane(std::size_t row) const {
  check_row("lane", row, lane_count());
  const auto& arrays = impl_->arrays;
  const auto byte = [&](const char* name) {
    return arrays.array<std::uint8_t>(name)[row];
  };
  const auto maybe = [&](const char* name) {
    return row_or_none(arrays.array<std::int32_t>(name)[row]);
  };
  Lane lane;
  lane.id = impl_->lane_id[row];
  lane.left = impl_->left[row];
  lane.right = impl_->right[row];
  lane.centre = impl_->centre[row];
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
  return {impl_->crosswalk_id[row], impl_->crosswalks[row]};
}

TrafficLight SemanticMap::light(std::size_t row) const {
  check_row("traffic light", row, light_count());
  return {impl_->light_id[row],
          impl_->arrays["lights.position"].rows<double, 2>()[row]};
}

TrafficFace SemanticMap::face(std::size_t row) const {
  check_row("face", row, face_count());
  const auto colour = impl_->arrays.array<std::uint8_t>("faces.colour")[row];
  return {impl_->face_id[row], static_cast<FaceColour>(colour)};
}

std::optional<std::uint32_t> SemanticMap::find_lane(std::string_view id) const {
  return impl_->query.map().lane_row(id);
}

std::vector<std::uint32_t> SemanticMap::lanes_near(double x, double y,
                                                   double radius) const {
  return impl_->query.near(x, y, radius);
}

std::vector<std::uint32_t> SemanticMap::crosswalks_near(double x, double y,
                                                        double radius) const {
  return impl_->query.crosswalks_near(x, y, radius);
}

LaneLines SemanticMap::lane_by_count(std::size_t row, std::uint32_t count) const {
  check_row("lane", row, lane_count());
  return shared_lines(map::lane_by_count(impl_->query.map().lanes()[row], count));
}

LaneLines SemanticMap::lane_by_metres(std::size_t row, double step_m) const {
  check_row("lane", row, lane_count());
  return shared_lines(map::lane_by_metres(impl_->query.map().lanes()[row], step_m));
}

std::vector<LaneColour> SemanticMap::lane_colours(
    std::span<const std::string> active) const {
  std::vector<LaneColour> colours;
  for (const auto colour : impl_->query.lane_colours(active)) {
    colours.push_back(static_cast<LaneColour>(colour));
  }
  return colours;
}

std::array<double, 3> SemanticMap::geodetic(double x, double y, double z) const {
  return impl_->query.geodetic(x, y, z);
}

Arrays SemanticMap::arrays() const {
  const auto all = impl_->arrays.all();
  return {{all.begin(), all.end()}, impl_};
}

}  // namespace bev
