#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "native/town/georeference.hpp"
#include "native/town/path.hpp"

namespace bev::town {

struct Colour8 {
  std::uint8_t red = 0, green = 0, blue = 0;
};

/// An aerial image to paint on, north up. Has its own polygon filler because shadows
/// and road marks are translucent; core/raster paints opaque colours, as OpenCV does.
///
/// Shapes  rows x columns pixels of three bytes, the northernmost row first.
/// Units   Shapes are given in world metres.
class Canvas {
 public:
  explicit Canvas(const AerialFrame& frame);

  const AerialFrame& frame() const noexcept { return frame_; }
  std::span<const std::uint8_t> pixels() const noexcept { return pixels_; }
  void set(int row, int column, Colour8 colour) noexcept;

  /// Fills a polygon with smooth edges; `cover` 1 is opaque, 0 invisible.
  void fill(std::span<const Vec2> outline, Colour8 colour, double cover = 1);
  /// Fills the strip between `left` and `right` metres left of part of a path.
  void ribbon(const Path& path, double begin, double end, double left, double right,
              Colour8 colour, double cover = 1);
  void disc(Vec2 centre, double radius, Colour8 colour, double cover = 1);
  /// Adds film grain: -amount to +amount to every pixel, equal for its three channels.
  void grain(int amount, std::uint64_t seed);

 private:
  void blend(int row, std::span<const float> cover, int first);

  AerialFrame frame_;
  std::vector<std::uint8_t> pixels_;
  std::vector<float> row_cover_;
  Colour8 ink_;
};

}  // namespace bev::town
