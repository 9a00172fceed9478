#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bev::town {

/// An RGB picture as the bytes of a PNG file.
///
/// @param pixels  rows x columns x 3, the first row on top
/// @throws Error  internal, with libpng's words, when it cannot
std::vector<std::byte> encode_png(std::span<const std::uint8_t> pixels, int rows,
                                  int columns);

}  // namespace bev::town
