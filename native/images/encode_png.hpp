#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bev::native {

/// Encodes an RGB image as PNG.
///
/// @param pixels  rows x columns x 3, the first row on top
/// Throws  internal, with libpng's message, if encoding fails
std::vector<std::byte> encode_png(std::span<const std::uint8_t> pixels,
                                  std::uint32_t rows, std::uint32_t columns);

}  // namespace bev::native
