#pragma once

#include <string>

namespace bev::native {

/// Returns the text of a map's file.
///
/// Throws  not_found; limit_exceeded above 1 GiB; io
std::string read_map_text(const std::string& path);

}  // namespace bev::native
