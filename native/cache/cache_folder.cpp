#include "native/cache/cache_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"
#include "native/cache/cache_ledger.hpp"
#include "native/files/file.hpp"
#include "native/files/system.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

constexpr auto kFolder = "bevscope-1";
constexpr auto kPartial = "partial";
/// Evictions free the limit divided by this, so that not every write scans the folder.
constexpr std::uint64_t kFreedPart = 10;

/// Calls `visit` with the name of each file in a folder; without the folder, never.
template <class Visit>
void each_file(const fs::path& folder, Visit&& visit) {
  std::error_code error;
  fs::directory_iterator at(folder, error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    visit(at->path().filename().string());
  }
}

std::optional<File> opened(const fs::path& path) {
  try {
    return File::open(path.string(), path.string());
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool read_exactly(const File& file, std::uint64_t at, std::span<std::byte> out) {
  try {
    return file.read_at(at, out) == out.size();
  } catch (const Error&) {
    return false;
  }
}

std::optional<EntryFront> front_of(const File& file) {
  std::vector<std::byte> front(kEntryPrefix);
  if (!read_exactly(file, 0, front)) return std::nullopt;
  const auto length = entry_front_length(front);
  if (!length || *length > file.size()) return std::nullopt;
  front.resize(*length);
  if (!read_exactly(file, 0, front)) return std::nullopt;
  return parse_entry_front(front, file.size());
}

/// Whether the entry is the one that its name says: files may be renamed or copied.
bool has_name(const EntryHead& head, const std::string& name) {
  return entry_name(head) == name;
}

/// Sets the time of the last use. The clock of the kernel's own time stamps is coarser.
void mark_used(const fs::path& path) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const timespec times[2] = {now, now};
  ::utimensat(AT_FDCWD, path.c_str(), times, 0);
}

bool write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

bool write_new(const fs::path& path, std::span<const std::byte> front,
               std::span<const std::byte> bytes) {
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return false;
  const bool written = write_all(descriptor, front) && write_all(descriptor, bytes);
  const int error = errno;
  // Some file systems report a full disk only here.
  const bool closed = ::close(descriptor) == 0;
  if (!written) errno = error;
  return written && closed;
}

}  // namespace

/// A file that counts towards the limit.
struct CacheFolder::Found {
  std::string name;
  std::uint64_t size = 0;
  std::int64_t used_ns = 0;
};

CacheFolder::CacheFolder(const fs::path& folder, std::uint64_t limit)
    : root_(folder / kFolder), limit_(limit) {}

std::vector<StoredRange> CacheFolder::ranges_of(const std::string& url,
                                                std::uint64_t segment) const {
  const auto prefix = entry_prefix(url, segment);
  const auto shard = prefix.substr(0, 3);
  std::vector<StoredRange> found;
  each_file(root_ / shard, [&](const std::string& file) {
    auto name = shard + file;
    if (!name.starts_with(prefix)) return;
    if (const auto range = range_of_entry(name)) {
      found.push_back({std::move(name), *range});
    }
  });
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(a.range.begin, a.range.end, a.name) <
           std::tie(b.range.begin, b.range.end, b.name);
  });
  return found;
}

std::optional<EntryHead> CacheFolder::head_of(const std::string& name) const {
  const auto file = opened(root_ / name);
  auto front = file ? front_of(*file) : std::nullopt;
  if (!front || !has_name(front->head, name)) return std::nullopt;
  return std::move(front->head);
}

std::optional<EntryHead> CacheFolder::read(const std::string& name, ByteRange part,
                                           std::span<std::byte> out) const {
  const auto path = root_ / name;
  const auto file = opened(path);
  auto front = file ? front_of(*file) : std::nullopt;
  if (!front || !has_name(front->head, name)) return std::nullopt;
  const auto range = front->head.range;
  if (part.begin < range.begin || part.end > range.end || part.size() != out.size()) {
    return std::nullopt;
  }
  if (part == range) {
    if (!read_exactly(*file, front->begin, out)) return std::nullopt;
    if (zarr::crc32c(out) != front->checksum) return std::nullopt;
  } else {
    std::vector<std::byte> all(static_cast<std::size_t>(range.size()));
    if (!read_exactly(*file, front->begin, all)) return std::nullopt;
    if (zarr::crc32c(all) != front->checksum) return std::nullopt;
    std::memcpy(out.data(), all.data() + (part.begin - range.begin), out.size());
  }
  mark_used(path);
  return std::move(front->head);
}

Stored CacheFolder::store(const EntryHead& head, std::span<const std::byte> bytes) {
  const auto front = entry_front(head, bytes);
  const auto size = std::uint64_t{front.size()} + bytes.size();
  if (front.size() > kEntryPrefix + kMaxEntryHead) return Stored::too_large;
  if (size > limit_ || limit_ - size < CacheLedger::kBytes) return Stored::too_large;
  const auto name = entry_name(head);
  std::error_code error;
  fs::create_directories((root_ / name).parent_path(), error);
  CacheLedger ledger(root_);
  if (!ledger.is_locked()) {
    error_ = error ? error.value() : ledger.error();
    return ledger.error() == EWOULDBLOCK ? Stored::busy : Stored::failed;
  }
  if (fs::exists(root_ / name, error)) return Stored::yes;
  if (!make_room(ledger, size)) return Stored::failed;
  const auto partial = root_ / kPartial;
  // Counted before it exists: a killed process leaves the sum too high, not too low.
  const auto used = ledger.bytes();
  if (ledger.set(*used + size) && write_new(partial, front, bytes)) {
    mark_used(partial);
    if (::rename(partial.c_str(), (root_ / name).c_str()) == 0) return Stored::yes;
  }
  error_ = errno;
  if (::unlink(partial.c_str()) == 0 || errno == ENOENT) ledger.set(*used);
  return Stored::failed;
}

void CacheFolder::remove(const std::string& name) const {
  ::unlink((root_ / name).c_str());
}

std::vector<CacheFolder::Found> CacheFolder::scan() const {
  std::vector<Found> found;
  each_file(root_, [&](const std::string& shard) {
    if (shard.size() != 2) return;
    each_file(root_ / shard, [&](const std::string& file) {
      auto name = shard + "/" + file;
      struct stat status {};
      if (!range_of_entry(name)) return;
      if (::lstat((root_ / name).c_str(), &status) != 0) return;
      if (!S_ISREG(status.st_mode)) return;
      found.push_back({std::move(name), static_cast<std::uint64_t>(status.st_size),
                       modified_ns(status)});
    });
  });
  return found;
}

/// Makes the ledger's sum at most the limit less `size`.
bool CacheFolder::make_room(CacheLedger& ledger, std::uint64_t size) {
  const auto known = ledger.bytes();
  if (known && *known <= limit_ && limit_ - *known >= size) return true;
  ::unlink((root_ / kPartial).c_str());  // of a killed process
  auto found = scan();
  std::uint64_t used = CacheLedger::kBytes;
  for (const auto& one : found) used += one.size;
  if (used > limit_ || limit_ - used < size) {
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
      return std::tie(a.used_ns, a.name) < std::tie(b.used_ns, b.name);
    });
    const auto aim = limit_ - limit_ / kFreedPart;
    for (const auto& one : found) {
      if (used + size <= aim) break;
      if (::unlink((root_ / one.name).c_str()) != 0 && errno != ENOENT) continue;
      used -= one.size;
      ++evictions_;
    }
  }
  return ledger.set(used) && used + size <= limit_;
}

CacheTotals CacheFolder::totals() const {
  CacheTotals totals;
  for (const auto& one : scan()) {
    ++totals.entries;
    totals.bytes += one.size;
  }
  std::error_code error;
  if (fs::exists(root_ / CacheLedger::kName, error))
    totals.bytes += CacheLedger::kBytes;
  return totals;
}

std::optional<CacheTotals> CacheFolder::clear() {
  std::error_code error;
  if (!fs::exists(root_, error)) return CacheTotals{};
  CacheLedger ledger(root_);
  if (!ledger.is_locked()) {
    error_ = ledger.error();
    return std::nullopt;
  }
  ::unlink((root_ / kPartial).c_str());
  CacheTotals removed;
  std::uint64_t left = CacheLedger::kBytes;
  for (const auto& one : scan()) {
    if (::unlink((root_ / one.name).c_str()) != 0 && errno != ENOENT) {
      error_ = errno;
      left += one.size;
      continue;
    }
    ++removed.entries;
    removed.bytes += one.size;
  }
  ledger.set(left);
  if (left > CacheLedger::kBytes) return std::nullopt;
  return removed;
}

}  // namespace bev::native
