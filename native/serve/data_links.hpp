#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bev::serve {

/// Paths, relative to `folder`, of the zarr groups in it: folders with a `.zgroup`
/// or a `zarr.json`, at most three levels down and a hundred of them, sorted. "" is the
/// folder itself. Hidden folders, which are not served, and what cannot be read are
/// passed over.
std::vector<std::string> find_data_sets(const std::string& folder);

/// What follows the origin in the address that opens a data set in the viewer:
/// "scenes/town.zarr" gives "/#src=/data/scenes/town.zarr".
std::string viewer_link(std::string_view path);

}  // namespace bev::serve
