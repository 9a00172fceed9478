#include "native/files/write_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "native/files/file.hpp"
#include "native/files/system.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;  // the kernel's limit

/// Resolves the links at `path` to a file that need not exist.
fs::path behind_links(fs::path path) {
  for (int i = 0; i < kMaxLinks; ++i) {
    std::error_code error;
    const auto next = fs::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

/// Removes a file if no process holds its lock: its writer has ended. Holds the lock
/// meanwhile, for which a writer waits that has just created the file.
void remove_if_abandoned(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(descriptor);
}

/// Returns ".partial-" and digits that no other writer uses.
std::string partial_suffix() {
  static std::atomic<unsigned> count{0};
  constexpr unsigned kMax = 1'000'000'000;
  const auto own = std::to_string(kMax + count++ % kMax);
  return ".partial-" + std::to_string(::getpid()) + own.substr(1);
}

/// Creates a file and locks it, again if another process has taken it for abandoned.
std::FILE* create_locked(const fs::path& path) {
  for (;;) {
    std::FILE* const file = std::fopen(path.c_str(), "wbe");
    if (file == nullptr) return nullptr;
    while (::flock(::fileno(file), LOCK_EX) != 0 && errno == EINTR) {
    }
    if (is_named(::fileno(file), path)) return file;
    static_cast<void>(std::fclose(file));
  }
}

/// Removes NAME.partial-* files that killed processes have left beside `target`.
void remove_abandoned(const fs::path& target) {
  const auto prefix = target.filename().string() + ".partial-";
  std::error_code error;
  fs::directory_iterator at(target.has_parent_path() ? target.parent_path() : ".",
                            error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    const auto name = at->path().filename().string();
    std::error_code ignored;
    const bool is_one =
        name.size() > prefix.size() && name.starts_with(prefix) &&
        name.find_first_not_of("0123456789", prefix.size()) == name.npos &&
        at->is_regular_file(ignored);
    if (is_one) remove_if_abandoned(at->path());
  }
}

constexpr std::size_t kNameLength = 4096;  // PATH_MAX
// A slot's version counts up through these states; between them, its name changes.
constexpr unsigned kFree = 0, kUsed = 2, kStates = 3;

// Of as many single characters, some compilers cannot make a constant.
using Word = std::uint64_t;

struct PartialName {
  std::atomic<unsigned> version{0};
  std::array<std::atomic<Word>, kNameLength / sizeof(Word)> words{};
};

/// Names of partial files to remove when a signal (such as control-C) ends the program.
/// Their memory is never freed, because a signal handler, or another thread, may read it.
class Partials {
 public:
  static constexpr std::size_t kNone = 64;

  /// Returns the name's slot; kNone if all are used, or the name is too long.
  static std::size_t add(const std::string& path) {
    if (path.size() >= kNameLength) return kNone;
    for (std::size_t at = 0; at < slots.size(); ++at) {
      auto& slot = slots[at];
      auto version = slot.version.load();
      if (version % kStates != kFree ||
          !slot.version.compare_exchange_strong(version, version + 1)) {
        continue;
      }
      for (std::size_t i = 0; i <= path.size(); i += sizeof(Word)) {
        Word word = 0;
        std::memcpy(&word, path.data() + i, std::min(sizeof word, path.size() - i));
        slot.words[i / sizeof(Word)] = word;
      }
      slot.version.store(version + 2);
      return at;
    }
    return kNone;
  }

  static void remove(std::size_t at) {
    if (at < slots.size()) slots[at].version.fetch_add(1);
  }

  static void unlink_all() {
    for (const auto& slot : slots) {
      const auto version = slot.version.load();
      if (version % kStates != kUsed) continue;
      std::array<char, kNameLength> name{};
      for (std::size_t i = 0; i < slot.words.size(); ++i) {
        const Word word = slot.words[i];
        std::memcpy(name.data() + i * sizeof word, &word, sizeof word);
      }
      name.back() = 0;
      // Not if the slot has got another name meanwhile
      if (slot.version.load() == version) ::unlink(name.data());
    }
  }

 private:
  static inline constinit std::array<PartialName, kNone> slots{};
};

void on_signal(int signal) {
  Partials::unlink_all();
  ::raise(signal);  // its action is the default again
}

bool set_modified_ns(int descriptor, std::int64_t ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  timespec time{};
  time.tv_sec = static_cast<time_t>(ns / kSecond);
  time.tv_nsec = static_cast<long>(ns % kSecond);
  const std::array<timespec, 2> times{time, time};
  return ::futimens(descriptor, times.data()) == 0;
}

/// Skips entries that cannot be opened: those that a writer creates can be.
void sync(const fs::path& path, int (*how)(int)) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return;
  const int error = how(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error == 0 || error == EINVAL || error == ENOSYS || error == EOPNOTSUPP) return;
  fail_write(path.string(), error);
}

}  // namespace

/// Keeps signal handlers that the program has set itself.
void remove_partials_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction known {};
    ::sigaction(signal, nullptr, &known);
    if (known.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = &on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &action, nullptr);
  }
}

void fail_write(const std::string& name, int error) {
  fail_at(Errc::io, name, {"write failed: ", std::generic_category().message(error)});
}

void write_file(const fs::path& path, std::span<const std::byte> bytes,
                const std::string& name) {
  constexpr mode_t kMode = 0666;  // minus the umask
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (descriptor < 0) fail_write(name, errno);
  struct stat status {};
  const bool is_file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  int failed = 0;
  while (failed == 0 && !bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count >= 0) bytes = bytes.subspan(static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) failed = errno;
  }
  if (::close(descriptor) != 0 && failed == 0) failed = errno;
  if (failed == 0) return;
  if (is_file) ::unlink(path.c_str());
  fail_write(name, failed);
}

void sync_folder(const fs::path& folder) {
  sync(folder.empty() ? "." : folder, &sync_open_file);
}

void sync_tree(const fs::path& folder) {
  // All at once; the calls below then report the errors of each file
  sync(folder, &sync_file_system);
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (const fs::recursive_directory_iterator end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    const auto status = at->symlink_status(ignored);
    if (fs::is_regular_file(status) || fs::is_directory(status)) {
      sync(at->path(), &sync_open_file);
    }
  }
  if (error) fail_write(folder.string(), error.value());
  sync(folder, &sync_open_file);
}

NewFile::NewFile(const std::string& path, Existing existing)
    : name_(path), target_(behind_links(path)), partial_(target_), existing_(existing) {
  partial_ += partial_suffix();
  remove_abandoned(target_);
  file_ = create_locked(partial_);
  if (file_ == nullptr) fail_write(name_, errno);
  slot_ = Partials::add(partial_.string());
  struct stat known {};
  if (::stat(target_.c_str(), &known) == 0) {
    constexpr mode_t kPermissions = 07777;
    ::fchmod(::fileno(file_), known.st_mode & kPermissions);
  }
}

NewFile::~NewFile() {
  if (file_ == nullptr) return;
  static_cast<void>(std::fclose(file_));  // incomplete output is discarded
  ::unlink(partial_.c_str());
  Partials::remove(slot_);
}

void NewFile::write(std::span<const std::byte> bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    fail_write(name_, errno);
  }
}

void NewFile::commit() {
  if (std::fflush(file_) != 0) fail_write(name_, errno);
  if (modified_ns_ && !set_modified_ns(::fileno(file_), *modified_ns_)) {
    fail_write(name_, errno);
  }
  const bool synced = sync_open_file(::fileno(file_)) == 0 || errno == EINVAL;
  if (!synced) fail_write(name_, errno);
  publish();
  Partials::remove(slot_);
  static_cast<void>(std::fclose(std::exchange(file_, nullptr)));
  sync_folder(target_.parent_path());
}

/// Renames the partial file. Where rename_new() cannot (NFS), a hard link refuses an
/// existing file just as atomically.
void NewFile::publish() {
  if (existing_ == Existing::replace) {
    if (::rename(partial_.c_str(), target_.c_str()) != 0) fail_write(name_, errno);
    return;
  }
  int status = rename_new(partial_.c_str(), target_.c_str());
  if (status != 0 && (errno == EINVAL || errno == ENOSYS)) {
    status = ::link(partial_.c_str(), target_.c_str());
    if (status == 0) ::unlink(partial_.c_str());
  }
  if (status == 0) return;
  if (errno != EEXIST) fail_write(name_, errno);
  fail_at(Errc::invalid_argument, name_, {"already exists"});
}

}  // namespace bev::native
