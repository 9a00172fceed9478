#include "native/files/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/url_text.hpp"
#include "native/files/system.hpp"

namespace bev::native {
namespace {

[[noreturn]] void fail(const std::string& name, int error) {
  fail_at(Errc::io, name, {"read failed: ", std::generic_category().message(error)});
}

bool means_absent(int error) {
  return error == ENOENT || error == ENOTDIR;
}

bool is_beneath(const std::filesystem::path& root, const std::filesystem::path& path) {
  const auto parted = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return parted.first == root.end();
}

}  // namespace

std::optional<File> File::open(const std::string& path, std::string name) {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    const int error = errno;
    if (means_absent(error)) return std::nullopt;
    fail(name, error);
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    const int error = errno;
    ::close(descriptor);
    fail(name, error);
  }
  File file(descriptor, std::move(name), status);
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return file;
}

File::File(int descriptor, std::string name, const struct stat& status)
    : descriptor_(descriptor),
      name_(std::move(name)),
      size_(static_cast<std::uint64_t>(status.st_size)),
      modified_ns_(native::modified_ns(status)) {}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      name_(std::move(other.name_)),
      size_(other.size_),
      modified_ns_(other.modified_ns_) {}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t File::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::pread(descriptor_, out.data() + done, out.size() - done,
                                static_cast<off_t>(offset + done));
    if (got == 0) break;
    if (got < 0 && errno != EINTR) fail(name_, errno);
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return done;
}

MappedObject File::map() const {
  const auto size = static_cast<std::size_t>(size_);
  if (size == 0) return {};
  void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (begin == MAP_FAILED) {
    fail_at(Errc::io, name_,
            {"cannot be mapped: ", std::generic_category().message(errno)});
  }
  const std::shared_ptr<const void> owner(
      begin, [size](const void* at) { ::munmap(const_cast<void*>(at), size); });
  // It may have been cut since it was opened.
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail(name_, errno);
  if (static_cast<std::uint64_t>(status.st_size) != size_) {
    fail_at(Errc::changed, name_,
            {"changed while it was mapped (found ", status.st_size, " bytes, expected ",
             size_, ")"});
  }
  return {{static_cast<const std::byte*>(begin), size}, owner};
}

bool is_named(int descriptor, const std::filesystem::path& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

void check_key(std::string_view key) {
  if (is_key(key)) return;
  throw Error(Errc::invalid_argument,
              "\"" + std::string(key) +
                  "\": invalid key (expected names separated by slashes)");
}

std::optional<std::filesystem::path> find_beneath(const std::filesystem::path& root,
                                                  std::string_view key) {
  check_key(key);
  const std::string name(key);
  std::error_code error;
  auto path = std::filesystem::canonical(root / name, error);
  if (error == std::errc::no_such_file_or_directory ||
      error == std::errc::not_a_directory ||
      error == std::errc::filename_too_long) {  // no such file can exist
    return std::nullopt;
  }
  if (error == std::errc::too_many_symbolic_link_levels) {
    fail_at(Errc::invalid_argument, name, {error.message()});
  }
  if (error) fail_at(Errc::io, name, {"read failed: ", error.message()});
  if (!is_beneath(root, path)) {
    throw Error(Errc::invalid_argument,
                name + ": a symbolic link leads out of " + root.string());
  }
  return path;
}

}  // namespace bev::native
