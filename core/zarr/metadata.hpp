#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/zarr/dtype.hpp"

namespace bev::zarr {

/// The compressor of an array's chunks. Reading needs only the id, because encoded
/// chunks describe the rest; writing needs all fields.
struct Compressor {
  enum class Id { none, blosc, zlib, gzip, zstd, lz4 };

  Id id = Id::none;
  std::string cname;          ///< blosc: "lz4", "lz4hc", "blosclz", "zstd", "zlib"
  int level = 0;              ///< blosc's clevel; lz4's acceleration
  int shuffle = 1;            ///< blosc: 0 none, 1 bytes, 2 bits, -1 by item size
  std::size_t blocksize = 0;  ///< blosc: bytes; 0 lets blosc choose

  bool operator==(const Compressor&) const = default;
};

/// A numcodecs filter between the elements and the compressor.
struct Filter {
  enum class Id { delta, fixedscaleoffset, shuffle, astype, packbits };

  Id id = Id::shuffle;
  DType decoded;      ///< element type; unused by shuffle and packbits
  DType encoded;      ///< stored type; unused by shuffle and packbits
  double offset = 0;  ///< fixedscaleoffset: element = stored / scale + offset
  double scale = 1;
  std::size_t element = 0;  ///< shuffle: bytes of an element

  bool operator==(const Filter&) const = default;
};

/// Sharding: an object holds many chunks and an index of their locations.
struct Sharding {
  std::vector<std::uint64_t> counts;  ///< chunks per shard along each axis
  bool index_first = false;           ///< index at the start of the object, not at its
                                      ///< end
  bool big_endian = false;            ///< byte order of the index
  bool checksum = false;              ///< four bytes of CRC-32C after the index

  bool operator==(const Sharding&) const = default;
};

/// Returns the codec's name as a .zarray spells it; "none" for none.
std::string_view to_string(Compressor::Id id);

/// Content of a .zarray, or of a zarr.json converted to version 2 terms.
///
/// Shapes  `shape` and `chunks` have the same length; chunks are never 0.
struct ArrayMeta {
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> chunks;
  DType dtype;
  char order = 'C';  ///< or 'F': order of the elements inside a chunk
  /// One element as stored, or what an element repeats; zeros if the file says null.
  std::vector<std::byte> fill;
  bool fill_is_null = false;
  std::vector<Filter> filters;  ///< in encoding order
  Compressor compressor;
  std::optional<Sharding> sharding;  ///< if set, `chunks` are those inside shards
  char separator = '.';              ///< between the numbers of a chunk's key
  bool prefixed_keys = false;        ///< version 3: "c/0/1" instead of "0.1"
  bool checksum = false;             ///< four bytes of CRC-32C after each chunk
  std::string json;                  ///< the document's text, as a .zarray

  /// Returns the rows per chunk: its length along the first axis, 1 without axes.
  std::uint64_t chunk_rows() const noexcept { return chunks.empty() ? 1 : chunks[0]; }

  /// Returns the decoded size of a chunk. parse_array_meta has checked that it does not
  /// overflow.
  std::size_t chunk_bytes() const noexcept;
};

/// Parses a .zarray.
///
/// @param key     names the text in messages: "agents/.zarray"
/// @throws Error  unsupported, by name, for an unsupported codec, filter, data type or
///                format version; invalid_metadata for invalid metadata
/// Reference  Zarr v2 specification, "Metadata" and "Fill value encoding".
ArrayMeta parse_array_meta(std::string_view text, std::string_view key);
ArrayMeta array_meta_from_json(const nlohmann::json& meta, std::string_view key);

/// Checks a .zgroup: throws like parse_array_meta.
void check_group(std::string_view text, std::string_view key);

/// Content of a consolidated .zmetadata, by path from the root; "" is the root itself.
struct Group {
  std::map<std::string, ArrayMeta> arrays;
  std::map<std::string, Error> refused;         ///< arrays that cannot be read, and why
  std::shared_ptr<const nlohmann::json> attrs;  ///< of the root; null if it has none
};

/// Parses a .zmetadata document. An error in the metadata of one array goes to
/// `refused`.
///
/// @throws Error  invalid_metadata for an invalid document
Group parse_consolidated(std::string_view text, std::string_view key);

/// Returns the metadata with the axes after the first as the shape of the elements;
/// nullopt if a chunk does not span these axes or has another order. The fill value is
/// not repeated: a row may have any size.
std::optional<ArrayMeta> by_row(ArrayMeta meta);

/// Returns the key of a chunk or shard relative to its array: {0, 1} is "0.1", "0/1" or
/// "c/0/1", {} is "0" or "c".
std::string chunk_key(const ArrayMeta& meta, std::span<const std::uint64_t> chunk);

}  // namespace bev::zarr
