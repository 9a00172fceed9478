#pragma once

#include <string>

namespace bev::native {

/// The JSON text of a config that is YAML, as PyYAML's FullLoader reads it (which
/// L5Kit uses): one document, scalars of YAML 1.1, anchors, merged mappings ("<<"), of
/// equal keys the last. Keys that are no texts become texts: 1 is "1".
///
/// Text that is JSON already comes back as it is.
///
/// @param name    what messages call it: "config.yaml"
/// @throws Error  invalid_argument, with line and column, for text that is not YAML,
///                deeper than 64 levels or of more than 100,000 values once aliases are
///                written out; unsupported for tags of other types
std::string config_as_json(const std::string& text, const std::string& name);

}  // namespace bev::native
