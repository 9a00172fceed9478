#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bev::native {

/// An RGB picture as the bytes of a PNG file.
///
/// @param pixels  rows x columns x 3, the first row on top
/// @throws Error  internal, with libpng's words, when it cannot
std::vector<std::byte> encode_png(std::span<const std::uint8_t> pixels,
                                  std::uint32_t rows, std::uint32_t columns);

}  // namespace bev::native
