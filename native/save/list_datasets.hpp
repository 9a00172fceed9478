#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/save/config.hpp"

namespace bev::native {

/// A data set written by savers.
struct SavedDataset {
  std::string path;
  save::DataConfig config;
  std::uint64_t rows = 0;
  std::uint64_t objects = 0;  ///< files or members, with metadata
  std::uint64_t bytes = 0;    ///< of these, as stored
  bool has_parts = false;     ///< rows were saved that are not committed
};

/// Returns the data set at `path`, or those directly below this folder, sorted by path.
/// Other files and stores are left out.
///
/// Throws  not_found if `path` does not exist; invalid_metadata for a damaged data set;
///         io with the system's reason
std::vector<SavedDataset> list_datasets(const std::string& path);

}  // namespace bev::native
