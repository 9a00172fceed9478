#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "native/files/file.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// A store in a folder: one file per object, as in zarr's DirectoryStore.
///
/// Throws         The constructor throws not_found for a missing folder. read() throws
///                invalid_argument for a key that leaves the folder, by its name or by
///                a symbolic link, changed if a file changed since its first read, and
///                io if it cannot be read.
/// Thread safety  Concurrent reads are safe.
class DirectorySource final : public Source {
 public:
  explicit DirectorySource(const std::string& folder);

  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<ByteRange>& range) override;
  void read_all(std::span<const ReadRequest> requests, const OnAnswer& take) override;
  std::optional<std::vector<Listed>> list(const std::string& prefix) override;
  std::optional<std::uint64_t> size(const std::string& key) override;
  std::optional<MappedObject> map(const std::string& key) override;
  /// Returns size and modification time: "91230 bytes, 1700000000123456789 ns".
  std::string version(const std::string& key) override;
  void check_unchanged() override;

 private:
  /// Distinguishes files that replaced each other under one name.
  struct Version {
    std::uint64_t size;
    std::int64_t modified_ns;
    bool operator==(const Version&) const = default;
  };

  std::optional<File> open(const std::string& key);

  std::filesystem::path root_;  // canonical
  std::mutex mutex_;
  std::map<std::string, Version> versions_;
};

}  // namespace bev::native
