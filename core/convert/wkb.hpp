#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/geom/affine.hpp"

namespace bev::convert {

/// A geometry of a GeoPackage.
struct Geometry {
  std::int32_t srs_id = 0;
  bool is_polygon = false;
  /// Lines; of polygons the rings, the first of each outside.
  std::vector<std::vector<geom::Vec3>> lines;
};

/// West, east, south, north, in the geometry's coordinates.
using Envelope = std::array<double, 4>;

/// Returns the envelope in a geometry's header, if there is one.
///
/// Throws  corrupt_chunk for bytes that are not such a header.
std::optional<Envelope> envelope_of(std::string_view blob);

/// Parses a geometry of lines or polygons, one or several. Heights and measures are
/// read if present; heights are otherwise 0.
///
/// Throws     corrupt_chunk for truncated bytes, counts beyond the bytes, coordinates
///            that are not finite, and bytes after the end; unsupported for points and
///            collections.
/// Reference  OGC 12-128r18, GeoPackage 1.3, 2.1.3; OGC 06-103r4, WKB.
Geometry parse_geometry(std::string_view blob);

}  // namespace bev::convert
