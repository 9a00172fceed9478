#include "core/save/stored_rows.hpp"

#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"
#include "core/zarr/decode.hpp"

namespace bev::save {

PartObject entry_of(const EncodedRows& rows) {
  return {rows.first, rows.rows, rows.bytes.size(), zarr::crc32c(rows.bytes)};
}

void check_object(const PartObject& entry, std::span<const std::byte> bytes,
                  std::string_view where) {
  if (bytes.size() == entry.bytes && zarr::crc32c(bytes) == entry.checksum) return;
  fail_at(Errc::corrupt_chunk, where, {"differs from its entry in the manifest"});
}

std::vector<std::byte> decode_rows(const DataConfig& config, const Attribute& attribute,
                                   std::uint64_t chunk_rows,
                                   std::span<const std::byte> encoded) {
  const auto meta = config.array_meta(attribute, chunk_rows, chunk_rows);
  std::vector<std::byte> rows(meta.chunk_bytes());
  zarr::decode_chunk(meta, {attribute.name, encoded}, rows);
  return rows;
}

}  // namespace bev::save
