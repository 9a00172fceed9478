#pragma once

#include <memory>

#include "core/map/aerial_image.hpp"
#include "core/raster/aerial_crop.hpp"
#include "core/sample/params.hpp"
#include "core/sample/scenery.hpp"

namespace bev::raster {

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

  void draw(const sample::Scenery& scenery, const RgbPlanes& out);

 private:
  std::shared_ptr<const map::AerialImage> image_;
  sample::RasterFrame frame_;
  Options options_;
  AerialCropper cropper_;
};

}  // namespace bev::raster
