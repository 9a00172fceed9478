#include "native/publish/site_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "core/scan/object_state.hpp"
#include "native/files/file.hpp"
#include "native/files/output_path.hpp"
#include "native/files/write_file.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPage = "index.html";
constexpr const char* kSite = "site.json";
constexpr std::size_t kHashLength = 16;
/// Prefixes of the folders that a site consists of.
constexpr std::string_view kPrefixes[] = {"data", "results", "viewer"};

void check_io(const std::error_code& error, const fs::path& path) {
  if (error) fail_at(Errc::io, path.string(), {error.message()});
}

/// Whether a folder's name is PREFIX-HASH.
bool is_published(std::string_view name, std::string_view prefix) {
  return name.size() == prefix.size() + 1 + kHashLength && name.starts_with(prefix) &&
         name[prefix.size()] == '-' &&
         name.find_first_not_of("0123456789abcdef", prefix.size() + 1) == name.npos;
}

/// Returns the name of the folder data-IDENTITY in a folder; "" if it has none.
std::string identity_folder(const fs::path& folder) {
  constexpr std::string_view kPrefix = "data-";
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    auto name = entry.path().filename().string();
    if (name.starts_with(kPrefix) && is_data_identity(name.substr(kPrefix.size()))) {
      return name;
    }
  }
  return "";
}

/// Whether a file exists and has these bytes.
bool has_bytes(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  if (fs::file_size(path, error) != bytes.size() || error) return false;
  return hash_of_file(path) == sha256_hex(std::as_bytes(std::span(bytes)));
}

/// Calls `take` with the parts of a file; returns the SHA-256.
template <class Take>
std::string read_in_parts(const fs::path& path, Take take) {
  const auto file = File::open(path.string(), path.string());
  if (!file) fail_at(Errc::not_found, path.string(), {"not a file"});
  Sha256 hash;
  std::vector<std::byte> buffer(std::size_t{1} << 20U);
  for (std::uint64_t at = 0; at < file->size();) {
    const auto read = file->read_at(at, buffer);
    if (read == 0)
      fail_at(Errc::changed, path.string(), {"truncated while it was read"});
    const auto part = std::span<const std::byte>(buffer).first(read);
    hash.add(part);
    take(part);
    at += read;
  }
  return hash.hex();
}

}  // namespace

std::string hash_of_file(const fs::path& path) {
  return read_in_parts(path, [](auto) {});
}

std::string copy_in_parts(const fs::path& from, const fs::path& to) {
  fs::create_directories(to.parent_path());
  NewFile file(to.string());
  auto hash = read_in_parts(from, [&](auto part) { file.write(part); });
  file.commit();
  return hash;
}

std::vector<TreeFile> files_below(const fs::path& folder) {
  std::vector<TreeFile> out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (const fs::recursive_directory_iterator end; !error && at != end;
       at.increment(error)) {
    if (!at->is_regular_file()) continue;
    out.push_back(
        {at->path().lexically_relative(folder).generic_string(), at->file_size()});
  }
  check_io(error, folder);
  std::sort(out.begin(), out.end(), [](const TreeFile& one, const TreeFile& other) {
    return one.key < other.key;
  });
  return out;
}

SiteFolder::SiteFolder(const std::string& path) {
  refuse_url(path);
  std::error_code error;
  site_ = fs::weakly_canonical(fs::absolute(path), error);
  check_io(error, path);
  if (!site_.has_filename()) site_ = site_.parent_path();
  check_site();
  is_new_ = fs::create_directories(site_, error);
  check_io(error, site_);
  lock();
}

SiteFolder::~SiteFolder() {
  std::error_code error;  // they are not empty after work that continues
  fs::remove(partial_, error);
  if (is_new_) fs::remove(site_, error);
  ::close(lock_);
}

/// Throws if the folder has files of something else.
void SiteFolder::check_site() const {
  std::error_code error;
  const auto status = fs::status(site_, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) {
    fail_at(Errc::invalid_argument, site_.string(), {"not a folder"});
  }
  // A process that was killed before its first page leaves folders, and perhaps files.
  const bool is_site =
      fs::exists(site_ / kSite) ||
      std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                  [&](std::string_view prefix) { return !folders(prefix).empty(); });
  if (is_site) return;
  for (const auto& entry : fs::directory_iterator(site_, error)) {
    const auto name = entry.path().filename().string();
    if (name == ".partial") continue;
    fail_at(Errc::invalid_argument, site_.string(),
            {"not empty, and not a published site (found ", name, ")"});
  }
  check_io(error, site_);
}

void SiteFolder::lock() {
  struct stat own {};
  struct stat above {};
  const bool is_mount = ::stat(site_.c_str(), &own) == 0 &&
                        ::stat(site_.parent_path().c_str(), &above) == 0 &&
                        (own.st_dev != above.st_dev || own.st_ino == above.st_ino);
  partial_ = is_mount ? site_ / ".partial" : fs::path(site_.string() + ".partial");
  for (;;) {
    std::error_code error;
    fs::create_directories(partial_, error);
    check_io(error, partial_);
    lock_ = ::open(partial_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0 && errno == ENOENT) continue;  // its writer has just finished
    if (lock_ < 0) check_io({errno, std::generic_category()}, partial_);
    const bool locked = ::flock(lock_, LOCK_EX | LOCK_NB) == 0;
    if (locked && is_named(lock_, partial_)) return;
    ::close(std::exchange(lock_, -1));
    if (locked) continue;
    fail_at(Errc::invalid_argument, site_.string(), {"another process publishes it"});
  }
}

fs::path SiteFolder::work(const std::string& name) const {
  const auto folder = partial_ / name;
  std::error_code error;
  fs::remove_all(folder, error);
  check_io(error, folder);
  fs::create_directories(folder, error);
  check_io(error, folder);
  return folder;
}

std::vector<std::string> SiteFolder::folders(std::string_view prefix) const {
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(site_, error)) {
    auto name = entry.path().filename().string();
    if (is_published(name, prefix)) out.push_back(std::move(name));
  }
  check_io(error, site_);
  std::sort(out.begin(), out.end());
  return out;
}

/// Makes a file a link to an older one with the same bytes, if there is one.
void SiteFolder::link_same(const fs::path& folder, const TreeFile& file,
                           std::string_view prefix) const {
  std::optional<std::string> hash;
  const auto own = identity_folder(folder);
  const auto key = fs::path(file.key).lexically_relative(own);
  const bool is_below = !own.empty() && !key.native().starts_with("..");
  for (const auto& name : folders(prefix)) {
    const auto older = is_below ? site_ / name / identity_folder(site_ / name) / key
                                : site_ / name / file.key;
    std::error_code error;
    if (fs::file_size(older, error) != file.size || error) continue;
    if (!hash) hash = hash_of_file(folder / file.key);
    if (hash_of_file(older) != *hash) continue;
    const auto linked = partial_ / ".link";
    fs::remove(linked, error);
    fs::create_hard_link(older, linked, error);
    if (!error) fs::rename(linked, folder / file.key, error);
    return;  // without links, the file stays as it is
  }
}

std::string SiteFolder::adopt(const fs::path& folder, std::string_view prefix) const {
  Sha256 hash;
  const auto add = [&](std::string_view text) {
    hash.add(std::as_bytes(std::span(text)));
  };
  const auto files = files_below(folder);
  for (const auto& file : files) {
    add(file.key + "\n" + std::to_string(file.size) + "\n");
    add(hash_of_file(folder / file.key));
  }
  const auto name = std::string(prefix) + "-" + hash.hex().substr(0, kHashLength);
  std::error_code error;
  if (fs::exists(site_ / name)) {
    fs::remove_all(folder, error);
    return name;
  }
  for (const auto& file : files) link_same(folder, file, prefix);
  sync_tree(folder);
  fs::rename(folder, site_ / name, error);
  check_io(error, site_ / name);
  sync_folder(site_);
  return name;
}

void SiteFolder::put(const std::string& name, std::string_view bytes) const {
  const auto path = site_ / name;
  if (has_bytes(path, bytes)) return;
  NewFile file(path.string());
  file.write(std::as_bytes(std::span(bytes)));
  file.commit();
}

void SiteFolder::finish(std::string_view page, const std::set<std::string>& used,
                        bool keep) {
  put(kPage, page);
  sync_folder(site_);
  std::error_code error;
  for (const auto prefix : kPrefixes) {
    for (const auto& name : folders(prefix)) {
      if (keep || used.contains(name)) continue;
      // By one rename, so that no incomplete folder has the name of its contents
      fs::rename(site_ / name, work("removed") / name, error);
      check_io(error, site_ / name);
    }
  }
  fs::remove_all(partial_, error);
}

}  // namespace bev::native
