#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/chunk_length.hpp"
#include "core/save/commit_plan.hpp"

namespace bev::save {

/// The data set to which rows are appended, as if it were the first part. Its objects
/// are zarr chunks: the last one is padded to the length of the others.
///
///   for (const auto& key : base.missing()) base.supply(read(key), key);
class Base {
 public:
  /// @param rows  of the data set
  Base(const DataConfig& config, std::uint64_t rows);

  /// Returns the keys of the arrays' metadata that were not supplied.
  std::vector<std::string> missing() const;

  /// Takes the first document of missing().
  ///
  /// @param where  its key or path, for messages
  /// Throws  invalid_metadata for an array that is not that of the config
  void supply(std::string_view document, std::string_view where);

  /// Returns the data set as a part, when nothing is missing. Sizes and checksums of its
  /// objects are 0.
  const Manifest& manifest() const noexcept { return manifest_; }

  std::uint64_t chunk_rows(std::size_t attribute) const {
    return metas_[attribute].chunk_rows();
  }

  /// Returns the key of the object with a chunk.
  std::string key(std::size_t attribute, std::uint64_t index) const;

  /// Returns the bytes of a chunk in that object.
  ///
  /// Throws  corrupt_chunk
  std::span<const std::byte> chunk_of(std::size_t attribute, std::uint64_t index,
                                      std::span<const std::byte> object) const;

 private:
  DataConfig config_;
  std::vector<zarr::ArrayMeta> metas_;
  Manifest manifest_;
};

/// Joins one attribute of all parts into an array: which objects its chunks consist of,
/// and their encoded bytes. The host reads the objects.
///
/// Lifetime  What Inputs refer to outlives it.
class ArrayJoin {
 public:
  struct Inputs {
    const DataConfig& config;
    std::span<const Manifest> parts;  ///< see ordered()
    const Base* base = nullptr;       ///< is parts[0]; null: none
  };

  /// Returns the bytes of a slice's object, which are used before the next call.
  using Read = std::function<std::span<const std::byte>(const Slice&)>;

  ArrayJoin(const Inputs& from, std::size_t attribute);

  const JoinPlan& plan() const noexcept { return plan_; }
  const Attribute& schema() const { return from_.config.attributes()[attribute_]; }

  bool is_base(const Slice& slice) const noexcept {
    return from_.base != nullptr && slice.part == 0;
  }

  /// Returns the key of a slice's object in its part, or in the base.
  std::string source_key(const Slice& slice) const;

  /// Returns the key of the object with a chunk in the data set.
  std::string key(std::uint64_t index, std::uint64_t chunk_rows) const;

  /// Returns a chunk; `is_copy` is false for a base's last chunk, which is padded, if the
  /// base has another length or shards, and for intervals that are shifted.
  PlannedChunk chunk(std::uint64_t index, std::uint64_t chunk_rows) const;

  /// Whether the shard that begins with a chunk is one of the base as it is: a full one.
  bool is_base_shard(std::uint64_t index, std::uint64_t chunk_rows) const noexcept;

  /// Limits rows per chunk to those of the array: an only chunk is not padded.
  std::uint64_t limited(std::uint64_t chunk_rows) const noexcept;

  /// Returns the rows that tried() needs.
  std::vector<Slice> sample(const ChunkLength& length) const;

  /// Searches for rows per chunk among the rows of sample(). Returns them when found.
  std::optional<std::uint64_t> tried(ChunkLength& length,
                                     std::span<const std::byte> rows) const;

  /// Returns the rows of slices. Intervals count in the values of all parts.
  ///
  /// Throws  corrupt_chunk
  std::vector<std::byte> decoded(const std::vector<Slice>& slices,
                                 const Read& read) const;

  /// Returns an encoded chunk, padded with zeros.
  ///
  /// Throws  corrupt_chunk
  std::vector<std::byte> encoded(const PlannedChunk& chunk, std::uint64_t chunk_rows,
                                 const Read& read) const;

 private:
  std::uint64_t shift_of(const Slice& slice) const;

  Inputs from_;
  std::size_t attribute_;
  JoinPlan plan_;
};

}  // namespace bev::save
