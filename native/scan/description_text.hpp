#pragma once

#include <string>
#include <string_view>

namespace bev::native {

/// Formats a description (Reader::describe) as a table with a line per field, and group;
/// ends with a line feed.
std::string description_text(std::string_view description);

}  // namespace bev::native
