#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bev::native {

/// Encodes an image as PNG with zlib alone: the Python package has no image library.
///
/// @param pixels   rows x columns of palette indices, or of red, green and blue
/// @param palette  red, green and blue of up to 256 colours; empty for colours in `pixels`
/// Throws  internal for a wrong size; out_of_memory
std::vector<std::byte> plain_png(std::span<const std::uint8_t> pixels,
                                 std::uint32_t rows, std::uint32_t columns,
                                 std::span<const std::uint8_t> palette = {});

}  // namespace bev::native
