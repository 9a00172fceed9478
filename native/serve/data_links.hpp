#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bev::serve {

/// Returns the paths, relative to `folder`, of its zarr groups: folders with `.zgroup`
/// or `zarr.json`, at most three levels deep and at most a hundred, sorted. "" is the
/// folder itself. Skips hidden folders, which are not served, and unreadable ones.
std::vector<std::string> find_data_sets(const std::string& folder);

/// Returns the path and fragment of the URL that opens a data set in the viewer:
/// "scenes/town.zarr" gives "/#src=/data/scenes/town.zarr".
std::string viewer_link(std::string_view path);

}  // namespace bev::serve
