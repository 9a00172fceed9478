#include <unistd.h>

#include <algorithm>
#include <bevscope/native.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/secrets.hpp"
#include "core/save/load_session.hpp"
#include "native/files/file.hpp"
#include "native/files/new_store.hpp"
#include "native/s3/s3_store.hpp"

namespace bev {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::byte>;

/// Says which commit a folder is a copy of. Folders without it are the user's.
constexpr const char* kDownload = ".bevscope/download.json";
/// Objects in memory at the same time.
constexpr std::size_t kObjectsAtOnce = 16;

std::string_view text_of_download(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The consolidated metadata of a data set, by its key.
struct RootDocument {
  std::string key;
  Bytes bytes;
};

RootDocument read_root(Source& source) {
  for (const auto* const key : {".zmetadata", "zarr.json"}) {
    if (auto bytes = source.read(key, std::nullopt)) return {key, *std::move(bytes)};
  }
  fail(Errc::invalid_argument, {"download: not a saved data set (no metadata found)"});
}

/// Returns the commit of which a folder is a copy; "" if it is none.
std::string commit_in(const fs::path& folder) {
  const auto path = (folder / kDownload).string();
  const auto file = native::File::open(path, path);
  if (!file) return "";
  Bytes bytes(file->size());
  bytes.resize(file->read_at(0, bytes));
  const auto found = nlohmann::json::parse(text_of_download(bytes), nullptr, false);
  if (!found.is_object() || !found.contains("commit")) return "";
  return found["commit"].is_string() ? found["commit"].get<std::string>() : "";
}

void check_folder(const std::string& name) {
  if (name.empty() || name.ends_with(".zip") || name.find("://") != name.npos) {
    fail(Errc::invalid_argument, {"download: expected a folder (found ", name, ")"});
  }
  const fs::path folder = name;
  std::error_code error;
  const bool is_free = !fs::exists(folder, error) ||
                       (fs::is_directory(folder, error) && fs::is_empty(folder, error));
  if (is_free || !commit_in(folder).empty()) return;
  fail(Errc::invalid_argument,
       {"download: ", name, ": exists, and is no earlier download"});
}

/// Copies objects as they are. An absent one is an error.
void copy_objects(Source& source, std::span<const std::string> keys, Sink& to,
                  const std::function<void()>& done) {
  for (std::size_t begin = 0; begin < keys.size(); begin += kObjectsAtOnce) {
    std::vector<ReadRequest> requests;
    for (const auto& key :
         keys.subspan(begin, std::min(kObjectsAtOnce, keys.size() - begin))) {
      requests.push_back({key});
    }
    source.read_all(requests, [&](const ReadRequest& request, auto bytes) {
      if (!bytes) fail_at(Errc::missing_key, request.key, {"not found"});
      to.put(request.key, *bytes);
      done();
    });
  }
}

}  // namespace

std::vector<std::string> download(Source& source, const std::string& folder,
                                  const DownloadOptions& options) {
  check_folder(folder);
  const auto root = read_root(source);
  const auto objects = save::stored_objects(text_of_download(root.bytes), "data set");
  const auto& id = objects.committed.id;
  if (!options.commit.empty() && id != options.commit) {
    fail(Errc::changed, {"data set: was replaced since it was opened (found commit ",
                         id, ", expected ", options.commit, ")"});
  }
  std::vector<std::string> keys = objects.documents;
  keys.insert(keys.end(), objects.others.begin(), objects.others.end());
  std::vector<std::string> paths;
  for (const auto& key : keys) paths.push_back((fs::path(folder) / key).string());
  if (commit_in(folder) == id) return paths;  // it was complete when it got its name

  const auto store = native::create_store(folder, native::Existing::replace);
  std::uint64_t done = 0;
  copy_objects(source, keys, *store, [&] {
    if (options.progress) options.progress(++done, keys.size());
  });
  const auto again = source.read(root.key, std::nullopt);
  if (!again || *again != root.bytes) {
    fail(Errc::changed, {"data set: was replaced while it was downloaded"});
  }
  const auto mark = nlohmann::json{{"commit", id}}.dump();
  store->put(kDownload, std::as_bytes(std::span(mark)));
  store->commit();
  return paths;
}

void remove_download(const std::string& folder) {
  if (!fs::exists(folder)) return;
  check_folder(folder);
  std::error_code error;
  // By one rename: what a killed removal leaves must not look like a download.
  auto removed = fs::absolute(folder).lexically_normal();
  if (!removed.has_filename()) removed = removed.parent_path();
  removed += ".removed-" + std::to_string(::getpid());
  fs::rename(folder, removed, error);
  if (!error) fs::remove_all(removed, error);
  if (error) {
    fail(Errc::io, {"download: ", folder, ": remove failed: ", error.message()});
  }
}

std::uint64_t upload(const std::string& folder, const std::string& address,
                     const UploadOptions& options) {
  if (!native::is_s3(address)) {
    fail(Errc::invalid_argument, {"upload: expected an address s3://bucket/key (found ",
                                  without_secrets(address), ")"});
  }
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail(Errc::not_found, {"upload: ", folder, ": not a folder"});
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  const auto existing =
      options.replace ? native::Existing::replace : native::Existing::refuse;
  const auto store = native::create_s3_store(address, existing, native::s3_settings());
  std::uint64_t done = 0;
  for (const auto& file : files) {
    store->put_file(file.lexically_relative(folder).generic_string(), file);
    if (options.progress) options.progress(++done, files.size());
  }
  store->commit();
  return files.size();
}

}  // namespace bev
