#pragma once

#include <memory>

#include "core/map/aerial_image.hpp"
#include "core/raster/aerial_crop.hpp"
#include "core/sample/params.hpp"
#include "core/sample/scenery.hpp"

namespace bev::raster {

/// The aerial image around whose view it is, turned to its heading.
///
/// Shapes   Three planes: red, green, blue.
/// Errors   draw() throws what AerialCropper throws.
/// Threads  One object, one thread.
/// Source   L5Kit, rasterization/satellite_rasterizer.py. The height that leads into
///          the image is the ego vehicle's also for agents.
class AerialLayer {
 public:
  /// What L5Kit does not offer.
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
