#pragma once

#include <string>

namespace bev::native {

/// The JSON text of the config in a file, which is JSON or YAML.
///
/// @throws Error  not_found if there is no such file; invalid_argument for one of more
///                than 16 MiB; what config_as_json throws
std::string read_config(const std::string& path);

}  // namespace bev::native
