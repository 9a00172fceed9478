#include "core/raster/scene_picture.hpp"

#include <algorithm>
#include <cmath>

namespace bev::raster {
namespace {

using Colour = PictureColours::Colour;

constexpr double kAcross_m = 80;
constexpr double kAnchor = 0.35;  ///< part of the width
constexpr std::uint32_t kThirds = 3;

/// Lane boundaries are drawn from this scale on: smaller pictures would be all lines.
constexpr double kMinBoundaryScale = 6;
/// Part of the road's colour that a boundary has.
constexpr Gray kBoundary = 85;

std::uint32_t thirds_of(Gray cover) {
  return (cover * kThirds + 127) / 255;
}

Colour mixed(const Colour& from, const Colour& to, std::uint32_t thirds) {
  Colour out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::uint8_t>((from[i] * (kThirds - thirds) + to[i] * thirds) /
                                       kThirds);
  }
  return out;
}

}  // namespace

geom::Affine2 ScenePicture::picture_at(const PicturedMoment& moment) const {
  const double scale = size_.width / kAcross_m;
  // Ahead is to the right, and left is up.
  const geom::Affine2 picture_from_ego{scale, 0,      kAnchor * size_.width,
                                       0,     -scale, size_.height / 2.0};
  return picture_from_ego * geom::inverse(geom::pose(moment.ego, moment.yaw));
}

void ScenePicture::fill(Cover& cover, std::span<const geom::Vec2> outline, Gray part) {
  points_.clear();
  for (const auto& point : outline) {
    const auto at = picture_from_world_ * point;
    points_.push_back({to_q9(at.x), to_q9(at.y)});
  }
  if (points_.empty()) return;
  const Canvas<Gray> canvas{cover.data(), static_cast<std::int32_t>(size_.width),
                            static_cast<std::int32_t>(size_.height)};
  filler_.fill(canvas, points_, points_.size(), part);
}

/// Draws a boundary as a polygon without area.
void ScenePicture::draw_boundary(const std::vector<geom::Vec3>& points) {
  outline_.clear();
  for (const auto& point : points) outline_.push_back({point.x, point.y});
  for (auto at = points.rbegin(); at != points.rend(); ++at) {
    outline_.push_back({at->x, at->y});
  }
  fill(road_, outline_, kBoundary);
}

void ScenePicture::draw_roads(const PicturedMoment& moment) {
  const auto map = maps_.at(moment.ego);
  if (map == nullptr) return;
  const auto near = map->lanes_near(moment.ego.x, moment.ego.y, kAcross_m);
  for (const auto row : near) {
    const auto& lane = map->lanes()[row];
    outline_.clear();
    for (const auto& point : lane.left.points) outline_.push_back({point.x, point.y});
    const auto& right = lane.right.points;
    std::for_each(right.rbegin(), right.rend(), [&](const geom::Vec3& point) {
      outline_.push_back({point.x, point.y});
    });
    fill(road_, outline_);
  }
  if (size_.width < kMinBoundaryScale * kAcross_m) return;
  for (const auto row : near) {
    draw_boundary(map->lanes()[row].left.points);
    draw_boundary(map->lanes()[row].right.points);
  }
}

std::span<const std::uint8_t> ScenePicture::draw(const PicturedMoment& moment) {
  const std::size_t pixels = std::size_t{size_.width} * size_.height;
  constexpr std::size_t kCorners = 8;  // numbers of a box
  picture_from_world_ = picture_at(moment);
  road_.assign(pixels, 0);
  for (auto& cover : boxes_) cover.assign(pixels, 0);
  draw_roads(moment);
  const auto box = [&](std::span<const double> corners, std::size_t at) {
    outline_.clear();
    for (std::size_t i = 0; i < kCorners; i += 2) {
      outline_.push_back({corners[i], corners[i + 1]});
    }
    fill(boxes_[at], outline_);
  };
  for (std::size_t i = 0; i < moment.classes.size(); ++i) {
    const auto at = std::min<std::size_t>(moment.classes[i], kClasses - 2);
    box(moment.corners.subspan(i * kCorners, kCorners), at);
  }
  // Without an ego vehicle, they are not numbers.
  if (!std::isnan(moment.ego_corners.front())) box(moment.ego_corners, kClasses - 1);
  codes_.assign(pixels, 0);
  for (std::size_t i = 0; i < pixels; ++i) {
    std::uint32_t top = 0;
    for (std::uint32_t at = 0; at < kClasses; ++at) {
      const auto thirds = thirds_of(boxes_[at][i]);
      if (thirds > 0) top = kThirds * at + thirds;
    }
    codes_[i] = static_cast<std::uint8_t>(thirds_of(road_[i]) << 4 | top);
  }
  return codes_;
}

std::array<Colour, ScenePicture::kCodes> ScenePicture::palette(
    const PictureColours& colours) {
  std::array<Colour, kCodes> out{};
  for (std::uint32_t code = 0; code < kCodes; ++code) {
    auto colour = mixed(colours.ground, colours.road, code >> 4);
    if (const auto top = code & 15; top > 0) {
      const auto at = (top - 1) / kThirds;
      colour = mixed(colour, colours.boxes[at], (top - 1) % kThirds + 1);
    }
    for (std::uint32_t i = 0; i < colour.size(); ++i) {
      colour[i] =
          static_cast<std::uint8_t>((colour[i] & 0xFC) | (code >> (4 - 2 * i) & 3));
    }
    out[code] = colour;
  }
  return out;
}

}  // namespace bev::raster
