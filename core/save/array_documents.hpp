#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::save {

/// The document of an array, version 2 or 3.
struct ArrayDocument {
  std::string key;   ///< "agents/.zarray", "agents/zarr.json"
  std::string text;  ///< as stored
  zarr::ArrayMeta meta;
  zarr::ArrayMeta chunk = {};  ///< `meta` without shards: what encodes a chunk
};

/// Returns the keys under which an array's document may be, first the usual one.
std::vector<std::string> document_keys(std::string_view array);

/// Parses an array's document. Memory for its chunks can then be allocated.
///
/// Throws  unsupported if chunks cannot be written: filters, shards with another index
///         than zarr-python's, chunks or shards of more than 1 GiB; not_found if the document is that of a group; errors of its parser
ArrayDocument parse_document(std::string key, std::string text);

/// Returns the document of an array to create: version 3 if `meta.prefixed_keys`.
///
/// Throws  as parse_document() and array_v3_json()
ArrayDocument new_document(std::string_view array, const zarr::ArrayMeta& meta);

/// Returns the document with another shape; everything else is kept.
std::string with_shape(const ArrayDocument& document,
                       std::span<const std::uint64_t> shape);

/// Returns the store's consolidated metadata with the array's document.
///
/// @param text   content of `.zmetadata` or of the root's `zarr.json`
/// @param array  the array's path
/// Returns  nullopt if it contains the document, or no metadata of arrays
/// Throws   invalid_metadata unless it is JSON
std::optional<std::string> consolidated_with(std::string_view text,
                                             std::string_view key,
                                             std::string_view array,
                                             const ArrayDocument& document);

/// Returns the chunk that a key within the array names; nullopt for any other key.
std::optional<std::vector<std::uint64_t>> chunk_of_key(const zarr::ArrayMeta& meta,
                                                       std::string_view name);

}  // namespace bev::save
