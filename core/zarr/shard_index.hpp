#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/zarr/decode.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Which shard a chunk is in, and its place in that shard's index.
struct ShardSlot {
  std::vector<std::uint64_t> shard;  ///< index along each axis
  std::size_t slot = 0;              ///< in C order of the shard's chunks

  bool operator==(const ShardSlot&) const = default;
};

ShardSlot slot_of(const Sharding& sharding, std::span<const std::uint64_t> chunk);

/// Length of the index of a shard, its checksum included.
std::size_t index_bytes(const Sharding& sharding);

/// Where the chunks of a shard lie in it.
///
/// Source: Zarr v3 specification, codec sharding_indexed.
class ShardIndex {
 public:
  /// Bytes [begin, begin + size) of the object.
  struct Place {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
  };

  /// @param index   its index_bytes(); the key is the shard's
  /// @param object  bytes of the shard, if that is known
  /// Errors         corrupt_chunk for another checksum, and from find() for a chunk
  ///                that reaches past the end of the shard, or has more bytes than can
  ///                be addressed.
  ShardIndex(const Sharding& sharding, EncodedChunk index,
             std::optional<std::uint64_t> object);

  /// Where a chunk lies; nullopt if it is not stored, and so of fill values.
  std::optional<Place> find(std::size_t slot) const;

 private:
  std::string key_;
  bool big_endian_;
  std::optional<std::uint64_t> object_;
  std::vector<std::byte> entries_;
};

}  // namespace bev::zarr
