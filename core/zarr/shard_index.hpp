#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/zarr/decode.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// A chunk's shard, and its slot in that shard's index.
struct ShardSlot {
  std::vector<std::uint64_t> shard;  ///< index along each axis
  std::size_t slot = 0;              ///< in C order of the shard's chunks

  bool operator==(const ShardSlot&) const = default;
};

ShardSlot slot_of(const Sharding& sharding, std::span<const std::uint64_t> chunk);

/// Returns the length of a shard's index, including its checksum.
std::size_t index_bytes(const Sharding& sharding);

/// Locations of the chunks within a shard.
///
/// Reference  Zarr v3 specification, codec sharding_indexed.
class ShardIndex {
 public:
  /// Bytes [begin, begin + size) of the object.
  struct Place {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
  };

  /// @param index   the index_bytes() of the index; the key is the shard's
  /// @param object  size of the shard, if known
  /// Throws  corrupt_chunk for another length or checksum, and from find() for a chunk
  ///         that extends past the shard's end or exceeds the address space.
  ShardIndex(const Sharding& sharding, EncodedChunk index,
             std::optional<std::uint64_t> object);

  /// Returns a chunk's location; nullopt if it is not stored and reads as the fill
  /// value.
  std::optional<Place> find(std::size_t slot) const;

 private:
  std::string key_;
  bool big_endian_;
  std::optional<std::uint64_t> object_;
  std::vector<std::byte> entries_;
};

}  // namespace bev::zarr
