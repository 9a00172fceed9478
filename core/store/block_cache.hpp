#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>

#include "core/base/owned_bytes.hpp"

namespace bev::store {

/// Key of a block: one column of a run of rows within a chunk.
struct BlockId {
  std::uint32_t array = 0;  ///< Array::id
  std::uint32_t rows = 0;   ///< number of rows
  std::uint64_t row = 0;    ///< first row, counted within the chunk
  std::uint64_t chunk = 0;  ///< chunk number within the array
  std::size_t offset = 0;   ///< byte offset of the column in the record
  std::size_t size = 0;     ///< bytes of one value
  bool operator==(const BlockId&) const = default;
};

/// LRU cache of decoded columns. Reading neighbouring frames does not decode the same
/// rows again.
///
/// Lifetime       A Block stays readable while a reference is held, even after
///                eviction.
/// Throws         Nothing but std::bad_alloc.
/// Thread safety  A cache belongs to one thread.
class BlockCache {
 public:
  using Block = std::shared_ptr<const RawBytes>;

  /// 8 MiB: 70,000 agents with all fields, about 800 frames; four times as many with
  /// only the two fields that a trail reads.
  static constexpr std::size_t kByteBudget = std::size_t{8} << 20;

  explicit BlockCache(std::size_t byte_budget = kByteBudget)
      : byte_budget_(byte_budget) {}
  BlockCache(const BlockCache&) = delete;  // index_ points into entries_
  BlockCache& operator=(const BlockCache&) = delete;

  /// Returns the block and makes it the most recently used; null if it is not cached.
  Block find(const BlockId& id);

  /// Caches `bytes` and returns them as a shared block. Evicts until the budget holds.
  Block insert(const BlockId& id, RawBytes bytes);

  /// Returns whether `id` is among the last 128 ids passed to this function, and adds
  /// it. A hash collision yields a false positive, which only costs extra decoding.
  bool seen_recently(const BlockId& id) noexcept;

  std::size_t bytes_held() const noexcept { return bytes_held_; }
  std::uint64_t hits() const noexcept { return hits_; }
  std::uint64_t misses() const noexcept { return misses_; }

 private:
  struct Entry {
    BlockId id;
    Block block;
  };
  struct Hash {
    std::size_t operator()(const BlockId& id) const noexcept;
  };

  std::size_t byte_budget_;
  std::size_t bytes_held_ = 0;
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
  std::array<std::size_t, 128> seen_{};  // hashes; the oldest is at next_seen_
  std::size_t next_seen_ = 0;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<BlockId, std::list<Entry>::iterator, Hash> index_;
};

}  // namespace bev::store
