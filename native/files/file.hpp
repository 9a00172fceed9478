#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "include/bevscope/source.hpp"

namespace bev::native {

/// A regular file opened for reading.
///
/// Lifetime       Closed by the destructor. If the file is replaced on disk meanwhile,
///                the old content is still read.
/// Throws         Errc::io, with the system's reason, for any failure other than
///                absence.
/// Thread safety  Concurrent calls of read_at() are safe.
class File {
 public:
  /// Opens the file at `path`. Returns nullopt if it does not exist or is not a regular
  /// file (a directory, a pipe). `name` is the file's name in messages.
  static std::optional<File> open(const std::string& path, std::string name);

  File(File&& other) noexcept;
  File& operator=(File&&) = delete;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  std::uint64_t size() const noexcept { return size_; }

  /// Modification time in nanoseconds since 1970, UTC.
  std::int64_t modified_ns() const noexcept { return modified_ns_; }

  /// Fills `out` from byte `offset` on and returns the number of bytes read: fewer than
  /// requested only at the end of the file.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) const;

  /// Maps the whole file into memory, to be read only. The mapping outlives this object.
  /// If another program cuts the file meanwhile, accesses beyond its end raise SIGBUS.
  ///
  /// Throws  changed if the file does not have the size that it was opened with
  MappedObject map() const;

 private:
  File(int descriptor, std::string name, const struct stat& status);

  int descriptor_;
  std::string name_;
  std::uint64_t size_;
  std::int64_t modified_ns_;
};

/// Whether the open file or folder still has this path: not renamed, not removed.
bool is_named(int descriptor, const std::filesystem::path& path);

/// Throws invalid_argument for a key that is not a path below a directory: empty,
/// absolute, or with "..", ".", an empty segment or a zero byte.
void check_key(std::string_view key);

/// Returns the path of `key` ("agents/3") below directory `root`, or nullopt if it does
/// not exist.
///
/// @param root    an absolute path without symbolic links: std::filesystem::canonical()
/// Throws  invalid_argument for an invalid key (see check_key), for a symbolic link
///         that leads out of `root` and for a loop of links; io for other failures
std::optional<std::filesystem::path> find_beneath(const std::filesystem::path& root,
                                                  std::string_view key);

}  // namespace bev::native
