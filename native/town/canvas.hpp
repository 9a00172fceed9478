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

/// A picture of the ground seen from above, north up, that things are painted on.
///
/// Shapes  rows x columns pixels of three bytes, the northern row first.
/// Units   What is painted is given in metres in world.
class Canvas {
 public:
  explicit Canvas(const AerialFrame& frame);

  const AerialFrame& frame() const noexcept { return frame_; }
  std::span<const std::uint8_t> pixels() const noexcept { return pixels_; }
  void set(int row, int column, Colour8 colour) noexcept;

  /// Fills a polygon, its edge smooth; `cover` 1 hides what is below, 0 nothing.
  void fill(std::span<const Vec2> outline, Colour8 colour, double cover = 1);
  /// Fills between the lines `left` and `right` metres to the left of a path's part.
  void ribbon(const Path& path, double begin, double end, double left, double right,
              Colour8 colour, double cover = 1);
  void disc(Vec2 centre, double radius, Colour8 colour, double cover = 1);
  /// Adds -amount to +amount to every pixel, evenly over its three colours, like grain.
  void grain(int amount, std::uint64_t seed);

 private:
  void blend(int row, std::span<const float> cover, int first);

  AerialFrame frame_;
  std::vector<std::uint8_t> pixels_;
  std::vector<float> row_cover_;
  Colour8 ink_;
};

}  // namespace bev::town
