#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/chunk_length.hpp"
#include "core/save/manifest.hpp"
#include "core/zarr/decode.hpp"

namespace bev::save {

/// An object to be written, by its key.
struct NewObject {
  std::string key;
  std::vector<std::byte> bytes;

  bool operator==(const NewObject&) const = default;
};

/// Returns the manifest's entry of encoded rows.
PartObject entry_of(const EncodedRows& rows);

/// Compares an object with its entry in the manifest.
///
/// @param where  its key or path, for messages
/// Throws  corrupt_chunk if its size or checksum differ
void check_object(const PartObject& entry, std::span<const std::byte> bytes,
                  std::string_view where);

/// Returns the key, in its array, of the object that holds a chunk: "3.0.0", or in
/// version 3 "c/3/0/0".
///
/// @param chunk  its number along the first axis
std::string chunk_object(const zarr::ArrayMeta& meta, std::uint64_t chunk);

/// Returns the bytes of a chunk in the object that holds it.
///
/// Throws  corrupt_chunk for a damaged shard, and for one without the chunk
std::span<const std::byte> chunk_in(const zarr::ArrayMeta& meta,
                                    const zarr::EncodedChunk& object,
                                    std::uint64_t chunk);

/// Decodes an encoded chunk of `chunk_rows` rows.
///
/// Throws  corrupt_chunk
std::vector<std::byte> decode_rows(const DataConfig& config, const Attribute& attribute,
                                   std::uint64_t chunk_rows,
                                   std::span<const std::byte> encoded);

}  // namespace bev::save
