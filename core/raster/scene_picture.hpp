#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/semantic_map.hpp"
#include "core/raster/fill_polygons.hpp"

namespace bev::raster {

/// Boxes of road users and of the ego vehicle at one moment of a scene.
struct PicturedMoment {
  geom::Vec2 ego = {};                         ///< in world
  double yaw = 0;                              ///< heading of the ego vehicle
  std::span<const double> ego_corners = {};    ///< x and y of four corners, in world
  std::span<const double> corners = {};        ///< the same of each agent
  std::span<const std::uint8_t> classes = {};  ///< scene::AgentClass of each agent
};

/// Colours of what is in a picture: red, green and blue.
struct PictureColours {
  using Colour = std::array<std::uint8_t, 3>;
  Colour ground = {236, 238, 241};
  Colour road = {196, 201, 210};
  /// Vehicle, cyclist, pedestrian, other, ego vehicle.
  std::array<Colour, 5> boxes = {
      {{58, 110, 196}, {201, 121, 26}, {184, 60, 140}, {110, 116, 128}, {20, 140, 92}}};
};

/// Width and height in pixels.
struct PictureSize {
  std::uint32_t width = 160;
  std::uint32_t height = 90;
};

/// Draws pictures of scenes. The ego vehicle heads to the right, at 35 percent of
/// the width; a picture shows 80 m across. Large pictures show the boundaries of lanes.
///
/// Shapes         `height` rows of `width` codes, the first row on top. A code of 6 bits
///                tells which part of a pixel the road covers, and which part what is on
///                it: bits 4 and 5 are thirds of the road, the others 0, or 1 + 3 * class
///                + thirds - 1. The classes are those of scene::AgentClass and the ego
///                vehicle.
/// Lifetime       Reuses its buffers; shares the map.
/// Throws         Nothing but std::bad_alloc
/// Thread safety  None: use one object from one thread.
class ScenePicture {
 public:
  static constexpr std::size_t kCodes = 64;
  static constexpr std::size_t kClasses = 5;  ///< the last one is the ego vehicle

  /// @param maps  may be none
  explicit ScenePicture(map::MapSource maps, PictureSize size = {})
      : maps_(std::move(maps)), size_(size) {}

  PictureSize size() const noexcept { return size_; }

  std::span<const std::uint8_t> draw(const PicturedMoment& moment);

  /// Returns red, green and blue of each code. The lowest two bits of each are the code's,
  /// red first, so that a viewer can draw the picture in colours of its own.
  static std::array<PictureColours::Colour, kCodes> palette(
      const PictureColours& colours = {});

 private:
  using Cover = std::vector<Gray>;

  geom::Affine2 picture_at(const PicturedMoment& moment) const;
  void fill(Cover& cover, std::span<const geom::Vec2> outline, Gray part = 255);
  void draw_boundary(const std::vector<geom::Vec3>& points);
  void draw_roads(const PicturedMoment& moment);

  map::MapSource maps_;
  PictureSize size_;
  geom::Affine2 picture_from_world_;
  Cover road_;
  std::array<Cover, kClasses> boxes_;
  std::vector<geom::Vec2> outline_;
  std::vector<PointQ9> points_;
  std::vector<std::uint8_t> codes_;
  PolygonFiller filler_;
};

}  // namespace bev::raster
