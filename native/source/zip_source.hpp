#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/zip/directory.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// A store in a .zip: at its root or in a folder, as when "town.zarr" is zipped. The
/// archive is itself an object of a source and is read by ranges.
///
/// Throws         not_found if the archive does not exist or contains no store; errors
///                of zip::Directory, zip::MemberRead and the archive's source.
/// Thread safety  None: use one source from one thread.
class ZipSource final : public Source {
 public:
  /// @param holder  the source that contains the archive as `key`
  ZipSource(std::unique_ptr<Source> holder, std::string key);

  void read_all(std::span<const ReadRequest> requests, const OnAnswer& take) override;
  std::optional<std::vector<Listed>> list(const std::string& prefix) override;
  std::optional<std::uint64_t> size(const std::string& key) override;
  std::optional<std::uint32_t> checksum(const std::string& key) override;
  std::string address() const override;
  void check_unchanged() override;

  /// Forgets the whole archive: where in it the damage is, is not known.
  void forget(const std::string& key) override;
  std::optional<CacheCounters> cache_counters() const override {
    return holder_->cache_counters();
  }

 private:
  zip::Directory open();
  std::string find_store() const;
  std::vector<std::byte> archive_bytes(ByteRange range);

  std::unique_ptr<Source> holder_;
  std::string key_;
  zip::Directory directory_;
  std::string prefix_;  // of the store's keys: "" or "town.zarr/"
};

}  // namespace bev::native
