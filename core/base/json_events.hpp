#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace bev {

/// Takes the values of JSON text one by one, without a tree. A function that returns false
/// ends the parsing.
using JsonEvents = nlohmann::json_sax<nlohmann::json>;

/// Returns false if the text is not JSON, or `events` ended the parsing. Nesting is not
/// bounded, and takes a bit per level.
bool parse_json_events(std::string_view text, JsonEvents& events);

}  // namespace bev
