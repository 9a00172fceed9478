#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace bev::native {

/// A regular file that is open for reading.
///
/// Lifetime  Closed when the object goes. A file that is replaced on disk meanwhile is
///           still read as it was.
/// Errors    Errc::network, with what the system says, for all but a file that is
/// absent. Threads   read_at() may be called by several at once.
class File {
 public:
  /// The file at `path`, or nullopt if there is none, or something that is not a file
  /// (a folder, a pipe). `name` is what messages call it.
  static std::optional<File> open(const std::string& path, std::string name);

  File(File&& other) noexcept;
  File& operator=(File&&) = delete;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  std::uint64_t size() const noexcept { return size_; }

  /// Nanoseconds since 1970, UTC.
  std::int64_t modified_ns() const noexcept { return modified_ns_; }

  /// Fills `out` from byte `offset` on, and returns how many bytes there were: fewer
  /// than asked for only at the end of the file.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  File(int descriptor, std::string name, const struct stat& status);

  int descriptor_;
  std::string name_;
  std::uint64_t size_;
  std::int64_t modified_ns_;
};

}  // namespace bev::native
