#pragma once

#include <cstddef>
#include <cstdint>

namespace bev::raster {

/// A pixel of a single plane.
using Gray = std::uint8_t;
/// Red in the lowest byte, then green, blue and alpha: as ImageData has them.
using Rgba = std::uint32_t;

constexpr Rgba rgb(std::uint8_t red, std::uint8_t green, std::uint8_t blue) noexcept {
  return 0xFF000000U | static_cast<Rgba>(blue) << 16 | static_cast<Rgba>(green) << 8 |
         red;
}

/// An image to draw into, its rows one after the other without a gap.
///
/// Units     Pixels; pixel (0, 0) is the first, its centre is at (0, 0).
/// Lifetime  A view; who makes it owns the pixels, width * height of them.
template <class Pixel>
struct Canvas {
  Pixel* pixels;
  std::int32_t width;   ///< 0 to 32767
  std::int32_t height;  ///< 0 to 32767

  Pixel* row(std::int32_t y) const noexcept {
    return pixels + static_cast<std::ptrdiff_t>(y) * width;
  }
};

/// A point in an image with 9 fractional bits, as the data layer hands it to OpenCV.
struct PointQ9 {
  std::int32_t x;
  std::int32_t y;
  bool operator==(const PointQ9&) const = default;
};

/// A coordinate with 9 fractional bits, truncated toward zero. What does not fit is
/// the nearest that does, and NaN the lowest: far outside of any image.
///
/// Source  L5Kit's cv2_subpixel, which lets numbers beyond 2^31 wrap around.
constexpr std::int32_t to_q9(double pixels) noexcept {
  const double scaled = pixels * 512;
  if (scaled >= 2147483647.0) return INT32_MAX;
  if (!(scaled > -2147483648.0)) return INT32_MIN;
  return static_cast<std::int32_t>(scaled);
}

}  // namespace bev::raster
