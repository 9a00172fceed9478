#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "native/images/image_file.hpp"

namespace bev::native {

/// An image being decoded.
struct ImageBytes {
  /// Fills the bytes from an offset on; returns fewer only at the end.
  std::function<std::size_t(std::uint64_t offset, std::span<std::byte> out)> read_at;
  std::uint64_t size = 0;
  const std::string& name;       ///< the image's name in messages
  std::uint64_t max_pixels = 0;  ///< larger images are refused
  std::uint64_t at = 0;          ///< current read position
};

/// Checks the size of an image before memory is allocated for it.
///
/// Throws  corrupt_chunk for a side of 0; limit_exceeded for more pixels than the limit,
///         and above the limits of map::AerialImage
void check_size(const ImageBytes& bytes, std::uint32_t width, std::uint32_t height);

// As decode_image, for bytes known to be of the format.
//
// They use the libraries' row interfaces. libpng's simplified interface (png_image_*)
// applies gamma and composites alpha, so its pixels differ from imread's; TurboJPEG
// needs the whole compressed file in one buffer, and would be a further dependency.
DecodedImage read_png(ImageBytes bytes);
DecodedImage read_jpeg(ImageBytes bytes);

}  // namespace bev::native
