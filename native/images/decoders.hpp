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
map::AerialImage read_png(ImageBytes bytes, const geom::Affine3& aerial_from_world);
map::AerialImage read_jpeg(ImageBytes bytes, const geom::Affine3& aerial_from_world);

}  // namespace bev::native
