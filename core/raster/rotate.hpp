#pragma once

#include <vector>

#include "core/geom/affine.hpp"
#include "core/raster/rgb_rows.hpp"

namespace bev::raster {

/// Returns the rotation about a point, counter-clockwise as seen in an image with y
/// down.
///
/// Reference  OpenCV 4.6, getRotationMatrix2D with scale 1.
geom::Affine2 rotation_about(geom::Vec2 centre, double degrees) noexcept;

/// Applies an affine map to a window, row by row from column `first_column` on.
/// Bilinear in steps of 1/32 pixel; pixels outside the window are black.
///
/// Shapes     Windows of up to 32,767 pixels per side.
/// Lifetime   Reads the image when a row is requested. Reusable through set().
/// Reference  OpenCV 4.6, warpAffine, INTER_LINEAR, BORDER_CONSTANT, bit-exact.
class WarpedRows final : public RgbRows {
 public:
  /// @param target_from_source  must have an inverse
  /// @param offset              added to each pixel's source position
  /// @param first_row, first_column   start of the part that is read; row 0 is
  /// first_row
  struct Part {
    std::int32_t first_row = 0, first_column = 0, columns = 0;
  };
  void set(const RgbWindow& window, const geom::Affine2& target_from_source,
           geom::Vec2 offset, const Part& part);

  void read(std::int32_t y, std::span<Lanes> row) const override;

 private:
  struct Shift {
    std::int32_t x, y;  ///< source shift for a target column, 10 fractional bits
  };
  Lanes sample_at_edge(std::int32_t x_q5, std::int32_t y_q5) const noexcept;
  bool is_inside(std::int32_t x_q5, std::int32_t y_q5) const noexcept;

  RgbWindow window_{};
  geom::Affine2 source_from_target_;
  std::int32_t first_row_ = 0;
  std::vector<Shift> columns_;
  std::int32_t left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;  ///< existing pixels
};

}  // namespace bev::raster
