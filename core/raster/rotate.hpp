#pragma once

#include <vector>

#include "core/geom/affine.hpp"
#include "core/raster/rgb_rows.hpp"

namespace bev::raster {

/// The rotation about a point by degrees, counter-clockwise as seen in an image whose
/// y runs down.
///
/// Source  OpenCV 4.6, getRotationMatrix2D of scale 1.
geom::Affine2 rotation_about(geom::Vec2 centre, double degrees) noexcept;

/// A window moved by an affine map, into an image of its own size: row by row, from
/// column `first` on. Bilinear in steps of 1/32 pixel; outside of the window is black.
///
/// Shapes    Windows of up to 32,767 pixels a side.
/// Lifetime  Reads the picture when asked for a row. Reusable through set().
/// Source    OpenCV 4.6, warpAffine, INTER_LINEAR, BORDER_CONSTANT, to the bit.
class WarpedRows final : public RgbRows {
 public:
  /// @param target_from_source  must have an inverse
  /// @param offset              added to where a pixel comes from
  /// @param first_row, first_column   of the part that is read; row 0 is the first
  struct Part {
    std::int32_t first_row = 0, first_column = 0, columns = 0;
  };
  void set(const RgbWindow& window, const geom::Affine2& target_from_source,
           geom::Vec2 offset, const Part& part);

  void read(std::int32_t y, std::span<Lanes> row) const override;

 private:
  struct Shift {
    std::int32_t x, y;  ///< of the source for a column of the target, 10 bits
  };
  Lanes sample_at_edge(std::int32_t x_q5, std::int32_t y_q5) const noexcept;
  bool is_inside(std::int32_t x_q5, std::int32_t y_q5) const noexcept;

  RgbWindow window_{};
  geom::Affine2 source_from_target_;
  std::int32_t first_row_ = 0;
  std::vector<Shift> columns_;
  std::int32_t left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;  ///< of what has pixels
};

}  // namespace bev::raster
