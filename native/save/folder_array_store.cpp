#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "native/files/file.hpp"
#include "native/files/system.hpp"
#include "native/files/write_file.hpp"
#include "native/save/array_stores.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockFile = ".lock";
constexpr const char* kPartial = ".partial";

/// Returns the byte of the lock file that stands for a name (FNV-1a). Names that share
/// one wait for each other, and are otherwise right.
off_t byte_of(std::string_view name) {
  if (name.empty()) return 0;
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return static_cast<off_t>(1 + (hash >> 2));
}

class RangeLock final : public save::ArrayStore::Lock {
 public:
  using Access = save::ArrayStore::Access;

  RangeLock(const fs::path& file, std::string_view name, Access access)
      : file_(file.string()) {
    constexpr mode_t kMode = 0666;  // minus the umask
    const bool reads = access == Access::reading;
    descriptor_ = reads ? ::open(file_.c_str(), O_RDONLY | O_CLOEXEC)
                        : ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode);
    if (descriptor_ < 0 && reads && errno == ENOENT) return;  // nobody writes
    if (descriptor_ < 0) fail_write(file_, errno);
    range_.l_whence = SEEK_SET;
    range_.l_start = byte_of(name);
    range_.l_len = 1;
    range_.l_type = access == Access::exclusive ? F_WRLCK : F_RDLCK;
    while (::fcntl(descriptor_, F_OFD_SETLKW, &range_) != 0) {
      if (errno == EINTR) continue;
      const int error = errno;
      ::close(descriptor_);
      fail_at(Errc::io, file_,
              {"lock failed: ", std::generic_category().message(error)});
    }
  }
  RangeLock(const RangeLock&) = delete;
  RangeLock& operator=(const RangeLock&) = delete;

  ~RangeLock() override {
    if (descriptor_ < 0) return;
    range_.l_type = F_UNLCK;  // a child that was forked meanwhile has the file too
    ::fcntl(descriptor_, F_OFD_SETLK, &range_);
    ::close(descriptor_);
  }

  bool held() const override {
    return descriptor_ >= 0 || ::access(file_.c_str(), F_OK) != 0;
  }

 private:
  std::string file_;
  int descriptor_ = -1;
  struct flock range_ {};
};

/// Writes a file and makes its content durable. If that fails, the file is removed.
void write_durably(const fs::path& path, std::span<const std::byte> bytes,
                   const std::string& name) {
  write_file(path, bytes, name);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int error =
      descriptor >= 0 && (sync_open_file(descriptor) == 0 || errno == EINVAL) ? 0
                                                                              : errno;
  if (descriptor >= 0) ::close(descriptor);
  if (error == 0) return;
  ::unlink(path.c_str());
  fail_write(name, error);
}

/// Gives a file another modification time than the one that it replaces, by which
/// readers tell the two (clocks of file systems tick every few milliseconds).
void make_newer(const fs::path& file, const fs::path& old) {
  struct stat now {};
  struct stat before {};
  if (::stat(old.c_str(), &before) != 0 || ::stat(file.c_str(), &now) != 0) return;
  const auto next = modified_ns(before) + 1;
  if (modified_ns(now) >= next) return;
  constexpr long kSecond = 1'000'000'000;
  const timespec times[] = {{0, UTIME_OMIT}, {next / kSecond, next % kSecond}};
  ::utimensat(AT_FDCWD, file.c_str(), times, 0);
}

class FolderArrayStore final : public save::ArrayStore {
 public:
  explicit FolderArrayStore(fs::path root) : root_(std::move(root)) {}

  std::string name_of(const std::string& key) const override {
    return key.empty() ? root_.string() : (root_ / key).string();
  }

  save::StoredObject read(const std::string& key) override {
    check_key(key);
    const auto file = File::open((root_ / key).string(), key);
    if (!file) return {};
    std::vector<std::byte> bytes(static_cast<std::size_t>(file->size()));
    if (file->read_at(0, bytes) != bytes.size()) {
      fail_at(Errc::changed, key, {"truncated while it was read"});
    }
    return {std::move(bytes), ""};
  }

  bool replace(const std::string& key, std::span<const std::byte> bytes,
               const std::optional<std::string>&) override {
    check_key(key);
    const auto path = root_ / key;
    create_folder(path.parent_path());
    auto partial = path;
    partial += kPartial;
    write_durably(partial, bytes, key);
    make_newer(partial, path);
    if (::rename(partial.c_str(), path.c_str()) != 0) {
      const int error = errno;
      ::unlink(partial.c_str());
      fail_write(key, error);
    }
    changed_.insert(path.parent_path());
    return true;
  }

  void remove(const std::string& key) override {
    check_key(key);
    const auto path = root_ / key;
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail_write(key, errno);
    changed_.insert(path.parent_path());
  }

  std::vector<save::ListedObject> list(const std::string& path) override {
    std::vector<save::ListedObject> out;
    std::error_code error;
    fs::recursive_directory_iterator at(folder_of(path), error);
    if (error == std::errc::no_such_file_or_directory) return out;
    for (const fs::recursive_directory_iterator end; !error && at != end;
         at.increment(error)) {
      std::error_code gone;  // others may remove it meanwhile
      if (!at->is_regular_file(gone)) continue;
      const auto size = at->file_size(gone);
      if (gone) continue;
      out.push_back({at->path().lexically_relative(root_).generic_string(), size});
    }
    if (error) {
      fail_at(Errc::io, root_.string(), {"read failed: ", error.message()});
    }
    return out;
  }

  std::unique_ptr<Lock> lock(const std::string& array, std::string_view name,
                             Access access) override {
    const auto folder = folder_of(array);
    if (access != Access::reading) create_folder(folder);
    return std::make_unique<RangeLock>(folder / kLockFile, name, access);
  }

  void sync(const std::string&) override {
    for (const auto& folder : std::exchange(changed_, {})) sync_folder(folder);
  }

 private:
  fs::path folder_of(const std::string& array) const {
    if (array.empty()) return root_;
    check_key(array);
    return root_ / array;
  }

  static void create_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) fail_write(folder.string(), error.value());
  }

  fs::path root_;
  std::set<fs::path> changed_;  // folders with entries that are not durable yet
};

}  // namespace

std::unique_ptr<save::ArrayStore> folder_array_store(const std::string& folder) {
  return std::make_unique<FolderArrayStore>(fs::absolute(folder).lexically_normal());
}

}  // namespace bev::native
