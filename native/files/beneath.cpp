#include "native/files/beneath.hpp"

#include <algorithm>
#include <string>
#include <system_error>

#include "core/base/error.hpp"

namespace bev::native {
namespace {

bool is_name(std::string_view segment) {
  return !segment.empty() && segment != "." && segment != ".." &&
         segment.find('\0') == std::string_view::npos;
}

bool is_key(std::string_view key) {
  for (;;) {
    const auto slash = key.find('/');
    if (!is_name(key.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    key.remove_prefix(slash + 1);
  }
}

bool is_beneath(const std::filesystem::path& root, const std::filesystem::path& path) {
  const auto parted = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return parted.first == root.end();
}

}  // namespace

void check_key(std::string_view key) {
  if (is_key(key)) return;
  throw Error(
      Errc::invalid_argument,
      "\"" + std::string(key) + "\": not a key, expected names between slashes");
}

std::optional<std::filesystem::path> find_beneath(const std::filesystem::path& root,
                                                  std::string_view key) {
  check_key(key);
  const std::string name(key);
  std::error_code error;
  auto path = std::filesystem::canonical(root / name, error);
  if (error == std::errc::no_such_file_or_directory ||
      error == std::errc::not_a_directory ||
      error == std::errc::filename_too_long) {  // no such file can exist
    return std::nullopt;
  }
  if (error == std::errc::too_many_symbolic_link_levels) {
    throw Error(Errc::invalid_argument, name + ": " + error.message());
  }
  if (error) throw Error(Errc::network, name + ": " + error.message());
  if (!is_beneath(root, path)) {
    throw Error(Errc::invalid_argument,
                name + ": a symbolic link leads out of " + root.string());
  }
  return path;
}

}  // namespace bev::native
