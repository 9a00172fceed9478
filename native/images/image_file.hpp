#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/aerial_image.hpp"
#include "native/files/file.hpp"

namespace bev::native {

/// Pixels of an image: height x width x 3, red, green, blue; the first row is on top.
struct DecodedImage {
  std::uint32_t width;
  std::uint32_t height;
  std::vector<std::uint8_t> pixels;

  /// Creates a black image.
  DecodedImage(std::uint32_t columns, std::uint32_t rows)
      : width(columns), height(rows), pixels(std::size_t{3} * columns * rows) {}

  std::uint8_t* row(std::uint32_t y) noexcept {
    return pixels.data() + std::size_t{3} * width * y;
  }
};

/// Decodes a PNG or JPEG image, detected by its first bytes, row by row.
///
/// Matches OpenCV's imread, which L5Kit uses: 8 bits per channel, palettes and
/// greyscale expanded, alpha dropped, no colour management.
///
/// @param name  the image's name in messages
/// Throws  corrupt_chunk, with the library's message, for data that does not decode,
///         even if the library only warns; limit_exceeded for more than `max_pixels`,
///         and above the limits of map::AerialImage; unsupported for other formats and
///         for CMYK JPEG
DecodedImage decode_image(std::span<const std::byte> bytes, const std::string& name,
                          std::uint64_t max_pixels);

/// Decodes an image file likewise, up to the limits of map::AerialImage.
map::AerialImage read_aerial_image(const File& file, const std::string& name,
                                   const geom::Affine3& aerial_from_world);

/// Encodes an RGB image as PNG.
///
/// @param pixels  rows x columns x 3, the first row on top
/// Throws  internal, with libpng's message, if encoding fails
std::vector<std::byte> encode_png(std::span<const std::uint8_t> pixels,
                                  std::uint32_t rows, std::uint32_t columns);

}  // namespace bev::native
