#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/attachment.hpp"
#include "core/save/config.hpp"

namespace bev::save {

/// An object of a part: consecutive rows of an attribute.
struct PartObject {
  std::uint64_t first = 0;  ///< row in the part
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;     ///< encoded
  std::uint32_t checksum = 0;  ///< CRC-32C of the encoded bytes

  bool operator==(const PartObject&) const = default;
};

/// An attribute's objects in a part, without gaps. All but those after the last full
/// chunk have `chunk_rows` rows, unless a chunk was divided because it exceeded the
/// limit.
struct PartArray {
  std::optional<std::uint64_t> chunk_rows;  ///< absent: the part has no full chunk
  std::vector<PartObject> objects;
  std::optional<std::uint64_t> values = {};  ///< rows, of an array of values

  bool operator==(const PartArray&) const = default;
};

/// The journal of a saver: the rows that are safely stored. Once `complete`, the
/// manifest of its part.
struct Manifest {
  static constexpr std::size_t kMaxJson = std::size_t{256} << 20;

  std::string config;  ///< the config's fingerprint
  std::uint64_t saver = 0;
  std::uint64_t batches = 0;
  std::uint64_t rows = 0;
  bool complete = false;
  std::vector<PartArray> arrays;             ///< in the config's order
  std::vector<Attachment> attachments = {};  ///< sorted by name

  /// Returns the rows of an attribute.
  std::uint64_t rows_of(std::size_t attribute) const {
    return arrays[attribute].values.value_or(rows);
  }

  std::string to_json(const DataConfig& config) const;

  /// Parses and checks a manifest.
  ///
  /// @param where   its path, for messages
  /// Throws  invalid_metadata for a manifest of another config, unknown members, gaps
  ///         between objects, and numbers of rows that differ
  static Manifest parse(std::string_view json, const DataConfig& config,
                        std::string_view where);

  bool operator==(const Manifest&) const = default;
};

/// Returns the key of an object in its part: "image/512-256", first row and rows.
std::string object_key(const Attribute& attribute, const PartObject& object);

/// Returns the rows of a part's array that are in full chunks.
std::uint64_t full_rows(const PartArray& array, std::uint64_t rows) noexcept;

}  // namespace bev::save
