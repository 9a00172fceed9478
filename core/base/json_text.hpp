#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bev {

/// JSON as text, as Python's json.dumps writes it without blanks: numbers as repr does,
/// but null for what is not finite, and U+FFFD for what is not UTF-8.
///
/// @param ascii  with \\u escapes for what is not ASCII
/// Source        nlohmann::json::dump, which brings printf along: in WebAssembly every
///               kilobyte counts.
std::string json_text(const nlohmann::json& value, bool ascii = false);

/// The same on lines of their own, each level four blanks further in; only ASCII.
std::string json_lines(const nlohmann::json& value);

}  // namespace bev
