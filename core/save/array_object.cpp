#include "core/save/array_object.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/zarr/decode.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/shard_index.hpp"
#include "core/zarr/version3_store.hpp"

namespace bev::save {

std::vector<ObjectPart> parts_of(const zarr::ArrayMeta& meta,
                                 const std::vector<zarr::ChunkIndex>& chunks) {
  std::vector<ObjectPart> out;
  std::map<zarr::ChunkIndex, std::size_t> known;
  for (const auto& chunk : chunks) {
    if (!meta.sharding) {
      out.push_back({chunk, {chunk}});
      continue;
    }
    auto object = zarr::slot_of(*meta.sharding, chunk).shard;
    const auto [found, is_new] = known.emplace(object, out.size());
    if (is_new) out.push_back({std::move(object), {}});
    out[found->second].chunks.push_back(chunk);
  }
  return out;
}

std::size_t chunks_per_object(const zarr::ArrayMeta& meta) {
  std::size_t count = 1;
  if (!meta.sharding) return count;
  for (const auto along : meta.sharding->counts)
    count *= static_cast<std::size_t>(along);
  return count;
}

zarr::ArrayMeta object_grid(zarr::ArrayMeta meta) {
  if (!meta.sharding) return meta;
  for (std::size_t axis = 0; axis < meta.chunks.size(); ++axis) {
    meta.chunks[axis] *= meta.sharding->counts[axis];
  }
  return meta;
}

ObjectPart whole_object(const zarr::ArrayMeta& meta, const zarr::ChunkIndex& object) {
  if (!meta.sharding) return {object, {object}};
  ObjectPart out{object, {}};
  const auto& counts = meta.sharding->counts;
  for (std::size_t slot = 0; slot < chunks_per_object(meta); ++slot) {
    auto chunk = object;
    auto rest = static_cast<std::uint64_t>(slot);
    for (std::size_t axis = chunk.size(); axis-- > 0; rest /= counts[axis]) {
      chunk[axis] = chunk[axis] * counts[axis] + rest % counts[axis];
    }
    out.chunks.push_back(std::move(chunk));
  }
  return out;
}

ArrayObject::ArrayObject(const ArrayDocument& document, std::string_view key,
                         const std::optional<std::vector<std::byte>>& bytes)
    : document_(document), key_(key) {
  if (!bytes) return;
  const std::span all(*bytes);
  const auto& sharding = document_.meta.sharding;
  if (!sharding) {
    chunks_[0] = all;
    return;
  }
  const auto index_size = zarr::index_bytes(*sharding);
  if (all.size() < index_size) {
    fail_at(Errc::corrupt_chunk, key,
            {"truncated (found ", all.size(), " bytes, expected an index of ",
             index_size, ")"});
  }
  const zarr::ShardIndex index(*sharding, {key_, all.last(index_size)}, all.size());
  for (std::size_t slot = 0; slot < chunks_per_object(document_.meta); ++slot) {
    if (const auto place = index.find(slot)) {
      chunks_[slot] = all.subspan(static_cast<std::size_t>(place->begin),
                                  static_cast<std::size_t>(place->size));
    }
  }
}

std::size_t ArrayObject::slot_of(const zarr::ChunkIndex& chunk) const {
  const auto& sharding = document_.meta.sharding;
  return sharding ? zarr::slot_of(*sharding, chunk).slot : 0;
}

std::vector<std::byte> ArrayObject::decoded(const zarr::ChunkIndex& chunk) const {
  const auto found = chunks_.find(slot_of(chunk));
  if (found == chunks_.end()) return zarr::fill_chunk(document_.meta);
  std::vector<std::byte> out(document_.meta.chunk_bytes());
  zarr::decode_chunk(document_.chunk, {key_, found->second}, out);
  return out;
}

void ArrayObject::put(const zarr::ChunkIndex& chunk,
                      std::span<const std::byte> elements) {
  const auto slot = slot_of(chunk);
  auto& kept = put_[slot] = zarr::encode_chunk(document_.chunk, elements);
  chunks_[slot] = kept;
}

std::vector<std::byte> ArrayObject::encoded() && {
  if (!document_.meta.sharding) return std::move(put_.at(0));
  zarr::Shard shard;
  for (const auto& [slot, bytes] : chunks_) shard[slot] = {bytes.begin(), bytes.end()};
  return zarr::encode_shard(shard, chunks_per_object(document_.meta));
}

}  // namespace bev::save
