#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/store/pieces.hpp"
#include "core/store/store.hpp"
#include "core/zarr/shard_index.hpp"

namespace bev::store {

/// The encoded bytes of a chunk that is in memory: an object, or a part of a shard.
struct EncodedBytes {
  ObjectRef owner;  ///< keeps `bytes` readable
  std::span<const std::byte> bytes;
  bool absent = false;  ///< there is no such chunk
  std::string object;   ///< key of the object it is in
  std::string name;     ///< the same for messages: "agents/c/0 chunk 3"
};

/// Finds chunks of one array: objects of their own, or in shards, whose index is read
/// first and of which then just those chunks are wanted.
///
/// Lifetime  One pass of a reader: what it has learned of a shard holds no longer.
/// Errors    corrupt_chunk from an index that lies; the shard is forgotten then.
class ChunkFinder {
 public:
  ChunkFinder(Store& store, Plan& plan, const Array& array)
      : store_(store), plan_(plan), array_(array) {}

  /// The chunk, pinned by the plan; nullopt, and wanted of the plan, if it is not held.
  std::optional<EncodedBytes> find(std::span<const std::uint64_t> chunk);

 private:
  /// What is held of a shard.
  struct Shard {
    ObjectRef whole;
    Pieces pieces;
    std::optional<zarr::ShardIndex> index;  ///< none while it is wanted
  };

  const Shard& open(const std::string& key);
  void open_pieces(const std::string& key, Shard& shard);
  std::optional<ByteRange> place_of_index(const std::string& key,
                                          const Pieces& pieces) const;
  std::optional<EncodedBytes> find_in(const std::string& key, const Shard& shard,
                                      std::size_t slot);
  bool hold_or_want(const std::string& key, const Pieces& pieces, ByteRange range);

  Store& store_;
  Plan& plan_;
  const Array& array_;
  std::map<std::string, Shard> shards_;
};

}  // namespace bev::store
