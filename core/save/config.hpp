#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/field.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::save {

/// The schema of a data set and how it is stored. Contains no address and no secret.
///
/// Throws  invalid_argument for invalid values; limit_exceeded for an attribute whose
///         rows do not fit into an object.
class DataConfig {
 public:
  static constexpr std::size_t kMaxAttributes = 1'000;
  static constexpr std::size_t kMaxName = 200;  ///< bytes
  static constexpr std::size_t kMaxJson = std::size_t{16} << 20;
  static constexpr std::uint64_t kMinObjectSize = 1024;
  static constexpr std::uint64_t kMaxObjectSize = std::uint64_t{1} << 30;
  static constexpr std::uint64_t kUsualObjectSize = std::uint64_t{8} << 20;
  static constexpr std::uint64_t kMinChunkSize = 256;  ///< in shards

  /// Parses the JSON that to_json() writes. Only `name` and `attributes` are required.
  ///
  /// Throws  also invalid_argument for text that is not JSON and for unknown members;
  ///         unsupported for types and codecs that version 3 lacks, if asked for
  static DataConfig parse(std::string_view json);

  /// Returns the config as JSON with sorted members: equal configs have equal text.
  /// Version 3 and shards are members only if they are used.
  std::string to_json() const;

  /// Returns 16 hexadecimal digits, equal for equal configs wherever they are stored.
  std::string fingerprint() const;

  const std::string& name() const noexcept { return name_; }
  const nlohmann::json& additional() const noexcept { return *additional_; }

  /// Returns the fields of an item, as given.
  const std::vector<Field>& fields() const noexcept { return fields_; }

  /// Returns the config with these fields only, in this order.
  ///
  /// Throws  not_found for a name that it does not have; invalid_argument for none at
  ///         all, and for one that is named twice
  DataConfig with_fields(const std::vector<std::string>& names) const;

  /// Returns the arrays that the fields are stored in.
  const std::vector<Attribute>& attributes() const noexcept { return attributes_; }

  /// Whether readers have the fields as columns of the table kTable. Not if an array has
  /// its name.
  bool has_table() const noexcept;

  const zarr::Compressor& compressor() const noexcept { return compressor_; }
  std::uint64_t max_object_size() const noexcept { return max_object_size_; }

  /// Returns the version of the zarr format, 2 or 3.
  int zarr_format() const noexcept { return zarr_format_; }

  /// Returns the chunks that an object holds along the first axis; 0: one, without index.
  std::uint64_t chunks_per_shard() const noexcept { return chunks_per_shard_; }

  /// Returns the limit of an encoded chunk: full shards, with their index, do not exceed
  /// max_object_size().
  std::uint64_t max_chunk_size() const noexcept { return max_chunk_size_; }

  /// Returns the metadata of an attribute's array.
  zarr::ArrayMeta array_meta(const Attribute& attribute, std::uint64_t rows,
                             std::uint64_t chunk_rows) const;

 private:
  DataConfig() = default;
  void read_sizes(const nlohmann::json& root);
  std::optional<zarr::Sharding> sharding(std::size_t axes) const;
  void read_attributes(const nlohmann::json& list);
  void add_field(Field field);
  void read_compressor(const nlohmann::json& given);
  void check_row(const Attribute& attribute) const;

  std::string name_;
  std::shared_ptr<const nlohmann::json> additional_;
  std::vector<Field> fields_;
  std::vector<Attribute> attributes_;
  zarr::Compressor compressor_;
  std::uint64_t max_object_size_ = kUsualObjectSize;
  int zarr_format_ = 2;
  std::uint64_t chunks_per_shard_ = 0;
  std::uint64_t max_chunk_size_ = kUsualObjectSize;
};

/// Returns 16 hexadecimal digits of a text's 64-bit hash (FNV-1a): an identity, not a
/// protection against forgery.
std::string fingerprint_of(std::string_view text);

}  // namespace bev::save
