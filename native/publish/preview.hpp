#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "native/source/source.hpp"

namespace bev::native {

/// Draws a moment of a data set's first scene for previews of links, 1200 x 630 pixels,
/// around the ego vehicle, which heads to the right.
///
/// @param map  file of the semantic map; "" for none
/// Returns  a PNG file; empty for a data set without frames
/// Throws   errors of the source, and of read_semantic_map()
std::vector<std::byte> draw_preview(Source& source, const std::string& map);

}  // namespace bev::native
