#pragma once

#include <cstdint>
#include <string>

#include "core/geom/affine.hpp"
#include "core/map/aerial_image.hpp"
#include "native/files/file.hpp"

namespace bev::native {

/// An image file being decoded.
struct ImageBytes {
  const File& file;
  const std::string& name;  ///< the file's name in messages
  std::uint64_t at = 0;     ///< current read position
};

// As read_aerial_image, for a file known to be of the format.
//
// They use the libraries' row interfaces. libpng's simplified interface (png_image_*)
// applies gamma and composites alpha, so its pixels differ from imread's; TurboJPEG
// needs the whole compressed file in one buffer, and would be a further dependency.
map::AerialImage read_png(ImageBytes bytes, const geom::Affine3& aerial_from_world);
map::AerialImage read_jpeg(ImageBytes bytes, const geom::Affine3& aerial_from_world);

}  // namespace bev::native
