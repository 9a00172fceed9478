#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/meta.hpp"

namespace bev::map {

/// Maximum side and pixel count of an aerial image (1.6 GB).
inline constexpr std::uint32_t kMaxAerialSide = 65'535;
inline constexpr std::uint64_t kMaxAerialPixels = std::uint64_t{1} << 29;

/// Checks an aerial image's size against the limits.
///
/// @param what  the image's name in messages
/// Throws  corrupt_chunk for a side of 0, limit_exceeded above the limits
void check_aerial_size(std::uint32_t width, std::uint32_t height, const char* what);

/// Returns the map from world (metres) to (row, column) of the aerial image.
///
/// Throws     missing_key if meta.json has no ecef_to_aerial; invalid_metadata if the
///            matrix's first two rows do not determine a position
/// Reference  L5Kit, rasterization/rasterizer_builder.py.
geom::Affine3 aerial_from_world(const Meta& meta);

/// A georeferenced aerial image.
///
/// Shapes         pixels() is (height, width, 3): red, green, blue; the first row is on
///                top.
/// Units          Positions in the image are (row, column), in pixels.
/// Lifetime       Owns the only copy of its pixels, which may take hundreds of
///                megabytes. Decoders write through row() or put_rgba_rows(), strip by
///                strip.
/// Throws         Constructors throw as check_aerial_size.
/// Thread safety  Written by one thread; concurrent reads are safe after that.
class AerialImage {
 public:
  /// Creates a black image, to be filled.
  AerialImage(std::uint32_t width, std::uint32_t height,
              const geom::Affine3& aerial_from_world);

  /// Throws  invalid_argument if `pixels` are not height x width x 3
  AerialImage(std::uint32_t width, std::uint32_t height,
              std::vector<std::uint8_t> pixels, const geom::Affine3& aerial_from_world);

  std::uint32_t width() const noexcept { return width_; }
  std::uint32_t height() const noexcept { return height_; }
  std::span<const std::uint8_t> pixels() const noexcept { return pixels_; }

  const geom::Affine3& aerial_from_world() const noexcept { return aerial_from_world_; }

  /// Returns (row, column) of a world point.
  geom::Vec2 in_aerial(const geom::Vec3& in_world) const noexcept {
    const geom::Vec3 place = aerial_from_world_ * in_world;
    return {place.x, place.y};
  }

  /// Returns the mean of the resolutions along rows and along columns.
  ///
  /// Reference  L5Kit, rasterization/satellite_rasterizer.py.
  double metres_per_pixel() const noexcept;

  /// Returns one row for writing.
  ///
  /// Throws  out_of_range
  std::span<std::uint8_t> row(std::uint32_t y);

  /// Writes whole RGBA rows from row `first` on; ignores alpha.
  ///
  /// Throws  invalid_argument if the bytes are not a whole number of rows, out_of_range
  ///         for rows outside the image
  void put_rgba_rows(std::uint32_t first, std::span<const std::uint8_t> rgba);

 private:
  std::uint32_t width_;
  std::uint32_t height_;
  geom::Affine3 aerial_from_world_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace bev::map
