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

/// Decodes a PNG or JPEG file, detected by its first bytes, row by row into an image.
///
/// Matches OpenCV's imread, which L5Kit uses: 8 bits per channel, palettes and
/// greyscale expanded, alpha dropped, no colour management.
///
/// @param name    the file's name in messages
/// Throws  corrupt_chunk, with the library's message, for data that does not decode,
///         even if the library only warns; limit_exceeded above the limits of
///         map::AerialImage; unsupported for other formats and for CMYK JPEG
map::AerialImage read_aerial_image(const File& file, const std::string& name,
                                   const geom::Affine3& aerial_from_world);

/// Encodes an RGB image as PNG.
///
/// @param pixels  rows x columns x 3, the first row on top
/// Throws  internal, with libpng's message, if encoding fails
std::vector<std::byte> encode_png(std::span<const std::uint8_t> pixels,
                                  std::uint32_t rows, std::uint32_t columns);

}  // namespace bev::native
