#pragma once

#include <cstddef>
#include <cstdint>

namespace bev::raster {

/// A pixel of a single plane.
using Gray = std::uint8_t;
/// Red in the lowest byte, then green, blue and alpha, as in ImageData.
using Rgba = std::uint32_t;

constexpr Rgba rgb(std::uint8_t red, std::uint8_t green, std::uint8_t blue) noexcept {
  return 0xFF000000U | static_cast<Rgba>(blue) << 16 | static_cast<Rgba>(green) << 8 |
         red;
}

/// A view of an image to draw into, with contiguous rows.
///
/// Units     Pixels. The centre of pixel (0, 0) is at (0, 0).
/// Lifetime  The creator owns the width * height pixels.
template <class Pixel>
struct Canvas {
  Pixel* pixels;
  std::int32_t width;   ///< 0 to 32767
  std::int32_t height;  ///< 0 to 32767

  Pixel* row(std::int32_t y) const noexcept {
    return pixels + static_cast<std::ptrdiff_t>(y) * width;
  }
};

/// A point in an image with 9 fractional bits, as L5Kit passes it to OpenCV.
struct PointQ9 {
  std::int32_t x;
  std::int32_t y;
  bool operator==(const PointQ9&) const = default;
};

/// Converts a coordinate to 9 fractional bits, truncating toward zero. Clamps values
/// that do not fit; NaN becomes the lowest value, far outside any image.
///
/// Reference  L5Kit's cv2_subpixel, which wraps numbers beyond 2^31 instead.
constexpr std::int32_t to_q9(double pixels) noexcept {
  const double scaled = pixels * 512;
  if (scaled >= 2147483647.0) return INT32_MAX;
  if (!(scaled > -2147483648.0)) return INT32_MIN;
  return static_cast<std::int32_t>(scaled);
}

}  // namespace bev::raster
