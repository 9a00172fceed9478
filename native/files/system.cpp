#include "native/files/system.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>

#ifdef __linux__
#include <sys/syscall.h>
#endif

namespace bev::native {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

#if defined(__linux__)

namespace {

// musl has renameat2() from 1.2.6, and the kernel's header of the flags has short macros.
constexpr unsigned kNoReplace = 1, kExchange = 2;

int rename_with(const char* from, const char* to, unsigned flags) {
  return static_cast<int>(
      ::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags));
}

}  // namespace

std::int64_t modified_ns(const struct stat& status) {
  return std::int64_t{status.st_mtim.tv_sec} * kSecond + status.st_mtim.tv_nsec;
}

int rename_new(const char* from, const char* to) {
  return rename_with(from, to, kNoReplace);
}

int exchange(const char* one, const char* other) {
  return rename_with(one, other, kExchange);
}

int sync_open_file(int descriptor) {
  return ::fsync(descriptor);
}

int start_writing(int descriptor) {
  return ::sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int sync_file_system(int descriptor) {
  return ::syncfs(descriptor);
}

#elif defined(__APPLE__)

namespace {

int rename_with(const char* from, const char* to, unsigned flags) {
  const int status = ::renamex_np(from, to, flags);
  if (status != 0 && errno == ENOTSUP) errno = EINVAL;
  return status;
}

}  // namespace

std::int64_t modified_ns(const struct stat& status) {
  return std::int64_t{status.st_mtimespec.tv_sec} * kSecond +
         status.st_mtimespec.tv_nsec;
}

int rename_new(const char* from, const char* to) {
  return rename_with(from, to, RENAME_EXCL);
}

int exchange(const char* one, const char* other) {
  return rename_with(one, other, RENAME_SWAP);
}

// There, fsync() leaves the content in the drive's cache.
int sync_open_file(int descriptor) {
  return ::fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : ::fsync(descriptor);
}

int start_writing(int) {
  return 0;
}

int sync_file_system(int) {
  return 0;
}

#else
#error "native/ needs Linux or macOS: see native/files/system.hpp"
#endif

}  // namespace bev::native
