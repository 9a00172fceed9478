#include "native/save/list_datasets.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/base/error.hpp"
#include "core/save/documents.hpp"
#include "native/s3/s3_client.hpp"
#include "native/save/parts_folder.hpp"
#include "native/source/source.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

bool may_be_store(const fs::path& path) {
  const auto name = path.filename().string();
  if (name.find(".partial") != name.npos || name.ends_with(".parts")) return false;
  if (!fs::is_directory(path)) return name.ends_with(".zip");
  return fs::exists(path / ".zattrs") || fs::exists(path / "zarr.json");
}

/// Returns the data set; nullopt for a store that savers have not written.
std::optional<SavedDataset> dataset_at(const std::string& path) {
  std::unique_ptr<Source> source;
  try {
    source = open_store(path);
  } catch (const Error& error) {
    if (error.code() != Errc::not_found) throw;  // a .zip without a store
    return std::nullopt;
  }
  const auto found = committed_in(*source, path);
  if (!found) return std::nullopt;
  SavedDataset out{path, found->config, found->rows, 0, 0, false};
  for (const auto& object : source->list("").value_or(std::vector<Listed>())) {
    ++out.objects;
    out.bytes += object.size;
  }
  out.has_parts = fs::exists(PartsFolder::path_of(path));
  return out;
}

/// Lists by one request; then reads and lists each data set.
std::vector<SavedDataset> list_s3(const std::string& path) {
  const auto [bucket, key] = S3Address::parse(path);
  std::vector<SavedDataset> out;
  const auto add = [&, &name = bucket](const std::string& found) {
    auto dataset = dataset_at("s3://" + name + "/" + found);
    if (dataset) out.push_back(std::move(*dataset));
  };
  S3Client client(s3_settings(), bucket);
  if (key.ends_with(".zip")) {
    add(key);
    return out;
  }
  const auto root = key.empty() ? std::string() : key + "/";
  const auto found = client.list(root, "/");
  if (found.objects.empty() && found.prefixes.empty()) {
    fail_at(Errc::not_found, path, {"not found"});
  }
  for (const auto& object : found.objects) {
    if (object.key == root + ".zattrs" || object.key == root + "zarr.json") add(key);
    if (object.key.ends_with(".zip")) add(object.key);
  }
  for (const auto& prefix : found.prefixes) {
    const auto name = prefix.substr(0, prefix.size() - 1);
    if (!name.ends_with(".bevscope")) add(name);
  }
  std::sort(out.begin(), out.end(), [](const SavedDataset& a, const SavedDataset& b) {
    return a.path < b.path;
  });
  return out;
}

}  // namespace

std::vector<SavedDataset> list_datasets(const std::string& path) {
  if (is_s3(path)) return list_s3(path);
  std::error_code error;
  fs::path root = fs::path(path).lexically_normal();
  if (!root.has_filename()) root = root.parent_path();  // a trailing slash
  if (!fs::exists(root, error)) fail_at(Errc::not_found, path, {"not found"});
  std::vector<SavedDataset> out;
  if (may_be_store(root)) {
    if (auto found = dataset_at(root.string())) return {std::move(*found)};
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
    if (auto found = dataset_at(each.string())) out.push_back(std::move(*found));
  }
  return out;
}

}  // namespace bev::native
