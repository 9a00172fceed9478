#include "native/files/new_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "native/files/file.hpp"
#include "native/files/output_path.hpp"
#include "native/files/system.hpp"
#include "native/files/write_file.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_new_folder(const fs::path& folder, int error) {
  fail_write(folder.string(), error);
}

void check(const fs::path& folder, const std::error_code& error) {
  if (error) fail_new_folder(folder, error.value());
}

/// Returns the folder's absolute path, with links resolved and without trailing slash.
fs::path place_of(const fs::path& folder) {
  std::error_code error;
  auto place = fs::weakly_canonical(fs::absolute(folder), error);
  check(folder, error);
  return place.has_filename() ? place : place.parent_path();
}

/// Whether the folder cannot be renamed, or is the working directory.
bool is_fixed(const fs::path& folder) {
  struct stat own {};
  struct stat above {};
  if (::stat(folder.c_str(), &own) != 0) return false;
  if (::stat(folder.parent_path().c_str(), &above) != 0) return true;
  std::error_code ignored;
  return own.st_dev != above.st_dev || own.st_ino == above.st_ino ||
         fs::equivalent(folder, fs::current_path(ignored), ignored);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> names;
  std::error_code error;
  fs::directory_iterator at(folder, error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename());
  }
  if (error && error != std::errc::no_such_file_or_directory) check(folder, error);
  return names;
}

/// Where a replaced folder is between two renames.
fs::path aside_of(fs::path folder) {
  folder += ".replaced";
  return folder;
}

/// Moves `from` to `to`, exchanging them if `to` exists. Both must be on one file
/// system.
void put(const fs::path& from, const fs::path& to) {
  if (rename_new(from.c_str(), to.c_str()) == 0) return;
  if (errno == EEXIST && exchange(from.c_str(), to.c_str()) == 0) return;
  if (errno != EINVAL && errno != ENOSYS) fail_new_folder(to, errno);
  // The file system supports neither: use two renames. If the process is killed between
  // them, the old folder is still there as NAME.replaced: see recover_replaced().
  const auto aside = aside_of(to);
  std::error_code error;
  const bool existed = fs::exists(fs::symlink_status(to));
  if (existed) fs::remove_all(aside, error);
  if (existed && ::rename(to.c_str(), aside.c_str()) != 0) fail_new_folder(to, errno);
  if (::rename(from.c_str(), to.c_str()) != 0) {
    const int failed = errno;
    if (existed) ::rename(aside.c_str(), to.c_str());
    fail_new_folder(to, failed);
  }
  fs::remove_all(aside, error);
}

/// Copies an entry to keep, using hard links if possible.
void link_tree(const fs::path& from, const fs::path& to) {
  using fs::copy_options;
  constexpr auto kAll = copy_options::recursive | copy_options::copy_symlinks;
  std::error_code error;
  fs::copy(from, to, kAll | copy_options::create_hard_links, error);
  if (!error) return;
  fs::remove_all(to, error);
  fs::copy(from, to, kAll, error);
  check(from, error);
}

/// Gives a folder its name back if a process was killed between two renames of it.
void put_back(const fs::path& folder) {
  const auto aside = aside_of(folder);
  if (fs::exists(fs::symlink_status(folder))) return;
  if (!fs::exists(fs::symlink_status(aside))) return;
  if (::rename(aside.c_str(), folder.c_str()) != 0 && errno != ENOENT) {
    fail_new_folder(folder, errno);
  }
}

}  // namespace

void recover_replaced(const fs::path& folder) {
  const auto place = place_of(folder);
  if (fs::exists(fs::symlink_status(place)) || !fs::exists(aside_of(place))) return;
  auto partial = place;
  partial += ".partial";
  const int descriptor =
      ::open(partial.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
  // A writer that is between its renames holds the lock.
  const bool is_free = descriptor < 0 || ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  if (is_free) put_back(place);
  if (descriptor >= 0) ::close(descriptor);
}

NewFolder::NewFolder(const fs::path& folder, std::optional<Paths> replaced)
    : folder_(place_of(folder)), replaced_(std::move(replaced)) {
  refuse_url(folder.string());
  in_place_ = is_fixed(folder_);
  partial_ = in_place_ ? folder_ / ".partial" : folder_;
  if (!in_place_) partial_ += ".partial";
  lock();
  try {
    if (!in_place_) put_back(folder_);
    check_target();
    for (const auto& name : entries_of(partial_)) {  // left by a killed process
      std::error_code error;
      fs::remove_all(partial_ / name, error);
      check(partial_ / name, error);
    }
  } catch (...) {
    // Fails if the directory is not empty, which is intended
    ::rmdir(partial_.c_str());
    ::close(lock_);
    throw;
  }
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (is_named(lock_, partial_)) fs::remove_all(partial_, ignored);
  ::close(lock_);
}

/// Creates the partial folder and locks it. Only the lock's holder writes.
void NewFolder::lock() {
  std::error_code error;
  fs::create_directories(partial_.parent_path(), error);
  check(folder_, error);
  for (;;) {
    constexpr mode_t kMode = 0777;  // minus the umask
    if (::mkdir(partial_.c_str(), kMode) != 0 && errno != EEXIST)
      fail_new_folder(folder_, errno);
    lock_ = ::open(partial_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0 && errno == ENOENT) continue;  // its writer has just finished
    if (lock_ < 0) fail_new_folder(folder_, errno);
    const bool locked = ::flock(lock_, LOCK_EX | LOCK_NB) == 0;
    if (locked && is_named(lock_, partial_)) return;
    ::close(std::exchange(lock_, -1));
    if (locked) continue;
    throw Error(Errc::invalid_argument,
                folder_.string() + ": locked by another process that writes it");
  }
}

void NewFolder::check_target() const {
  std::error_code error;
  const auto status = fs::status(folder_, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) fail_new_folder(folder_, ENOTDIR);
  auto names = entries_of(folder_);
  std::erase(names, fs::path(in_place_ ? ".partial" : ""));
  if (names.empty() || replaced_) return;
  throw Error(Errc::invalid_argument, folder_.string() + ": not empty");
}

bool NewFolder::goes(const fs::path& below) const {
  return std::find(replaced_->begin(), replaced_->end(), below.generic_string()) !=
         replaced_->end();
}

bool NewFolder::holds_replaced(const fs::path& below) const {
  const auto prefix = below.generic_string() + "/";
  return std::any_of(replaced_->begin(), replaced_->end(),
                     [&](const auto& path) { return path.starts_with(prefix); });
}

/// Copies the entries to keep from the old folder's `below`.
void NewFolder::keep(const fs::path& below) {
  for (const auto& name : entries_of(folder_ / below)) {
    const auto at = below / name;
    if (goes(at) || (in_place_ && at == ".partial")) continue;
    if (holds_replaced(at)) {
      keep(at);
    } else if (!fs::exists(fs::symlink_status(partial_ / at))) {
      std::error_code error;
      fs::create_directories((partial_ / at).parent_path(), error);
      check(folder_ / at, error);
      link_tree(folder_ / at, partial_ / at);
    }
  }
}

void NewFolder::commit() {
  if (replaced_ && *replaced_ != everything()) keep({});
  sync_tree(partial_);
  if (in_place_) {
    swap_entries();
  } else {
    swap_folders();
  }
  sync_folder(folder_.parent_path());
}

void NewFolder::swap_folders() {
  struct stat known {};
  if (::stat(folder_.c_str(), &known) == 0) ::fchmod(lock_, known.st_mode);
  if (!replaced_) {
    if (::rename(partial_.c_str(), folder_.c_str()) != 0)
      fail_new_folder(folder_, errno);
    return;
  }
  // After the exchange, the old folder has the partial's name. Lock it, so that no
  // process treats it as abandoned while it is being removed.
  const int old = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (old >= 0) ::flock(old, LOCK_EX | LOCK_NB);
  put(partial_, folder_);
  if (old < 0) return;
  std::error_code ignored;
  if (is_named(old, partial_)) fs::remove_all(partial_, ignored);
  ::close(old);
}

void NewFolder::swap_entries() {
  const auto names = entries_of(partial_);
  for (const auto& name : names) put(partial_ / name, folder_ / name);
  for (const auto& name : entries_of(folder_)) {
    std::error_code error;
    const bool is_new = std::find(names.begin(), names.end(), name) != names.end();
    if (!is_new && name != ".partial") fs::remove_all(folder_ / name, error);
  }
}

}  // namespace bev::native
