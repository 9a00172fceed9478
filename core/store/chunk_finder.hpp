#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/store/pieces.hpp"
#include "core/store/store.hpp"
#include "core/zarr/shard_index.hpp"

namespace bev::store {

/// The encoded bytes of a chunk that is in memory: an object, or a part of a shard.
struct EncodedBytes {
  ObjectRef owner;  ///< keeps `bytes` readable; null if they are not there
  std::span<const std::byte> bytes;
  bool absent = false;  ///< there is no such chunk
  std::string object;   ///< key of the object it is in
  std::string name;     ///< the same for messages: "agents/c/0 chunk 3"
};

/// Where a chunk is, and what is held of it.
struct ChunkPlace {
  EncodedBytes found;
  std::optional<ByteRange> range;  ///< of the shard that it lies in
  Pieces pieces;                   ///< of the chunk, where its bytes are not `found`

  bool known() const noexcept { return found.absent || found.owner; }
  /// Of the chunk in a shard.
  std::uint64_t bytes() const noexcept { return range->end - range->begin; }
};

/// Finds chunks of one array: objects of their own, or in shards, whose index is read
/// first and of which then just those chunks are wanted.
///
/// Lifetime  One pass of a reader: what it has learned of a shard holds no longer.
/// Errors    corrupt_chunk from a wrong shard index, which the store then remembers;
///           whatever error the store remembers for the chunk; missing_key for one
///           that is absent, with Missing::error.
class ChunkFinder {
 public:
  ChunkFinder(Store& store, Plan& plan, const Array& array, Missing missing)
      : store_(store), plan_(plan), array_(array), missing_(missing) {}

  const Array& array() const noexcept { return array_; }
  Store& store() noexcept { return store_; }

  /// Where the chunk is; nullopt, and what tells it wanted of the plan, while that is
  /// not known. What is held of it in pieces is the caller's to pin.
  std::optional<ChunkPlace> locate(std::span<const std::uint64_t> chunk);

  /// The chunk, pinned by the plan; nullopt, and wanted of the plan, if it is not held.
  std::optional<EncodedBytes> find(std::span<const std::uint64_t> chunk);

  /// The same of a chunk whose place is known; false while it is wanted.
  bool complete(ChunkPlace& place);

  /// Makes one of pieces that are all `size` bytes of the chunk; kept as such where it
  /// is an object of its own.
  void join(ChunkPlace& place, std::size_t size);

  /// Notes bytes of a chunk as wanted, all of it without `ranges`, which count from its
  /// beginning.
  void want(const ChunkPlace& place, std::vector<ByteRange> ranges);
  void want(const ChunkPlace& place);

  /// Pins what is held of `range` of the chunk.
  void hold(const ChunkPlace& place, ByteRange range);

 private:
  /// What is held of a shard.
  struct Shard {
    ObjectRef whole;
    Pieces pieces;
    std::optional<zarr::ShardIndex> index;  ///< none while it is wanted
  };

  ChunkPlace checked(ChunkPlace place) const;
  ChunkPlace object_at(std::string key);
  std::optional<ChunkPlace> place_in_shard(const std::string& key, std::size_t slot);
  const Shard& open(const std::string& key);
  void open_pieces(const std::string& key, Shard& shard);
  std::optional<ByteRange> place_of_index(const std::string& key,
                                          const Pieces& pieces) const;
  bool hold_or_want(const std::string& key, const Pieces& pieces, ByteRange range);

  Store& store_;
  Plan& plan_;
  const Array& array_;
  Missing missing_;
  std::map<std::string, Shard> shards_;
};

}  // namespace bev::store
