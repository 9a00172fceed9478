#pragma once

#include <string>
#include <string_view>

namespace bev::native {

/// Returns `text` with ASCII letters in lower case, independent of the locale.
std::string lower(std::string_view text);

/// Returns `text` without leading and trailing spaces, tabs and line breaks.
std::string_view trimmed(std::string_view text);

}  // namespace bev::native
