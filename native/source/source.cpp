#include "native/source/source.hpp"

#include <filesystem>
#include <system_error>

#include "core/base/error.hpp"
#include "native/source/directory_source.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

bool has_file(const fs::path& folder, const char* name) {
  std::error_code error;
  return fs::is_regular_file(folder / name, error);
}

bool is_url(std::string_view dataset) {
  return dataset.starts_with("http://") || dataset.starts_with("https://");
}

/// Refuses what is understood but not read yet, so that it is not called missing.
void refuse_other_kinds(const std::string& dataset) {
  const char* kind =
      is_url(dataset) ? "an http(s) address"
      : dataset.find(".zip") != dataset.npos && !fs::is_directory(dataset) ? "a .zip"
                                                                           : nullptr;
  if (kind == nullptr) return;
  throw Error(
      Errc::unsupported,
      dataset + ": " + kind + ", expected a folder (unpack or download it first)");
}

std::string array_names(Source& group) {
  constexpr std::string_view kDocument = "/.zarray";
  std::string names;
  for (const auto& object : group.list("")) {
    if (!object.key.ends_with(kDocument)) continue;
    names += names.empty() ? "" : ", ";
    names += object.key.substr(0, object.key.size() - kDocument.size());
  }
  return names.empty() ? "none" : names;
}

[[noreturn]] void fail_without_array(const std::string& path) {
  if (!has_file(path, ".zgroup")) {
    throw Error(Errc::not_found, path + ": no array there (no .zarray)");
  }
  DirectorySource group(path);
  throw Error(Errc::not_found,
              path + ": a group, expected an array of it: " + array_names(group));
}

}  // namespace

std::unique_ptr<Source> open_source(const std::string& dataset) {
  refuse_other_kinds(dataset);
  return std::make_unique<DirectorySource>(dataset);
}

ArrayAddress find_array(const std::string& path) {
  refuse_other_kinds(path);
  if (!has_file(path, ".zarray")) fail_without_array(path);
  auto array = fs::absolute(path).lexically_normal();
  if (!array.has_filename()) array = array.parent_path();  // a slash at the end
  auto root = array;
  while (root.has_relative_path() && has_file(root.parent_path(), ".zgroup")) {
    root = root.parent_path();
  }
  if (root == array) return {array.string(), ""};
  return {root.string(), array.lexically_relative(root).generic_string()};
}

}  // namespace bev::native
