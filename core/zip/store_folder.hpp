#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/zip/directory.hpp"

namespace bev::zip {

/// Returns the folders of an archive that are zarr stores, each with its slash: "" for
/// the top, "town.zarr/" where a folder was zipped. Short paths first, then by name.
/// Lone arrays are left out where there are groups, and so is what lies in a store.
std::vector<std::string> find_store_folders(const Directory& directory);

/// Returns the first of them, or nullopt.
std::optional<std::string> find_store_folder(const Directory& directory);

}  // namespace bev::zip
