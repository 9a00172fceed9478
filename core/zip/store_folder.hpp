#pragma once

#include <optional>
#include <string>

#include "core/zip/directory.hpp"

namespace bev::zip {

/// The folder of an archive that is a zarr store, with its slash: "" for the top,
/// "town.zarr/" where a folder was zipped. Of several the one with the shortest path;
/// nullopt if there is none.
std::optional<std::string> find_store_folder(const Directory& directory);

}  // namespace bev::zip
