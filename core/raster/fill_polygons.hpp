#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/raster/canvas.hpp"

namespace bev::raster {

/// Fills polygons with anti-aliased outlines. All polygons of one call share the
/// even-odd rule: where two overlap, only outlines remain.
///
/// Shapes         Each polygon has `corners` consecutive points; a shorter rest is also
///                a polygon. Work is bounded by points times image rows, for any
///                coordinates.
/// Lifetime       Reuses its tables: repeated calls allocate nothing.
/// Throws         Nothing: pixels outside the image are skipped.
/// Thread safety  None: use one object from one thread.
/// Reference      OpenCV 4.6, fillPoly with LINE_AA and shift 9, bit-exact: outlines
///                run between whole rows (y is rounded, x is not), then the interior is
///                filled.
class PolygonFiller {
 public:
  template <class Pixel>
  void fill(Canvas<Pixel> canvas, std::span<const PointQ9> points, std::size_t corners,
            Pixel colour);

 private:
  /// A side of a polygon between two rows, excluding the lower one.
  struct Edge {
    std::int64_t x;     ///< at the current row, 16 fractional bits
    std::int64_t step;  ///< change of x per row
    std::int32_t top, bottom;
    std::int32_t next;  ///< next edge that begins in the same row, or -1
  };
  struct Corner {
    std::int64_t x;    ///< 16 fractional bits
    std::int64_t row;  ///< rounded
  };

  static Corner corner_at(PointQ9 point) noexcept;
  void add_edge(const Corner& from, const Corner& to, std::int32_t height);
  void sort_by_row();
  void enter_row(std::int32_t y);

  std::vector<Edge> edges_;
  std::vector<std::int32_t> begins_;  ///< per row from top_: its first edge, or -1
  std::vector<Edge> active_;          ///< edges of the current row, sorted by x
  std::int32_t top_ = 0, bottom_ = 0;
  std::int32_t next_end_ = 0;  ///< the next row at which an active edge ends
};

}  // namespace bev::raster
