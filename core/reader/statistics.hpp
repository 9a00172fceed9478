#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/reader/filter.hpp"
#include "core/reader/limits.hpp"

namespace bev::reader {

/// Identity of a chunk's encoded bytes. A chunk with another identity has changed.
struct ChunkIdentity {
  std::uint64_t size = 0;      ///< in bytes; 0 if the chunk is absent
  std::uint32_t checksum = 0;  ///< CRC-32C of the bytes
  /// The host's own mark of the object's version, such as a file's modification time or
  /// an ETag; may be empty.
  std::string validator = {};

  bool operator==(const ChunkIdentity&) const = default;
};

/// The limits of the values of a data set's chunks, by which a filter excludes chunks
/// without reading them: the contents of .bevscope/statistics.json.
///
/// Fields of numbers, booleans and strings have limits if a row has at most
/// kMaxElements elements of them; image-like fields have none, so that the size stays
/// small: at most about 60 bytes of JSON per element of a field and chunk, or 8 strings
/// of at most 64 bytes.
///
/// Thread safety  As a container of the standard library.
class Statistics {
 public:
  static constexpr std::string_view kKey = ".bevscope/statistics.json";
  /// Maximum size of the file in bytes.
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
  /// Maximum numbers of arrays, of fields of an array, and of values in all.
  static constexpr std::size_t kMaxArrays = 1'000;
  static constexpr std::size_t kMaxFields = 1'000;
  static constexpr std::size_t kMaxValues = 4'000'000;
  static constexpr std::size_t kMaxElements = 4;
  /// Maximum number of distinct strings of a key in a chunk; with more, they are unknown.
  static constexpr std::size_t kMaxKeyTexts = 100'000;

  /// A one-dimensional array as it was when it was read.
  struct Array {
    std::uint64_t length = 0;
    std::uint64_t chunk_rows = 1;  ///< at least 1
    std::string dtype;             ///< compact JSON, as zarr::to_json().dump()

    bool operator==(const Array&) const = default;
  };

  /// Parses the file's contents.
  ///
  /// Throws  invalid_metadata with the path, what was found and what was expected;
  ///         unsupported for another version; limit_exceeded above a limit.
  static Statistics parse(std::string_view json);

  /// Returns the file's contents: arrays by path, chunks ascending. Equal statistics
  /// have equal text.
  ///
  /// Throws  limit_exceeded above kMaxBytes
  std::string to_json() const;

  /// Begins or continues an array. Removes the statistics of its chunks that are not
  /// valid for it (see valid_chunks()).
  ///
  /// Throws  invalid_argument if chunk_rows is 0 or dtype is not JSON
  void set_array(std::string_view path, const Array& array);

  /// Removes the statistics of an array's chunks if they are of other fields: those of an
  /// earlier version lack derived columns.
  void set_fields(std::string_view path, std::span<const std::string> names);

  /// Chooses keys: fields of integers or strings of one element, of which every value is
  /// kept for each chunk, so that a filter `track_id == 317` excludes the chunks without
  /// it. Removes the statistics of the array's chunks if they were other ones.
  void set_keys(std::string_view path, std::vector<std::string> names);

  /// Returns the keys of an array, sorted.
  std::span<const std::string> keys(std::string_view path) const;

  /// Returns whether a field can be a key.
  static bool can_be_key(const zarr::DType& type) noexcept;

  /// Returns how many chunks of `now`, from the first one on, the statistics of `path`
  /// may be used for: all if the array is as it was; the full chunks if only its length
  /// has grown; otherwise none. Chunks that were overwritten in place have another
  /// identity.
  std::uint64_t valid_chunks(std::string_view path, const Array& now) const;

  /// A field of a chunk: its name in the array's dtype, "" for an array without fields;
  /// or a derived column.
  struct Field {
    std::string name;
    FieldRows rows;
  };

  /// Returns whether a field has limits: its type has an order and at most kMaxElements
  /// elements.
  static bool covers(const zarr::DType& type) noexcept;

  /// Adds or replaces the limits of a chunk.
  ///
  /// @param fields  the same of every chunk of the array, covers() holds for their types
  /// Throws  not_found for an unknown array; out_of_range for a chunk outside of it;
  ///         invalid_argument for other fields than the array's other chunks have, and
  ///         for values that are not whole rows; limit_exceeded above kMaxValues.
  void add(std::string_view path, std::uint64_t chunk, ChunkIdentity identity,
           std::span<const Field> fields);

  /// Adds all chunks of other statistics, of arrays that are equal in both.
  ///
  /// Throws  invalid_argument for an array, or fields of it, that differ; limit_exceeded
  ///         above kMaxArrays and kMaxValues
  void merge(const Statistics& other);

  /// Returns the range of one element of a field in a chunk; nullopt if it is unknown.
  std::optional<Range> range(std::string_view path, std::uint64_t chunk,
                             std::string_view field, std::size_t element) const;

  /// Returns the distinct strings of a field in a chunk, sorted; null if unknown.
  const std::vector<std::string>* texts(std::string_view path, std::uint64_t chunk,
                                        std::string_view field) const;

  /// Returns a chunk's identity; nullopt if the chunk is unknown.
  std::optional<ChunkIdentity> identity(std::string_view path,
                                        std::uint64_t chunk) const;

  /// Returns the arrays' paths, sorted.
  std::vector<std::string> arrays() const;

  /// Returns the chunks of an array that only one of both has, or whose sizes,
  /// checksums or limits differ. Validators are not compared.
  std::vector<std::uint64_t> differences(const Statistics& other,
                                         std::string_view path) const;

  /// Returns the bytes that an array takes in to_json(), about.
  std::size_t json_bytes(std::string_view path) const;

  /// Returns the number of chunks and fields of an array that have limits.
  std::size_t chunk_count(std::string_view path) const;
  std::size_t field_count(std::string_view path) const;

 private:
  friend class StatisticsText;

  struct FieldInfo {
    std::string name;
    std::size_t elements = 1;

    bool operator==(const FieldInfo&) const = default;
  };
  struct FieldLimits {
    std::vector<Limits> elements;  ///< of numbers
    std::optional<std::vector<std::string>> texts;
    std::vector<ValueRun> runs;  ///< of a key of integers
  };
  struct Chunk {
    ChunkIdentity identity;
    std::vector<FieldLimits> fields;  ///< as Entry::fields

    std::size_t value_count() const;
  };
  struct Entry {
    Array array;
    std::vector<FieldInfo> fields;
    std::vector<std::string> keys;  ///< sorted
    std::map<std::uint64_t, Chunk> chunks;

    bool is_key(std::string_view field) const;
  };

  void insert(Entry& entry, std::uint64_t number, Chunk chunk);
  const Entry* entry(std::string_view path) const;
  const FieldLimits* find(std::string_view path, std::uint64_t chunk,
                          std::string_view field) const;

  std::map<std::string, Entry, std::less<>> arrays_;
  std::size_t value_count_ = 0;
};

/// Statistics of one chunk as Filter::match() uses them. Columns of the schema have the
/// names of the array's fields.
///
/// Lifetime  Statistics and schema outlive it.
class ChunkStatistics final : public Filter::Statistics {
 public:
  ChunkStatistics(const reader::Statistics& statistics, const Schema& schema,
                  std::string path, std::uint64_t chunk)
      : statistics_(statistics),
        schema_(schema),
        path_(std::move(path)),
        chunk_(chunk) {}

  std::optional<Range> range(std::size_t column, std::size_t element) const override;
  const std::vector<std::string>* texts(std::size_t column) const override;

 private:
  const reader::Statistics& statistics_;
  const Schema& schema_;
  std::string path_;
  std::uint64_t chunk_;
};

}  // namespace bev::reader
