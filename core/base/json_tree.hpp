#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

namespace bev {

/// Brackets within brackets that JSON of ours has at most, for trees are freed
/// recursively.
inline constexpr int kDeepestJson = 64;

/// JSON text as a tree. Of keys that are there twice the last counts.
///
/// @param too_deep  set where the text is JSON so far, but deeper than kDeepestJson
/// @return          nothing for text that is not JSON, or too deep
/// Source           nlohmann::json::parse, which is twice the code: it is made with and
///                  without a callback, and in WebAssembly every kilobyte counts.
std::optional<nlohmann::json> parse_json_tree(std::string_view text, bool& too_deep);

}  // namespace bev
