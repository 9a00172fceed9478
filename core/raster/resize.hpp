#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/raster/rgb_rows.hpp"

namespace bev::raster {

struct Size {
  std::int32_t width;
  std::int32_t height;
  bool operator==(const Size&) const = default;
};

/// Three planes of equal size, row by row: red, green, blue.
using RgbPlanes = std::array<std::uint8_t*, 3>;

/// Resizes images into planes with bilinear interpolation.
///
/// Shapes         Sides from 1 to 32,767 pixels. Source rows are read in order, each at
///                most once.
/// Lifetime       Reuses its rows and tables: repeated calls allocate nothing.
/// Thread safety  None: use one object from one thread.
/// Reference      OpenCV 4.6, resize of bytes with INTER_LINEAR, bit-exact; if both
///                sides are exactly halved, the mean of four pixels.
class Resizer {
 public:
  /// A part of the target; optionally written bottom up.
  struct Part {
    std::int32_t x, y;
    Size size;
    bool upside_down = false;
  };

  void resize(const RgbRows& source, Size source_size, Size target_size,
              const Part& part, const RgbPlanes& out);

 private:
  /// Position of a target row between two source rows.
  struct Tap {
    std::int32_t first, second;
    std::uint16_t weight, second_weight;  ///< in 2048ths
  };
  /// A source row interpolated at the target's columns, in 16ths of 2048ths.
  struct Row {
    std::int32_t y = -1;
    std::vector<Lanes> values;
  };

  static Between column(std::int32_t x, std::int32_t target, std::int32_t source);
  static Tap row_tap(std::int32_t y, std::int32_t target, std::int32_t source);
  const Lanes* row(const RgbRows& source, std::int32_t y, std::int32_t other);
  void halve(const RgbRows& source, const Part& part, const RgbPlanes& out);

  std::vector<Between> columns_;
  std::vector<Lanes> source_row_, second_row_;  ///< with one padding pixel of weight 0
  std::array<Row, 2> rows_;
};

}  // namespace bev::raster
