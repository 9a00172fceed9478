#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/cache/cache_entry.hpp"

namespace bev::native {

class CacheLedger;

/// Number and size of the entries of a cache folder.
struct CacheTotals {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;  ///< of all files, including the ledger
};

/// A stored range of an object.
struct StoredRange {
  std::string name;
  ByteRange range;
};

/// Outcome of CacheFolder::store().
enum class Stored {
  yes,
  too_large,  ///< larger than the limit
  busy,       ///< another process held the folder's lock for too long
  failed,     ///< the folder or the disk refuses writes
};

/// Entries in a folder, within a limit in bytes. Instances in any number of threads and
/// processes may share a folder, also with different limits.
///
/// The sum of all file sizes never exceeds the limit, not even between two calls.
/// Writers hold a lock (flock) on the file "ledger" in the folder, which contains that
/// sum; readers hold none. A killed process can leave the sum too high, never too low;
/// it is counted again when the limit is reached. Then the least recently used entries
/// are removed until a tenth of the limit is free. A file that is being read stays
/// readable after its removal.
///
/// Thread safety  None: use one instance from one thread.
class CacheFolder {
 public:
  /// @param folder  the entries are in its subfolder "bevscope-1", created when needed
  CacheFolder(const std::filesystem::path& folder, std::uint64_t limit);

  /// Returns the stored ranges in a segment of the object at `url`, sorted by begin.
  std::vector<StoredRange> ranges_of(const std::string& url,
                                     std::uint64_t segment) const;

  /// Returns the description of an entry; nullopt if it does not exist or is damaged.
  std::optional<EntryHead> head_of(const std::string& name) const;

  /// Copies bytes of an entry to `out` and marks it as used.
  ///
  /// @param part  range of the object, within that of the entry
  /// Returns  the entry's description; nullopt if the entry does not exist or is
  ///          damaged. `out` then has unspecified content.
  std::optional<EntryHead> read(const std::string& name, ByteRange part,
                                std::span<std::byte> out) const;

  /// Adds an entry, unless it exists. It appears when it is complete.
  Stored store(const EntryHead& head, std::span<const std::byte> bytes);

  /// Removes an entry, such as a damaged one.
  void remove(const std::string& name) const;

  /// Counts the entries.
  CacheTotals totals() const;

  /// Removes all entries, and nothing else. Returns what was removed; nullopt if the
  /// folder cannot be locked or an entry cannot be removed.
  std::optional<CacheTotals> clear();

  /// Number of entries that this instance evicted.
  std::uint64_t evictions() const noexcept { return evictions_; }

  /// The system's error of the last store() or clear() that failed.
  int last_error() const noexcept { return error_; }

 private:
  struct Found;

  std::vector<Found> scan() const;
  bool make_room(CacheLedger& ledger, std::uint64_t size);

  std::filesystem::path root_;
  std::uint64_t limit_;
  std::uint64_t evictions_ = 0;
  int error_ = 0;
};

}  // namespace bev::native
