#pragma once

#include <string_view>

namespace bev::serve {

/// The media type of a file by the extension of its name;
/// "application/octet-stream" for what is not known, which chunks are.
std::string_view content_type(std::string_view file_name);

}  // namespace bev::serve
