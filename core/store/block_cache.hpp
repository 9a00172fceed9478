#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>

#include "core/base/uninitialized.hpp"

namespace bev::store {

/// Which rows of which column: a block of a chunk.
struct BlockId {
  std::uint32_t array = 0;  ///< Array::id
  std::uint32_t rows = 0;   ///< how many
  std::uint64_t row = 0;    ///< the first of them, in the chunk
  std::uint64_t chunk = 0;  ///< counts the chunks of the array
  std::size_t offset = 0;   ///< of the column in the record
  std::size_t size = 0;     ///< of one value
  bool operator==(const BlockId&) const = default;
};

/// Decoded columns, least recently used out first: what keeps neighbouring frames from
/// decoding the same rows again.
///
/// Lifetime  A Block stays readable while a reference is held, evicted or not.
/// Errors    None but std::bad_alloc.
/// Threads   A cache belongs to one thread.
class BlockCache {
 public:
  using Block = std::shared_ptr<const RawBytes>;

  /// 8 MiB: 70,000 agents with all their fields, some 800 frames; with the two fields
  /// that a trail needs, four times as many.
  static constexpr std::size_t kByteBudget = std::size_t{8} << 20;

  explicit BlockCache(std::size_t byte_budget = kByteBudget)
      : byte_budget_(byte_budget) {}
  BlockCache(const BlockCache&) = delete;  // index_ points into entries_
  BlockCache& operator=(const BlockCache&) = delete;

  /// The block, which becomes the most recently used, or null.
  Block find(const BlockId& id);

  /// Holds `bytes` and gives them back shared; evicts until the budget holds.
  Block insert(const BlockId& id, RawBytes bytes);

  /// Whether `id` is among the last 128 that this was asked of; from now on it is.
  bool met_lately(const BlockId& id) noexcept;

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
  std::array<std::size_t, 128> met_{};  // hashes, the oldest at next_met_
  std::size_t next_met_ = 0;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<BlockId, std::list<Entry>::iterator, Hash> index_;
};

}  // namespace bev::store
