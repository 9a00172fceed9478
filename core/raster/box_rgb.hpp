#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/raster/planes.hpp"

namespace bev::raster {

/// Pastes boxes over a picture: agents blue, whose view it is green, each as pale as
/// the newest frame that shows them is old.
///
/// @param in      its first 2 * frames channels are those of a BoxLayer
/// @param frames  how many frames, the current one counted
/// @param out     `step` bytes a pixel, of which the first three are written
///
/// Source  L5Kit, to_rgb of BoxRasterizer and SemBoxRasterizer with its default
///         colours: a factor of 0.85 a frame in float32, truncated to bytes.
void paste_boxes(const Planes& in, std::size_t frames, std::span<std::uint8_t> out,
                 std::size_t step);

/// Three planes as pixels of `step` bytes, 3 or 4; a fourth byte is 255.
void interleave(const RgbPlanes& in, std::span<std::uint8_t> out, std::size_t step);

/// Black pixels of `step` bytes, 3 or 4; a fourth byte is 255.
void fill_black(std::span<std::uint8_t> out, std::size_t step);

}  // namespace bev::raster
