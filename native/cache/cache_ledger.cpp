#include "native/cache/cache_ledger.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <thread>

#include "core/base/bytes.hpp"
#include "core/zarr/crc32c.hpp"

namespace bev::native {
namespace {

constexpr std::string_view kLedgerMagic = "BEVL";
constexpr std::chrono::milliseconds kPause{1};

using Record = std::array<std::byte, CacheLedger::kBytes>;

std::uint32_t checksum_of(const Record& record) {
  return zarr::crc32c(std::span(record).first(CacheLedger::kBytes - 4));
}

/// Whether the open file is still the one at `path`.
bool is_at(int descriptor, const std::filesystem::path& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

}  // namespace

CacheLedger::CacheLedger(const std::filesystem::path& folder,
                         std::chrono::milliseconds patience) {
  const auto path = folder / kName;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!try_lock(path)) {
    if (std::chrono::steady_clock::now() >= until) {
      error_ = EWOULDBLOCK;
      return;
    }
    std::this_thread::sleep_for(kPause);
  }
}

CacheLedger::~CacheLedger() {
  if (descriptor_ < 0) return;
  ::flock(descriptor_, LOCK_UN);  // a child that was forked meanwhile has the file too
  ::close(descriptor_);
}

bool CacheLedger::try_lock(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    error_ = errno;
    return true;
  }
  const bool locked = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  const int error = errno;
  // The folder may have been removed between the two calls.
  if (locked && is_at(descriptor, path)) {
    descriptor_ = descriptor;
    return true;
  }
  ::close(descriptor);
  if (locked || error == EWOULDBLOCK || error == EINTR) return false;
  error_ = error;
  return true;
}

std::optional<std::uint64_t> CacheLedger::bytes() const {
  Record record{};
  if (::pread(descriptor_, record.data(), record.size(), 0) !=
      static_cast<ssize_t>(record.size())) {
    return std::nullopt;
  }
  if (std::memcmp(record.data(), kLedgerMagic.data(), kLedgerMagic.size()) != 0 ||
      load_le<std::uint32_t>(record.data() + 12) != checksum_of(record)) {
    return std::nullopt;
  }
  return load_le<std::uint64_t>(record.data() + 4);
}

bool CacheLedger::set(std::uint64_t bytes) {
  Record record{};
  std::memcpy(record.data(), kLedgerMagic.data(), kLedgerMagic.size());
  store_le(record.data() + 4, bytes);
  store_le(record.data() + 12, checksum_of(record));
  const auto written = ::pwrite(descriptor_, record.data(), record.size(), 0);
  if (written >= 0 && written != static_cast<ssize_t>(record.size())) errno = ENOSPC;
  return written == static_cast<ssize_t>(record.size());
}

}  // namespace bev::native
