#pragma once

#include <string>
#include <vector>

namespace bev::native {

/// Returns the paths, relative to `folder`, of its zarr groups: folders with `.zgroup`
/// or `zarr.json`, at most three levels deep and at most a hundred, sorted. "" is the
/// folder itself. Skips hidden folders, which are not served, and unreadable ones.
std::vector<std::string> find_data_sets(const std::string& folder);

}  // namespace bev::native
