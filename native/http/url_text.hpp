#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bev::native {

/// Whether the command line's DATASET is an http(s) URL.
bool is_url(std::string_view dataset);

/// Returns `text` with all bytes encoded (%20) except RFC 3986's unreserved characters
/// and those of `plain`.
std::string url_encoded(std::string_view text, std::string_view plain = "/");

/// Returns the decoded text; nullopt for an incomplete or invalid escape.
std::optional<std::string> url_decoded(std::string_view text);

}  // namespace bev::native
