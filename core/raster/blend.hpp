#pragma once

#include <cstdint>

#include "core/raster/canvas.hpp"

namespace bev::raster {

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
