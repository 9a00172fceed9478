#pragma once

#include <cstdint>

namespace bev::raster {

struct Point64 {
  std::int64_t x;
  std::int64_t y;
  bool operator==(const Point64&) const = default;
};

/// Clips a line to the rectangle from (0, 0) to (right, bottom), inclusive. Returns
/// false if no part remains.
///
/// Units      Any; coordinates up to 2^41 in magnitude.
/// Reference  OpenCV 4.6's clipLine: the order of the sides and the truncation of
///            doubles determine the last bits.
bool clip_line(std::int64_t right, std::int64_t bottom, Point64& a,
               Point64& b) noexcept;

}  // namespace bev::raster
