#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace bev::native {

/// Throws invalid_argument for a key that is no path below a folder: one that is empty
/// or absolute, or has "..", ".", an empty segment or a zero byte.
void check_key(std::string_view key);

/// Where `key` ("agents/3") lies below the folder `root`, or nullopt if nothing is
/// there.
///
/// @param root    an absolute path without symbolic links: std::filesystem::canonical()
/// @throws Error  invalid_argument for a key that is no path below a folder (empty,
///                absolute, with "..", ".", an empty segment or a zero byte), for one
///                that a symbolic link leads out of `root` and for a loop of links;
///                network for other failures
std::optional<std::filesystem::path> find_beneath(const std::filesystem::path& root,
                                                  std::string_view key);

}  // namespace bev::native
