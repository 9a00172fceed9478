#pragma once

#include <string>

namespace bev::native {

/// Converts a YAML config to JSON, as PyYAML's FullLoader (used by L5Kit) reads it: one
/// document, YAML 1.1 scalars, anchors, merged mappings ("<<"); the last of equal keys
/// wins. Non-string keys become strings: 1 is "1".
///
/// JSON text is returned unchanged.
///
/// @param name  the file's name in messages: "config.yaml"
/// Throws  invalid_argument, with line and column, for invalid YAML, nesting beyond 64
///         levels, or more than 100,000 values after alias expansion; unsupported for
///         tags of other types
std::string config_as_json(const std::string& text, const std::string& name);

}  // namespace bev::native
