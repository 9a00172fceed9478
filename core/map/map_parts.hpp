#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/map/elements.hpp"

namespace bev::map {

/// A map among several in one file, each of a scenario of its own: bytes [begin, end) of
/// semantic_map.pb, which are a map alone, and the area that it is for.
struct MapPart {
  std::uint64_t begin = 0, end = 0;
  Box area;
};

/// Maximum number of parts, and of bytes of all parts.
inline constexpr std::size_t kMaxMapParts = 1'048'576;
inline constexpr std::uint64_t kMaxMapFileBytes = std::uint64_t{1} << 48U;

/// Returns the parts that meta.json lists, whose areas do not overlap (docs/map.md).
/// Empty for a map that is read as a whole.
///
/// Throws  invalid_metadata for text that is not JSON, and parts that do not follow each
///         other or have no area; limit_exceeded above the limits
std::vector<MapPart> parse_map_parts(std::string_view meta_json);

}  // namespace bev::map
