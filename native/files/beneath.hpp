#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace bev::native {

/// Throws invalid_argument for a key that is not a path below a directory: empty,
/// absolute, or with "..", ".", an empty segment or a zero byte.
void check_key(std::string_view key);

/// Returns the path of `key` ("agents/3") below directory `root`, or nullopt if it does
/// not exist.
///
/// @param root    an absolute path without symbolic links: std::filesystem::canonical()
/// Throws  invalid_argument for an invalid key (see check_key), for a symbolic link
///         that leads out of `root` and for a loop of links; network for other failures
std::optional<std::filesystem::path> find_beneath(const std::filesystem::path& root,
                                                  std::string_view key);

}  // namespace bev::native
