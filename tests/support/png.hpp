#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bev::test {

/// A picture of 8 bits a channel, row after row.
struct Png {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgb;  ///< (height, width, 3)
};

/// Reads a PNG file of 8-bit RGB, or grey (as three equal channels), not interlaced.
///
/// @throws std::runtime_error  for another
Png parse_png(std::span<const std::byte> bytes);

}  // namespace bev::test
