#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/zip/directory.hpp"

namespace bev::zip {

/// Returns the directories of an archive that are zarr stores, each with a trailing
/// slash: "" for the archive's root, "town.zarr/" if a directory was zipped. Shortest
/// paths first, then by name. Stores within stores are omitted, and so are single
/// arrays if there are groups.
std::vector<std::string> find_store_folders(const Directory& directory);

/// Returns the first of these, or nullopt.
std::optional<std::string> find_store_folder(const Directory& directory);

}  // namespace bev::zip
