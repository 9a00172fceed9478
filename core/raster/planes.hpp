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

/// Draws boxes over an image: agents blue, the ego vehicle or selected agent green,
/// fading with the age of the newest frame that shows them.
///
/// @param in      its first 2 * frames channels are a BoxLayer's
/// @param frames  number of frames, including the current one
/// @param out     pixels of `step` bytes, of which the first three are written
///
/// Reference  L5Kit, to_rgb of BoxRasterizer and SemBoxRasterizer with default colours:
///            factor 0.85 per frame in float32, truncated to bytes.
void paste_boxes(const Planes& in, std::size_t frames, std::span<std::uint8_t> out,
                 std::size_t step);

/// Interleaves three planes to pixels of `step` bytes, 3 or 4; a fourth byte is 255.
void interleave(const RgbPlanes& in, std::span<std::uint8_t> out, std::size_t step);

/// Fills with black pixels of `step` bytes, 3 or 4; a fourth byte is 255.
void fill_black(std::span<std::uint8_t> out, std::size_t step);

}  // namespace bev::raster
