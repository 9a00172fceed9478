#include "core/zip/store_folder.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace bev::zip {

std::optional<std::string> find_store_folder(const Directory& directory) {
  constexpr std::array<std::string_view, 3> kMarkers{".zgroup", ".zarray", "zarr.json"};
  std::optional<std::string> found;
  for (const auto& member : directory.members()) {
    const auto name = directory.name_of(member);
    const auto slash = name.rfind('/');
    const auto folder =
        slash == std::string_view::npos ? "" : name.substr(0, slash + 1);
    const auto file = name.substr(folder.size());
    if (std::find(kMarkers.begin(), kMarkers.end(), file) == kMarkers.end()) continue;
    if (!found || folder.size() < found->size()) found = folder;
  }
  return found;
}

}  // namespace bev::zip
