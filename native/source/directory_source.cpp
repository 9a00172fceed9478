#include "native/source/directory_source.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/store/catalogue.hpp"
#include "native/files/file.hpp"
#include "native/source/workers.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

// Objects read concurrently before any is passed on.
constexpr std::size_t kReadBatch = 32;

/// Where the folder is if a commit ended between its two renames: see recover_replaced().
std::string hint_at(const std::string& path) {
  auto aside = fs::path(path).lexically_normal();
  if (!aside.has_filename()) aside = aside.parent_path();  // a trailing slash
  aside += ".replaced";
  std::error_code error;
  if (!fs::is_directory(aside, error)) return "";
  return " (an ended commit left it as " + aside.string() +
         "; the next one restores it)";
}

fs::path folder_at(const std::string& path) {
  std::error_code error;
  auto found = fs::canonical(path, error);
  if (error) fail_at(Errc::not_found, path, {error.message(), hint_at(path)});
  if (!fs::is_directory(found)) {
    fail_at(Errc::not_found, path, {"not a folder (expected a zarr store)"});
  }
  return found;
}

std::vector<std::byte> bytes_of_directory_source(const File& file,
                                                 const std::string& key,
                                                 ByteRange range) {
  const auto end = std::min(range.end, file.size());
  const auto begin = std::min(range.begin, end);
  std::vector<std::byte> bytes(end - begin);
  if (file.read_at(begin, bytes) != bytes.size()) {
    throw Error(Errc::changed, key + ": truncated while it was read");
  }
  return bytes;
}

}  // namespace

DirectorySource::DirectorySource(const std::string& folder)
    : root_(folder_at(folder)) {}

std::optional<File> DirectorySource::open(const std::string& key) {
  const auto path = find_beneath(root_, key);
  auto file = path ? File::open(path->string(), key) : std::nullopt;
  if (!file) return file;
  const Version found = {file->size(), file->modified_ns()};
  const std::lock_guard lock(mutex_);
  const auto known = versions_.try_emplace(key, found).first->second;
  if (known == found) return file;
  throw Error(Errc::changed,
              key + ": changed while the data set was read; read it again");
}

void DirectorySource::check_unchanged() {
  std::vector<std::string> documents;
  for (const auto& [key, version] : versions_) {
    if (store::Catalogue::is_document(key)) documents.push_back(key);
  }
  for (const auto& key : documents) {
    if (open(key)) continue;
    throw Error(Errc::changed, key + ": removed while the data set was read");
  }
}

std::optional<std::uint64_t> DirectorySource::size(const std::string& key) {
  const auto file = open(key);
  return file ? std::optional(file->size()) : std::nullopt;
}

std::optional<MappedObject> DirectorySource::map(const std::string& key) {
  const auto file = open(key);
  return file ? std::optional(file->map()) : std::nullopt;
}

std::string DirectorySource::version(const std::string& key) {
  const auto file = open(key);
  if (!file) return "absent";
  return std::to_string(file->size()) + " bytes, " +
         std::to_string(file->modified_ns()) + " ns";
}

std::optional<std::vector<std::byte>> DirectorySource::read(
    const std::string& key, const std::optional<ByteRange>& range) {
  const auto file = open(key);
  if (!file) return std::nullopt;
  return bytes_of_directory_source(*file, key,
                                   range.value_or(ByteRange{0, file->size()}));
}

void DirectorySource::read_all(std::span<const ReadRequest> requests,
                               const OnAnswer& take) {
  const bool whole =
      std::none_of(requests.begin(), requests.end(),
                   [](const ReadRequest& request) { return request.range; });
  if (!whole) return Source::read_all(requests, take);
  while (!requests.empty()) {
    const auto batch = requests.first(std::min(requests.size(), kReadBatch));
    std::vector<std::optional<std::vector<std::byte>>> bytes(batch.size());
    on_threads(batch.size(),
               [&](std::size_t i) { bytes[i] = read(batch[i].key, std::nullopt); });
    for (std::size_t i = 0; i < batch.size(); ++i) take(batch[i], std::move(bytes[i]));
    requests = requests.subspan(batch.size());
  }
}

std::optional<std::vector<Listed>> DirectorySource::list(const std::string& prefix) {
  std::vector<Listed> found;
  std::error_code error;
  const fs::recursive_directory_iterator end;
  for (fs::recursive_directory_iterator at(root_ / prefix, error); !error && at != end;
       at.increment(error)) {
    if (!at->is_regular_file()) continue;
    auto key = at->path().lexically_relative(root_).generic_string();
    found.push_back({std::move(key), at->file_size()});
  }
  if (error)
    throw Error(Errc::io, root_.string() + ": read failed: " + error.message());
  std::sort(found.begin(), found.end(),
            [](const Listed& a, const Listed& b) { return a.key < b.key; });
  return found;
}

}  // namespace bev::native
