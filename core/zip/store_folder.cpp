#include "core/zip/store_folder.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace bev::zip {
namespace {

bool is_group_marker(std::string_view file) {
  return file == ".zgroup" || file == ".zmetadata" || file == "zarr.json";
}

/// Returns the directories that have zarr metadata, by name, and whether each is a
/// group.
std::map<std::string_view, bool> marked_folders(const Directory& directory) {
  std::map<std::string_view, bool> found;
  for (const auto& member : directory.members()) {
    const auto name = directory.name_of(member);
    const auto slash = name.rfind('/');
    const auto folder =
        slash == std::string_view::npos ? "" : name.substr(0, slash + 1);
    const auto file = name.substr(folder.size());
    const bool is_group = is_group_marker(file);
    if (is_group || file == ".zarray") found[folder] |= is_group;
  }
  return found;
}

}  // namespace

std::vector<std::string> find_store_folders(const Directory& directory) {
  std::vector<std::string> groups;
  std::vector<std::string> arrays;
  const std::string_view* outer = nullptr;
  for (const auto& [folder, is_group] : marked_folders(directory)) {
    // The contents of a directory follow it in name order.
    if (outer != nullptr && folder.starts_with(*outer)) continue;
    outer = &folder;
    (is_group ? groups : arrays).emplace_back(folder);
  }
  auto found = groups.empty() ? std::move(arrays) : std::move(groups);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return found;
}

std::optional<std::string> find_store_folder(const Directory& directory) {
  auto found = find_store_folders(directory);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

}  // namespace bev::zip
