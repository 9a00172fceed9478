#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/map/semantic_map.hpp"
#include "core/raster/fill_polygons.hpp"
#include "core/raster/planes.hpp"
#include "core/sample/params.hpp"
#include "core/sample/scenery.hpp"

namespace bev::raster {

/// The semantic map: roads, their boundaries in the colour of the light that is lit,
/// outlines of crosswalks.
///
/// Shapes    Three planes: red, green, blue.
/// Lifetime  Keeps the lanes it has drawn at 20 points a side, and its buffers.
/// Errors    draw() throws where L5Kit does: not_found where a lane that is seen is
///           controlled by a lit face that the map does not have, invalid_argument
///           where it is one without a colour (flashing, a u-turn arrow).
/// Threads   One object, one thread.
/// Source    L5Kit, rasterization/semantic_rasterizer.py. Of several lit faces of a
///           lane red comes before yellow before green; there it is up to chance.
class SemanticLayer {
 public:
  SemanticLayer(std::shared_ptr<const map::SemanticMap> map,
                const sample::RasterFrame& frame);

  void draw(const sample::Scenery& scenery, const RgbPlanes& out);

 private:
  static constexpr std::size_t kPoints = 20;            ///< of a side
  using Outline = std::array<geom::Vec2, 2 * kPoints>;  ///< left, then right reversed
  enum Class : std::uint8_t { plain, green, red, yellow };

  const Outline& outline(std::uint32_t lane);
  void light(const sample::FaceRows& faces);
  Class class_of(const map::Lane& lane) const;
  void draw_lanes(const geom::Affine2& raster_from_world, Canvas<Rgba> canvas);
  void draw_boundaries(Canvas<Rgba> canvas);
  void draw_crosswalk(const map::Crosswalk& crosswalk,
                      const geom::Affine2& raster_from_world, Canvas<Rgba> canvas);

  std::shared_ptr<const map::SemanticMap> map_;
  sample::RasterFrame frame_;
  double radius_;                          ///< half of the raster's diagonal, metres
  std::vector<std::uint32_t> outline_of_;  ///< by lane: 1 + its place, 0 if not drawn
  std::vector<Outline> outlines_;
  std::vector<std::string_view> lit_;
  std::vector<std::uint32_t> lanes_;  ///< that are near
  std::vector<Class> classes_;        ///< of each of them
  std::vector<PointQ9> points_;
  std::vector<Rgba> pixels_;
  PolygonFiller filler_;
};

}  // namespace bev::raster
