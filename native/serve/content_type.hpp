#pragma once

#include <string_view>

namespace bev::serve {

/// Returns a file's media type by its extension; "application/octet-stream" if unknown,
/// as for chunks.
std::string_view content_type(std::string_view file_name);

}  // namespace bev::serve
