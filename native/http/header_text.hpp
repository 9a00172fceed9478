#pragma once

#include <string>
#include <string_view>

namespace bev::native {

/// Returns `text` with ASCII letters in lower case, whatever the locale.
std::string lower(std::string_view text);

/// Returns `text` without spaces, tabs and line breaks at either end.
std::string_view trimmed(std::string_view text);

}  // namespace bev::native
