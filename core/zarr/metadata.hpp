#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/dtype.hpp"

namespace bev::zarr {

/// How the chunks of an array are encoded. Reading needs the id alone, for the encoded
/// bytes say the rest; writing needs all of it.
struct Compressor {
  enum class Id { none, blosc, zlib, gzip, zstd, lz4 };

  Id id = Id::none;
  std::string cname;          ///< blosc: "lz4", "lz4hc", "blosclz", "zstd", "zlib"
  int level = 0;              ///< blosc's clevel; lz4's acceleration
  int shuffle = 1;            ///< blosc: 0 none, 1 bytes, 2 bits, -1 by the type
  std::size_t blocksize = 0;  ///< blosc: bytes, 0 is its own choice

  bool operator==(const Compressor&) const = default;
};

/// A step between the elements and the compressor, as numcodecs has it.
struct Filter {
  enum class Id { delta, fixedscaleoffset, shuffle, astype, packbits };

  Id id = Id::shuffle;
  DType decoded;      ///< of the elements; not of shuffle and packbits
  DType encoded;      ///< of what is stored of them
  double offset = 0;  ///< fixedscaleoffset: element = stored / scale + offset
  double scale = 1;
  std::size_t element = 0;  ///< shuffle: bytes of one

  bool operator==(const Filter&) const = default;
};

/// Chunks that are kept many to an object, after or before an index of their places.
struct Sharding {
  std::vector<std::uint64_t> counts;  ///< of chunks in a shard, along each axis
  bool index_first = false;           ///< at the start of the object, not at its end
  bool big_endian = false;            ///< numbers of the index
  bool checksum = false;              ///< four bytes of CRC-32C behind the index

  bool operator==(const Sharding&) const = default;
};

/// The name of a codec as a .zarray spells it; "none".
std::string_view to_string(Compressor::Id id);

/// What a .zarray says, or a zarr.json in its terms.
///
/// Shapes  `shape` and `chunks` have the same length; chunks are never 0.
struct ArrayMeta {
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> chunks;
  DType dtype;
  char order = 'C';  ///< or 'F': order of the elements inside a chunk
  std::vector<std::byte>
      fill;  ///< one element as stored; zeros where the file says null
  bool fill_is_null = false;
  std::vector<Filter> filters;  ///< in the order of encoding
  Compressor compressor;
  std::optional<Sharding> sharding;  ///< `chunks` are then those inside of shards
  char separator = '.';              ///< between the numbers of a chunk's key
  bool prefixed_keys = false;        ///< "c/0/1", as version 3 has them, not "0.1"
  bool checksum = false;             ///< four bytes of CRC-32C behind each chunk
  std::string json;                  ///< the text it was read from, as a .zarray

  /// Rows of a chunk: its length along the first axis, 1 for an array of no axes.
  std::uint64_t chunk_rows() const noexcept { return chunks.empty() ? 1 : chunks[0]; }

  /// Bytes of a decoded chunk, which parse_array_meta has found to fit.
  std::size_t chunk_bytes() const noexcept;
};

/// The text as JSON.
///
/// Errors  invalid_metadata if it is not JSON, or nested deeper than 64 levels (what
///         walks a tree by recursion may trust in that).
nlohmann::json parse_json(std::string_view text, std::string_view key);

/// @param key     names the text in messages: "agents/.zarray"
/// @throws Error  unsupported for a codec, filter, data type or format version that is
///                not read here, by name; invalid_metadata for what no version allows
///
/// Source: Zarr v2 specification, "Metadata" and "Fill value encoding".
ArrayMeta parse_array_meta(std::string_view text, std::string_view key);
ArrayMeta array_meta_from_json(const nlohmann::json& meta, std::string_view key);

/// Checks a .zgroup: throws like parse_array_meta.
void check_group(std::string_view text, std::string_view key);

/// The name of a chunk, or of a shard, below its array: {0, 1} is "0.1", "0/1" or
/// "c/0/1", {} is "0" or "c".
std::string chunk_key(const ArrayMeta& meta, std::span<const std::uint64_t> chunk);

}  // namespace bev::zarr
