#include "native/files/data_sets.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace bev::native {
namespace {

namespace fs = std::filesystem;

bool is_zarr_group(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / ".zgroup", error) ||
         fs::is_regular_file(folder / "zarr.json", error);
}

}  // namespace

std::vector<std::string> find_data_sets(const std::string& folder) {
  constexpr int kMaxDepth = 3;
  constexpr std::size_t kMaxCount = 100;
  if (is_zarr_group(folder)) return {""};
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator at(
      folder, fs::directory_options::skip_permission_denied, error);
  const fs::recursive_directory_iterator end;
  while (!error && at != end && found.size() < kMaxCount) {
    std::error_code ignored;
    const bool is_hidden = at->path().filename().string().starts_with('.');
    const bool is_data_set =
        !is_hidden && at->is_directory(ignored) && is_zarr_group(at->path());
    if (is_data_set) found.push_back(at->path().lexically_relative(folder).string());
    if (is_data_set || is_hidden || at.depth() + 1 >= kMaxDepth)
      at.disable_recursion_pending();
    at.increment(error);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace bev::native
