#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

namespace bev {

/// Maximum nesting depth accepted. nlohmann frees trees recursively, so the depth must
/// be bounded.
inline constexpr int kMaxJsonDepth = 64;

/// Parses JSON text to a tree. Of duplicate keys the last one counts. Used instead of
/// nlohmann::json::parse, which takes twice the code in WebAssembly.
///
/// @param too_deep  set to whether the nesting exceeds kMaxJsonDepth
/// @returns         nullopt if the text is not JSON or is nested too deeply
std::optional<nlohmann::json> parse_json_tree(std::string_view text, bool& too_deep);

}  // namespace bev
