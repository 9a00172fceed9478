#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace bev::native {

/// The locked file of a cache folder that contains the size of all its files.
///
/// Every instance opens the file anew: locks of flock() belong to an open file, so that
/// threads and the children of a fork exclude each other too.
///
/// Lifetime       Holds the lock until destroyed.
/// Thread safety  None: use one instance from one thread.
class CacheLedger {
 public:
  static constexpr auto kName = "ledger";
  /// Size of the file.
  static constexpr std::uint64_t kBytes = 16;

  /// @param patience  maximum time to wait for the lock
  explicit CacheLedger(const std::filesystem::path& folder,
                       std::chrono::milliseconds patience = std::chrono::seconds(5));
  CacheLedger(const CacheLedger&) = delete;
  CacheLedger& operator=(const CacheLedger&) = delete;
  ~CacheLedger();

  bool is_locked() const noexcept { return descriptor_ >= 0; }

  /// Why the file is not locked: EWOULDBLOCK if another process holds the lock.
  int error() const noexcept { return error_; }

  /// Returns the recorded sum; nullopt for a new or damaged file.
  std::optional<std::uint64_t> bytes() const;

  /// Records the sum. Returns false, with errno, if that fails.
  bool set(std::uint64_t bytes);

 private:
  /// Opens and locks the file. Returns false if another process holds the lock.
  bool try_lock(const std::filesystem::path& path);

  int descriptor_ = -1;
  int error_ = 0;
};

}  // namespace bev::native
