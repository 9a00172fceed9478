#pragma once

#include <cstdint>
#include <string>

#include "core/geom/affine.hpp"
#include "core/map/aerial_image.hpp"
#include "native/files/file.hpp"

namespace bev::native {

/// An image file while it is being decoded.
struct ImageBytes {
  const File& file;
  const std::string& name;  ///< what messages call it
  std::uint64_t at = 0;     ///< how far it has been read
};

// As read_aerial_image, for a file that is known to be of the kind.
map::AerialImage read_png(ImageBytes bytes, const geom::Affine3& aerial_from_world);
map::AerialImage read_jpeg(ImageBytes bytes, const geom::Affine3& aerial_from_world);

}  // namespace bev::native
