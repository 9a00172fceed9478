#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/meta.hpp"

namespace bev::map {

/// The longest side and the most pixels an aerial image may have: 1.6 GB of them.
inline constexpr std::uint32_t kMaxAerialSide = 65'535;
inline constexpr std::uint64_t kMaxAerialPixels = std::uint64_t{1} << 29;

/// @param what    what the image is called in the message
/// @throws Error  corrupt_chunk for a side of 0, out_of_memory above the two limits
void check_aerial_size(std::uint32_t width, std::uint32_t height, const char* what);

/// Metres to (row, column) of the aerial image, from world.
///
/// @throws Error  missing_key where meta.json has no ecef_to_aerial; invalid_metadata
///                for a matrix whose first two rows say nothing about a place
/// Source         L5Kit, rasterization/rasterizer_builder.py.
geom::Affine3 aerial_from_world(const Meta& meta);

/// A picture of the ground from above, and where it lies.
///
/// Shapes    pixels() is (height, width, 3): red, green, blue, the first row on top.
/// Units     Places in the image are (row, column), in pixels.
/// Lifetime  Owns its pixels: once, for they may be hundreds of megabytes. Who decodes
///           fills row() or put_rgba_rows(), strip by strip.
/// Errors    Constructors throw what check_aerial_size throws.
/// Threads   Filled by one thread; then any number may read.
class AerialImage {
 public:
  /// A black one, to be filled.
  AerialImage(std::uint32_t width, std::uint32_t height,
              const geom::Affine3& aerial_from_world);

  /// @throws Error  invalid_argument where `pixels` are not height x width x 3
  AerialImage(std::uint32_t width, std::uint32_t height,
              std::vector<std::uint8_t> pixels, const geom::Affine3& aerial_from_world);

  std::uint32_t width() const noexcept { return width_; }
  std::uint32_t height() const noexcept { return height_; }
  std::span<const std::uint8_t> pixels() const noexcept { return pixels_; }

  const geom::Affine3& aerial_from_world() const noexcept { return aerial_from_world_; }

  /// (row, column) of a point of world.
  geom::Vec2 in_aerial(const geom::Vec3& in_world) const noexcept {
    const geom::Vec3 place = aerial_from_world_ * in_world;
    return {place.x, place.y};
  }

  /// The mean of that along rows and along columns.
  /// Source  L5Kit, rasterization/satellite_rasterizer.py.
  double metres_per_pixel() const noexcept;

  /// One row, for whoever fills the image. @throws Error  out_of_range
  std::span<std::uint8_t> row(std::uint32_t y);

  /// Whole rows from row `first` on, of four bytes a pixel of which the fourth, the
  /// opacity, is left out.
  ///
  /// @throws Error  invalid_argument for bytes that are no whole number of rows,
  ///                out_of_range for rows that the image does not have
  void put_rgba_rows(std::uint32_t first, std::span<const std::uint8_t> rgba);

 private:
  std::uint32_t width_;
  std::uint32_t height_;
  geom::Affine3 aerial_from_world_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace bev::map
