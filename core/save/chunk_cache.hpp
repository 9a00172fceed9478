#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace bev::save {

/// A chunk of a saved data set.
struct ChunkId {
  std::size_t attribute = 0;  ///< its position in the config
  std::uint64_t number = 0;

  auto operator<=>(const ChunkId&) const = default;
};

/// The decoded rows of a chunk.
struct DecodedChunk {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  ///< of the bytes
};

/// LRU cache of decoded chunks within a byte budget. The chunk of each attribute that
/// find() returned last is not evicted, so that sequential readers with any budget decode
/// each chunk once.
///
/// Throws         Nothing but std::bad_alloc.
/// Thread safety  A cache belongs to one thread.
class ChunkCache {
 public:
  ChunkCache(std::size_t attributes, std::size_t byte_budget)
      : byte_budget_(byte_budget), last_(attributes, entries_.end()) {}
  ChunkCache(const ChunkCache&) = delete;  // index_ points into entries_
  ChunkCache& operator=(const ChunkCache&) = delete;

  /// Returns the chunk and makes it the most recently used; null if it is not cached.
  /// Valid until the next call of a function that changes the cache.
  const DecodedChunk* find(const ChunkId& id);

  /// Whether the chunk is cached. Does not count as a use.
  bool contains(const ChunkId& id) const { return index_.contains(id); }

  /// Caches a chunk that is not cached yet. Evicts until the budget holds.
  void insert(const ChunkId& id, DecodedChunk chunk);

  /// Makes a chunk the first to be evicted: a sequential reader has passed it.
  void demote(const ChunkId& id);

  /// Returns the bytes of an attribute's chunks from number `begin` on.
  std::size_t bytes_from(const ChunkId& begin) const;

  void clear();

  std::size_t bytes_held() const noexcept { return bytes_held_; }

 private:
  struct Entry {
    ChunkId id;
    DecodedChunk chunk;
  };
  using Entries = std::list<Entry>;  // most recently used first

  void evict();

  std::size_t byte_budget_;
  std::size_t bytes_held_ = 0;
  Entries entries_;
  std::map<ChunkId, Entries::iterator> index_;
  std::vector<Entries::iterator> last_;  // found last, by attribute
};

}  // namespace bev::save
