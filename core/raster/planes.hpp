#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/raster/resize.hpp"

namespace bev::raster {

/// A view of an image of any number of channels, plane by plane: (channels, height,
/// width).
///
/// Lifetime  The creator owns `u8`: channels * height * width bytes.
struct Planes {
  std::uint32_t channels;
  std::uint32_t height;
  std::uint32_t width;
  std::span<std::uint8_t> u8;

  std::size_t plane_size() const noexcept { return std::size_t{height} * width; }
  std::uint8_t* plane(std::size_t channel) const noexcept {
    return u8.data() + channel * plane_size();
  }
  RgbPlanes rgb_from(std::size_t channel) const noexcept {
    return {plane(channel), plane(channel + 1), plane(channel + 2)};
  }
};

/// Converts one channel of `in` to opaque grey RGBA; `out` holds four bytes per pixel.
void grey_from(const Planes& in, std::size_t channel, std::span<std::uint8_t> out);

}  // namespace bev::raster
