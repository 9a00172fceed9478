#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/store/held_ranges.hpp"
#include "core/store/store.hpp"
#include "core/zarr/shard_index.hpp"

namespace bev::store {

/// The encoded bytes of a chunk in memory: a whole object or part of a shard.
struct EncodedBytes {
  ObjectRef owner;  ///< keeps `bytes` readable; null if not in memory
  std::span<const std::byte> bytes;
  bool absent = false;  ///< the chunk does not exist
  std::string object;   ///< key of the object that holds the chunk
  std::string name;     ///< the chunk's name in messages: "agents/c/0 chunk 3"
};

/// Location of a chunk, and its bytes in memory.
struct ChunkLocation {
  EncodedBytes found;
  std::optional<ByteRange> range;  ///< the chunk's range in its shard; none without a
                                   ///< shard
  HeldRanges pieces;               ///< the chunk's bytes in memory, if not `found`

  bool known() const noexcept { return found.absent || found.owner; }
  /// Returns the size of the chunk in its shard; requires `range`.
  std::uint64_t bytes() const noexcept { return range->end - range->begin; }
};

/// Finds the chunks of one array: objects of their own, or parts of shards. A shard's
/// index is read first; then only the needed chunks are requested.
///
/// Lifetime  One pass of a reader. Shard indexes are not kept beyond that.
/// Throws    corrupt_chunk for an invalid shard index, which the store then remembers;
///           any error that the store remembers for the chunk; missing_key for an
///           absent chunk, with Missing::error.
class ChunkFinder {
 public:
  ChunkFinder(Store& store, Plan& plan, const Array& array, Missing missing)
      : store_(store), plan_(plan), array_(array), missing_(missing) {}

  const Array& array() const noexcept { return array_; }
  Store& store() noexcept { return store_; }

  /// Locates the chunk. If the shard index is not in memory yet, adds it to the plan's
  /// requests and returns nullopt. The caller pins the pieces it uses.
  std::optional<ChunkLocation> locate(std::span<const std::uint64_t> chunk);

  /// Returns the chunk, pinned by the plan. If it is not in memory, adds it to the
  /// plan's requests and returns nullopt.
  std::optional<EncodedBytes> find(std::span<const std::uint64_t> chunk);

  /// Does the same as find() for a located chunk; returns false if it was requested.
  bool complete(ChunkLocation& place);

  /// Joins pieces that cover all `size` bytes of the chunk. The result is cached if the
  /// chunk is an object of its own.
  void join(ChunkLocation& place, std::size_t size);

  /// Requests bytes of a chunk, all of them without `ranges`. Ranges are relative to
  /// the chunk's first byte.
  void request(const ChunkLocation& place, std::vector<ByteRange> ranges);
  void request(const ChunkLocation& place);

  /// Pins the pieces that overlap `range` of the chunk.
  void pin(const ChunkLocation& place, ByteRange range);

 private:
  /// A shard's bytes in memory.
  struct Shard {
    ObjectRef whole;
    HeldRanges pieces;
    std::optional<zarr::ShardIndex> index;  ///< none while it is requested
  };

  ChunkLocation checked(ChunkLocation place) const;
  ChunkLocation object_at(std::string key);
  std::optional<ChunkLocation> place_in_shard(const std::string& key, std::size_t slot);
  const Shard& open(const std::string& key);
  void open_pieces(const std::string& key, Shard& shard);
  std::optional<ByteRange> place_of_index(const std::string& key,
                                          const HeldRanges& pieces) const;
  bool pin_or_request(const std::string& key, const HeldRanges& pieces,
                      ByteRange range);

  Store& store_;
  Plan& plan_;
  const Array& array_;
  Missing missing_;
  std::map<std::string, Shard> shards_;
};

}  // namespace bev::store
