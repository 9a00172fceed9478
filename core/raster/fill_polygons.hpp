#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/raster/canvas.hpp"

namespace bev::raster {

/// Fills polygons with anti-aliased outlines. All polygons of one call are filled
/// together by the even-odd rule: where two overlap, only outlines are.
///
/// Shapes    A polygon is `corners` successive points; a rest of fewer is one too.
///           Work is bounded by points times rows of the image, whatever the
///           coordinates.
/// Lifetime  Keeps its tables, so that a warm one allocates nothing.
/// Errors    None: what is outside of the image is not drawn.
/// Threads   One object, one thread.
/// Source    OpenCV 4.6, fillPoly with LINE_AA and shift 9, to the bit: the outline is
///           drawn between whole rows (y is rounded, x is not), then the inside is set.
class PolygonFiller {
 public:
  template <class Pixel>
  void fill(Canvas<Pixel> canvas, std::span<const PointQ9> points, std::size_t corners,
            Pixel colour);

 private:
  /// A side of a polygon between two rows, the lower one excluded.
  struct Edge {
    std::int64_t x;     ///< at the row that is being filled, 16 fractional bits
    std::int64_t step;  ///< of x, from row to row
    std::int32_t top, bottom;
    std::int32_t next;  ///< another that begins in the same row, or -1
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
  std::vector<std::int32_t> begins_;  ///< by row from top_: its first edge, or -1
  std::vector<Edge> active_;          ///< of this row, by x
  std::int32_t top_ = 0, bottom_ = 0;
  std::int32_t next_end_ = 0;  ///< the next row that an active edge does not reach
};

}  // namespace bev::raster
