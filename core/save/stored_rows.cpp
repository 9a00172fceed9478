#include "core/save/stored_rows.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"
#include "core/zarr/shard_index.hpp"

namespace bev::save {

PartObject entry_of(const EncodedRows& rows) {
  return {rows.first, rows.rows, rows.bytes.size(), zarr::crc32c(rows.bytes)};
}

void check_object(const PartObject& entry, std::span<const std::byte> bytes,
                  std::string_view where) {
  if (bytes.size() == entry.bytes && zarr::crc32c(bytes) == entry.checksum) return;
  fail_at(Errc::corrupt_chunk, where, {"differs from its entry in the manifest"});
}

std::string chunk_object(const zarr::ArrayMeta& meta, std::uint64_t chunk) {
  std::vector<std::uint64_t> place(meta.shape.size());
  place[0] = chunk;
  if (meta.sharding) place = zarr::slot_of(*meta.sharding, place).shard;
  return zarr::chunk_key(meta, place);
}

std::span<const std::byte> chunk_in(const zarr::ArrayMeta& meta,
                                    const zarr::EncodedChunk& object,
                                    std::uint64_t chunk) {
  const auto bytes = object.bytes;
  if (!meta.sharding) return bytes;
  std::vector<std::uint64_t> place(meta.shape.size());
  place[0] = chunk;
  const auto& sharding = *meta.sharding;
  const auto length = std::min(zarr::index_bytes(sharding), bytes.size());
  const auto index = sharding.index_first ? bytes.first(length) : bytes.last(length);
  const auto found = zarr::ShardIndex(sharding, {object.key, index}, bytes.size())
                         .find(zarr::slot_of(sharding, place).slot);
  if (!found) fail_at(Errc::corrupt_chunk, object.key, {"shard lacks chunk ", chunk});
  return bytes.subspan(static_cast<std::size_t>(found->begin),
                       static_cast<std::size_t>(found->size));
}

std::vector<std::byte> decode_rows(const DataConfig& config, const Attribute& attribute,
                                   std::uint64_t chunk_rows,
                                   std::span<const std::byte> encoded) {
  auto meta = config.array_meta(attribute, chunk_rows, chunk_rows);
  meta.sharding.reset();
  std::vector<std::byte> rows(meta.chunk_bytes());
  zarr::decode_chunk(meta, {attribute.name, encoded}, rows);
  return rows;
}

}  // namespace bev::save
