#pragma once

#include <cstddef>
#include <cstdint>

// This module reproduces the pixels of OpenCV 4.6, on whose images models are trained.
// OpenCV itself would add megabytes to the module that pages load.

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

/// Blends a colour over a pixel with weight 0 to 255, as OpenCV does for anti-aliased
/// lines: v + (((colour - v) * weight + 127) >> 8), applied twice. The equivalent
/// unsigned form (v * (256 - weight) + colour * weight + 127) >> 8 fits 16 bits, so
/// that one multiplication processes all channels.
template <class Pixel>
class Ink;

template <>
class Ink<Gray> {
 public:
  explicit constexpr Ink(Gray colour) noexcept : colour_(colour) {}

  Gray over(Gray pixel, std::uint32_t weight) const noexcept {
    const std::uint32_t keep = 256 - weight, add = colour_ * weight + 127;
    const std::uint32_t once = (pixel * keep + add) >> 8;
    return static_cast<Gray>((once * keep + add) >> 8);
  }

 private:
  std::uint32_t colour_;
};

template <>
class Ink<Rgba> {
 public:
  explicit constexpr Ink(Rgba colour) noexcept : lanes_(spread(colour)) {}

  Rgba over(Rgba pixel, std::uint32_t weight) const noexcept {
    const std::uint64_t keep = 256 - weight, add = lanes_ * weight + 127 * kOnes;
    const std::uint64_t once = ((spread(pixel) * keep + add) >> 8) & kBytes;
    const std::uint64_t twice = ((once * keep + add) >> 8) & kBytes;
    return static_cast<Rgba>(twice | twice >> 24);
  }

 private:
  static constexpr std::uint64_t kOnes = 0x0001000100010001U;
  static constexpr std::uint64_t kBytes = 255 * kOnes;

  /// Spreads channels over four 16-bit lanes: red, blue, green, alpha.
  static constexpr std::uint64_t spread(Rgba pixel) noexcept {
    return (pixel & 0x00FF00FFU) | static_cast<std::uint64_t>(pixel & 0xFF00FF00U)
                                       << 24;
  }

  std::uint64_t lanes_;
};

}  // namespace bev::raster
