#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/map/map_source.hpp"
#include "core/raster/fill_polygons.hpp"
#include "core/raster/planes.hpp"
#include "core/sample/params.hpp"
#include "core/sample/render_input.hpp"

namespace bev::raster {

/// Draws the semantic map: roads, lane boundaries in the colour of the active light,
/// and crosswalk outlines.
///
/// Shapes         Three planes: red, green, blue.
/// Lifetime       Caches drawn lanes, at 20 points per side, and its buffers.
/// Throws         draw() throws where L5Kit does: not_found if a visible lane is
///                controlled by an active face that the map does not have;
///                invalid_argument if that face has no colour (flashing, u-turn arrow).
/// Thread safety  None: use one object from one thread.
/// Reference      L5Kit, rasterization/semantic_rasterizer.py. If a lane has several
///                active faces, the order is red, yellow, green; L5Kit's order is
///                arbitrary.
class SemanticLayer {
 public:
  SemanticLayer(map::MapSource maps, const sample::RasterFrame& frame);

  void draw(const sample::RenderInput& input, const RgbPlanes& out);

 private:
  static constexpr std::size_t kPoints = 20;            ///< per side
  using Outline = std::array<geom::Vec2, 2 * kPoints>;  ///< left, then right reversed
  enum Class : std::uint8_t { plain, green, red, yellow };

  void use(std::shared_ptr<const map::SemanticMap> map);
  const Outline& outline(std::uint32_t lane);
  void light(const sample::FaceRows& faces);
  Class class_of(const map::Lane& lane) const;
  void draw_lanes(const geom::Affine2& raster_from_world, Canvas<Rgba> canvas);
  void draw_boundaries(Canvas<Rgba> canvas);
  void draw_crosswalk(const map::Crosswalk& crosswalk,
                      const geom::Affine2& raster_from_world, Canvas<Rgba> canvas);

  map::MapSource maps_;
  std::shared_ptr<const map::SemanticMap> map_;  // around the last raster
  sample::RasterFrame frame_;
  double radius_;                          ///< half the raster's diagonal, metres
  std::vector<std::uint32_t> outline_of_;  ///< 1 + index in outlines_, or 0
  std::vector<Outline> outlines_;
  std::vector<std::string_view> lit_;
  std::vector<std::uint32_t> lanes_;  ///< nearby lanes
  std::vector<Class> classes_;        ///< one per nearby lane
  std::vector<PointQ9> points_;
  std::vector<Rgba> pixels_;
  PolygonFiller filler_;
};

}  // namespace bev::raster
