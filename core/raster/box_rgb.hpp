#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/raster/planes.hpp"

namespace bev::raster {

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
