#pragma once

#include <string>

namespace bev::native {

/// Returns a config file's content, JSON or YAML, as JSON.
///
/// Throws  not_found if the file does not exist; invalid_argument if it exceeds 16 MiB;
///         as config_as_json
std::string read_config(const std::string& path);

}  // namespace bev::native
