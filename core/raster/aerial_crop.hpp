#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/geom/affine.hpp"
#include "core/raster/resize.hpp"
#include "core/raster/rotate.hpp"

namespace bev::raster {

/// A picture of the ground as its pixels alone: (height, width, 3).
struct RgbPicture {
  std::span<const std::uint8_t> pixels;
  std::uint32_t width;
  std::uint32_t height;
};

/// Which part of an aerial image is wanted, and how.
struct CropRequest {
  Size size;          ///< of the result
  geom::Vec2 centre;  ///< x: the row, y: the column in the aerial image
  std::optional<double> rotation_deg;  ///< absent: as it is, which is not 0 degrees
  double pixel_size;                   ///< metres per pixel of the result
  double picture_pixel_size;           ///< metres per pixel of the aerial image
  bool upside_down = false;            ///< whether the last row comes first
  bool keep_sub_pixel = false;  ///< whether the centre is not truncated to a pixel
  bool pad = false;             ///< whether outside of the image is black
};

/// Cuts turned and scaled pieces out of an aerial image: of it no more is computed than
/// is seen.
///
/// Lifetime  Keeps its tables: warm, it allocates nothing.
/// Errors    out_of_range for a crop that touches the border, where it is not padded;
///           invalid_argument for one of no pixels, or of more than 32,767 a side.
/// Threads   One object, one thread.
/// Source    L5Kit, rasterization/satellite_image.py, get_sat_image_crop_scaled. There
///           the fraction of a pixel of the centre is lost.
class AerialCropper {
 public:
  void crop(const RgbPicture& picture, const CropRequest& request,
            const RgbPlanes& out);

 private:
  WarpedRows warped_;
  Resizer resizer_;
};

}  // namespace bev::raster
