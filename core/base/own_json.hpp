#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"

namespace bev {

/// Returns JSON text of this library as a tree: used instead of nlohmann::json::parse, which
/// would be a second parser in each wasm module (23 kB).
///
/// Throws  invalid_metadata if the text is not JSON
inline nlohmann::json json_of(std::string_view text) {
  bool too_deep = false;
  auto tree = parse_json_tree(text, too_deep);
  if (!tree)
    fail(Errc::invalid_metadata,
         {"JSON: ", too_deep ? "nested too deeply" : "invalid text"});
  return *std::move(tree);
}

}  // namespace bev
