#include "native/serve/data_links.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace bev::serve {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 3;
constexpr std::size_t kMaxCount = 100;

bool is_group(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / ".zgroup", error) ||
         fs::is_regular_file(folder / "zarr.json", error);
}

}  // namespace

std::vector<std::string> find_data_sets(const std::string& folder) {
  if (is_group(folder)) return {""};
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator at(
      folder, fs::directory_options::skip_permission_denied, error);
  const fs::recursive_directory_iterator end;
  while (!error && at != end && found.size() < kMaxCount) {
    std::error_code ignored;
    const bool is_hidden = at->path().filename().string().starts_with('.');
    const bool is_data_set =
        !is_hidden && at->is_directory(ignored) && is_group(at->path());
    if (is_data_set) found.push_back(at->path().lexically_relative(folder).string());
    if (is_data_set || is_hidden || at.depth() + 1 >= kMaxDepth)
      at.disable_recursion_pending();
    at.increment(error);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string viewer_link(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "/-._~";
  std::string link = "/#src=/data/";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || kPlain.find(c) != std::string_view::npos) {
      link += c;
      continue;
    }
    link += '%';
    link += kHex[byte >> 4];
    link += kHex[byte & 15];
  }
  return link;
}

}  // namespace bev::serve
