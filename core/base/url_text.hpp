#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bev {

/// Returns `text` with all bytes encoded (%20) except RFC 3986's unreserved characters
/// and those of `plain`.
std::string url_encoded(std::string_view text, std::string_view plain = "/");

/// Returns the decoded text; nullopt for an incomplete or invalid escape.
std::optional<std::string> url_decoded(std::string_view text);

/// Whether a key is names separated by slashes: none is empty, "." or "..".
bool is_key(std::string_view key);

}  // namespace bev
