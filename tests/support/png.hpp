#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bev::test {

/// An image with 8 bits per channel, row by row.
struct Png {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgb;  ///< (height, width, 3)
};

/// Parses a PNG file of 8-bit RGB or grey (expanded to three channels), not interlaced.
///
/// Throws  std::runtime_error for other formats
Png parse_png(std::span<const std::byte> bytes);

}  // namespace bev::test
