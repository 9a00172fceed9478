#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/geom/affine.hpp"
#include "core/map/aerial_image.hpp"
#include "core/raster/resize.hpp"
#include "core/raster/rotate.hpp"
#include "core/sample/params.hpp"
#include "core/sample/render_input.hpp"

namespace bev::raster {

/// The pixels of an aerial image, shape (height, width, 3).
struct RgbImage {
  std::span<const std::uint8_t> pixels;
  std::uint32_t width;
  std::uint32_t height;
};

/// A crop of an aerial image.
struct CropRequest {
  Size size;                           ///< of the result
  geom::Vec2 centre;                   ///< x: row, y: column in the aerial image
  std::optional<double> rotation_deg;  ///< absent: no rotation step (differs from 0)
  double pixel_size;                   ///< metres per pixel of the result
  double image_pixel_size;             ///< metres per pixel of the aerial image
  bool upside_down = false;            ///< last row first
  bool keep_sub_pixel = false;         ///< do not truncate the centre to whole pixels
  bool pad = false;                    ///< treat pixels outside the image as black
};

/// Cuts rotated and scaled crops out of an aerial image. Computes only the visible
/// pixels.
///
/// Lifetime       Reuses its tables: repeated calls allocate nothing.
/// Throws         out_of_range if an unpadded crop crosses the image's border;
///                invalid_argument for an empty crop or a side above 32,767 pixels.
/// Thread safety  None: use one object from one thread.
/// Reference      L5Kit, rasterization/satellite_image.py, get_sat_image_crop_scaled,
///                which truncates the centre to whole pixels.
class AerialCropper {
 public:
  void crop(const RgbImage& image, const CropRequest& request, const RgbPlanes& out);

 private:
  WarpedRows warped_;
  Resizer resizer_;
};

/// Draws the aerial image around the ego vehicle or selected agent, rotated to its
/// heading.
///
/// Shapes         Three planes: red, green, blue.
/// Throws         draw() throws as AerialCropper.
/// Thread safety  None: use one object from one thread.
/// Reference      L5Kit, rasterization/satellite_rasterizer.py. Agents too are
///                projected into the image at the ego vehicle's altitude.
class AerialLayer {
 public:
  /// Options that L5Kit does not have.
  struct Options {
    bool keep_sub_pixel = false;  ///< see CropRequest
    bool pad = false;
  };

  AerialLayer(std::shared_ptr<const map::AerialImage> image,
              const sample::RasterFrame& frame, Options options);

  void draw(const sample::RenderInput& input, const RgbPlanes& out);

 private:
  std::shared_ptr<const map::AerialImage> image_;
  sample::RasterFrame frame_;
  Options options_;
  AerialCropper cropper_;
};

}  // namespace bev::raster
