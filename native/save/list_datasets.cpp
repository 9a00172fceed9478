#include "native/save/list_datasets.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/base/error.hpp"
#include "core/save/documents.hpp"
#include "native/save/parts_folder.hpp"
#include "native/source/source.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

bool may_be_store(const fs::path& path) {
  const auto name = path.filename().string();
  if (name.find(".partial") != name.npos || name.ends_with(".parts")) return false;
  return fs::is_directory(path) ? fs::exists(path / ".zattrs") : name.ends_with(".zip");
}

/// Returns the data set; nullopt for a store that savers have not written.
std::optional<SavedDataset> dataset_at(const fs::path& path) {
  std::unique_ptr<Source> source;
  try {
    source = open_source(path.string());
  } catch (const Error& error) {
    if (error.code() != Errc::not_found) throw;  // a .zip without a store
    return std::nullopt;
  }
  const auto text = source->read(".zattrs", std::nullopt);
  if (!text) return std::nullopt;
  const auto where = (path / ".zattrs").string();
  const auto found = save::committed_from(
      {reinterpret_cast<const char*>(text->data()), text->size()}, where);
  if (!found) return std::nullopt;
  SavedDataset out{path.string(), found->config, found->rows, 0, 0, false};
  for (const auto& object : source->list("").value_or(std::vector<Listed>())) {
    ++out.objects;
    out.bytes += object.size;
  }
  out.has_parts = fs::exists(path.string() + ".parts");
  return out;
}

}  // namespace

std::vector<SavedDataset> list_datasets(const std::string& path) {
  std::error_code error;
  fs::path root = fs::path(path).lexically_normal();
  if (!root.has_filename()) root = root.parent_path();  // a trailing slash
  if (!fs::exists(root, error)) fail_at(Errc::not_found, path, {"not found"});
  std::vector<SavedDataset> out;
  if (may_be_store(root)) {
    if (auto found = dataset_at(root)) return {std::move(*found)};
  }
  if (!fs::is_directory(root)) return out;
  std::vector<fs::path> paths;
  fs::directory_iterator at(root, error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    if (may_be_store(at->path())) paths.push_back(at->path());
  }
  if (error) {
    fail_at(Errc::io, path, {"read failed: ", error.message()});
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& each : paths) {
    if (auto found = dataset_at(each)) out.push_back(std::move(*found));
  }
  return out;
}

}  // namespace bev::native
