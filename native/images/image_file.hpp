#pragma once

#include <string>

#include "core/geom/affine.hpp"
#include "core/map/aerial_image.hpp"
#include "native/files/file.hpp"

namespace bev::native {

/// Decodes a PNG or JPEG file, told by its first bytes, row by row into its image.
///
/// As OpenCV's imread has it, from which L5Kit's pixels come: 8 bits a colour, palettes
/// and greys expanded, opacity left out, no colour management.
///
/// @param name    what messages call the file
/// @throws Error  corrupt_chunk with the library's words for bytes that do not decode,
///                also where it would only warn; out_of_memory for an image above the
///                limits of map::AerialImage; unsupported for what is neither PNG nor
///                JPEG, and for JPEG in the colours of print
map::AerialImage read_aerial_image(const File& file, const std::string& name,
                                   const geom::Affine3& aerial_from_world);

}  // namespace bev::native
