#pragma once

#include <optional>
#include <string>

#include "core/geom/geodesy.hpp"

namespace bev::native {

enum class MapFormat { opendrive, lanelet2 };

/// Converts a map to the files semantic_map/semantic_map.pb and meta.json in a new folder,
/// and returns a report as JSON: counts and losses.
///
/// @param origin  of a map of Lanelet2; see import_lanelet2()
/// Throws  as import_opendrive() and import_lanelet2(), naming the file; not_found;
///         invalid_argument if the folder is not empty; limit_exceeded for a file above
///         1 GiB, and for a map that would be too large to read; io
std::string convert_map(MapFormat format, const std::string& file,
                        const std::string& folder,
                        const std::optional<geom::Geodetic>& origin = {});

}  // namespace bev::native
