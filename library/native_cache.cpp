#include <bevscope/native.hpp>
#include <filesystem>
#include <system_error>

#include "core/base/error.hpp"
#include "native/cache/cache_folder.hpp"

namespace bev {
namespace {

native::CacheFolder open_cache(const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    fail(Errc::not_found, {"cache ", folder, ": not a folder"});
  }
  return {folder, CacheOptions().limit};
}

}  // namespace

CacheContents cache_contents(const std::string& folder) {
  const auto found = open_cache(folder).totals();
  return {found.entries, found.bytes};
}

CacheContents clear_cache(const std::string& folder) {
  auto opened = open_cache(folder);
  const auto removed = opened.clear();
  if (!removed) {
    fail(Errc::io, {"cache ", folder, ": remove failed: ",
                    std::generic_category().message(opened.last_error())});
  }
  return {removed->entries, removed->bytes};
}

}  // namespace bev
