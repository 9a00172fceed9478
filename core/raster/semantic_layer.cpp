#include "core/raster/semantic_layer.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/geom/trig.hpp"
#include "core/map/interpolate.hpp"
#include "core/raster/line_aa.hpp"

namespace bev::raster {
namespace {

constexpr Rgba kBackground = rgb(255, 255, 255);
constexpr Rgba kRoad = rgb(17, 17, 31);
constexpr Rgba kCrosswalk = rgb(255, 117, 69);
constexpr std::array<Rgba, 4> kBoundaries = {rgb(255, 217, 82), rgb(0, 255, 0),
                                             rgb(255, 0, 0), rgb(255, 255, 0)};

PointQ9 drawn(const geom::Vec2& in_world, const geom::Affine2& raster_from_world) {
  const geom::Vec2 at = raster_from_world * in_world;
  return {to_q9(at.x), to_q9(at.y)};
}

void split(std::span<const Rgba> pixels, const RgbPlanes& out) {
  const Rgba* const from = pixels.data();
  for (unsigned c = 0; c < 3; ++c) {
    std::uint8_t* __restrict const plane = out[c];
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      plane[i] = static_cast<std::uint8_t>(from[i] >> 8 * c);
    }
  }
}

}  // namespace

SemanticLayer::SemanticLayer(map::MapSource maps, const sample::RasterFrame& frame)
    : maps_(std::move(maps)),
      frame_(frame),
      radius_(geom::hypot(frame.raster_size[0] * frame.pixel_size[0],
                          frame.raster_size[1] * frame.pixel_size[1]) /
              2),
      pixels_(std::size_t{frame.raster_size[0]} * frame.raster_size[1]) {}

/// Changes the map, and forgets the outlines of another one.
void SemanticLayer::use(std::shared_ptr<const map::SemanticMap> map) {
  if (map == map_) return;
  map_ = std::move(map);
  outline_of_.assign(map_->lanes().size(), 0);
  outlines_.clear();
}

const SemanticLayer::Outline& SemanticLayer::outline(std::uint32_t row) {
  std::uint32_t& number = outline_of_[row];
  if (number != 0) return outlines_[number - 1];
  const map::Lane& lane = map_->lanes()[row];
  const auto left = map::points_by_count(lane.left.points, kPoints);
  const auto right = map::points_by_count(lane.right.points, kPoints);
  Outline& made = outlines_.emplace_back();
  for (std::size_t i = 0; i < kPoints; ++i) {
    made[i] = {left[i].x, left[i].y};
    made[2 * kPoints - 1 - i] = {right[i].x, right[i].y};
  }
  number = static_cast<std::uint32_t>(outlines_.size());
  return made;
}

void SemanticLayer::light(const sample::FaceRows& faces) {
  lit_.clear();
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (!(faces.status(i)[0] > 0)) continue;  // NaN is not active
    const auto id = faces.face_id(i);
    lit_.insert(std::lower_bound(lit_.begin(), lit_.end(), id), id);
  }
}

SemanticLayer::Class SemanticLayer::class_of(const map::Lane& lane) const {
  Class found = plain;
  for (const std::string& id : lane.traffic_controls) {
    if (!std::binary_search(lit_.begin(), lit_.end(), std::string_view(id))) continue;
    const auto row = map_->face_row(id);
    if (!row) {
      const bool known = map_->contains(id);
      fail(known ? Errc::invalid_argument : Errc::not_found,
           {"semantic map: lane \"", lane.id, "\": active face \"", id,
            (known ? "\" has no colour" : "\" is not in the map")});
    }
    switch (map_->faces()[*row].colour) {
      case map::Colour::red: return red;
      case map::Colour::yellow: found = yellow; break;
      case map::Colour::green: found = found == yellow ? yellow : green; break;
    }
  }
  return found;
}

void SemanticLayer::draw_lanes(const geom::Affine2& raster_from_world,
                               Canvas<Rgba> canvas) {
  points_.clear();
  classes_.clear();
  for (const std::uint32_t row : lanes_) {
    for (const geom::Vec2& point : outline(row)) {
      points_.push_back(drawn(point, raster_from_world));
    }
    classes_.push_back(class_of(map_->lanes()[row]));
  }
  const std::span<const PointQ9> all(points_);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    filler_.fill(canvas, all.subspan(i * 2 * kPoints, 2 * kPoints), 2 * kPoints, kRoad);
  }
  draw_boundaries(canvas);
}

/// Draws boundaries grouped by colour, in the order of each colour's first lane.
void SemanticLayer::draw_boundaries(Canvas<Rgba> canvas) {
  const std::span<const PointQ9> all(points_);
  std::array<bool, kBoundaries.size()> done{};
  for (std::size_t first = 0; first < classes_.size(); ++first) {
    const Class colour = classes_[first];
    if (std::exchange(done[colour], true)) continue;
    for (std::size_t i = first; i < classes_.size(); ++i) {
      if (classes_[i] != colour) continue;
      const auto lane = all.subspan(i * 2 * kPoints, 2 * kPoints);
      draw_polyline_aa(canvas, lane.first(kPoints), false, kBoundaries[colour]);
      draw_polyline_aa(canvas, lane.last(kPoints), false, kBoundaries[colour]);
    }
  }
}

void SemanticLayer::draw_crosswalk(const map::Crosswalk& crosswalk,
                                   const geom::Affine2& raster_from_world,
                                   Canvas<Rgba> canvas) {
  points_.clear();
  for (const geom::Vec3& point : crosswalk.outline) {
    points_.push_back(drawn({point.x, point.y}, raster_from_world));
  }
  draw_polyline_aa<Rgba>(canvas, points_, true, kCrosswalk);
}

void SemanticLayer::draw(const sample::RenderInput& input, const RgbPlanes& out) {
  const auto [width, height] = frame_.raster_size;
  const geom::Affine2& map = input.raster_from_world;
  const geom::Vec2 centre = geom::inverse(map) * geom::Vec2{width * 0.5, height * 0.5};
  const Canvas<Rgba> canvas{pixels_.data(), static_cast<std::int32_t>(width),
                            static_cast<std::int32_t>(height)};
  use(maps_.at(centre));
  std::fill(pixels_.begin(), pixels_.end(), kBackground);
  light(input.history.empty() ? sample::FaceRows() : input.history[0].faces);
  lanes_ = map_->lanes_near(centre.x, centre.y, radius_);
  draw_lanes(map, canvas);
  for (const auto row : map_->crosswalks_near(centre.x, centre.y, radius_)) {
    draw_crosswalk(map_->crosswalks()[row], map, canvas);
  }
  split(pixels_, out);
}

}  // namespace bev::raster
