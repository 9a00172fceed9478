#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/array_documents.hpp"
#include "core/zarr/box.hpp"

namespace bev::save {

/// Chunks of an array that one object has: a shard, or a single chunk.
struct ObjectPart {
  zarr::ChunkIndex object;  ///< the object's index along each axis
  std::vector<zarr::ChunkIndex> chunks;
};

/// Groups chunks by object.
std::vector<ObjectPart> parts_of(const zarr::ArrayMeta& meta,
                                 const std::vector<zarr::ChunkIndex>& chunks);

/// Returns an object's chunks, those outside the array's shape included.
ObjectPart whole_object(const zarr::ArrayMeta& meta, const zarr::ChunkIndex& object);

/// Returns the number of chunks that an object has, and its indices as those of chunks.
std::size_t chunks_per_object(const zarr::ArrayMeta& meta);
zarr::ArrayMeta object_grid(zarr::ArrayMeta meta);

/// Encoded chunks of an object.
///
/// Lifetime  The document and the bytes outlive it.
/// Throws    corrupt_chunk for an invalid index of a shard, and for chunks that do not
///           decode
class ArrayObject {
 public:
  /// @param bytes  nullopt: no chunk is stored
  ArrayObject(const ArrayDocument& document, std::string_view key,
              const std::optional<std::vector<std::byte>>& bytes);

  bool has(const zarr::ChunkIndex& chunk) const {
    return chunks_.contains(slot_of(chunk));
  }

  /// Returns a chunk's elements: fill values if it is absent.
  std::vector<std::byte> decoded(const zarr::ChunkIndex& chunk) const;

  void put(const zarr::ChunkIndex& chunk, std::span<const std::byte> elements);

  /// Returns the object's bytes with what was put.
  std::vector<std::byte> encoded() &&;

 private:
  std::size_t slot_of(const zarr::ChunkIndex& chunk) const;

  const ArrayDocument& document_;
  std::string key_;
  std::map<std::size_t, std::span<const std::byte>> chunks_;  // by slot
  std::map<std::size_t, std::vector<std::byte>> put_;
};

}  // namespace bev::save
