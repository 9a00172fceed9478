#pragma once

#include <string>

namespace bev::native {

/// Converts a map of OpenDRIVE to the files semantic_map/semantic_map.pb and meta.json in
/// a new folder, and returns a report as JSON: counts and losses.
///
/// Throws  as import_opendrive(), naming the file; not_found; invalid_argument if the
///         folder is not empty; limit_exceeded for a file above 1 GiB, and for a map that
///         would be too large to read; io
std::string convert_opendrive(const std::string& file, const std::string& folder);

}  // namespace bev::native
