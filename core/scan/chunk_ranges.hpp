#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/state.hpp"
#include "core/reader/filter.hpp"
#include "core/reader/learnt_ranges.hpp"
#include "core/reader/statistics.hpp"
#include "core/scan/reader_columns.hpp"
#include "core/store/catalogue.hpp"
#include "core/store/columns.hpp"

namespace bev {

/// The statistics file of a data set, if it has one that can be used.
struct KnownStatistics {
  std::optional<reader::Statistics> found;
  std::string problem;  ///< why the file is not used

  /// Reads the file, once per engine; null while it is requested.
  static std::shared_ptr<const KnownStatistics> read(EngineState& state,
                                                     store::Reader& reader);
};

/// Returns the array whose chunks hold an element of a column, or what the column derives
/// from: a column of a table that is stored by column, otherwise the table.
const store::Array& stored_array(const store::Array& table,
                                 const reader::ViewColumn& column,
                                 std::size_t element) noexcept;

/// The chunks of a column that hold rows of one chunk of its table.
struct ColumnChunks {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  bool is_one() const noexcept { return first == last; }
};

/// Returns the chunks of a column that hold the rows of a table's chunk: that chunk,
/// unless the columns have chunks of their own lengths.
///
/// @param chunk  begins before the end of the table
ColumnChunks column_chunks(const store::Array& table, const store::Array& column,
                           std::uint64_t chunk) noexcept;

/// Returns the key of the object that holds a chunk: the chunk's, or its shard's.
std::string object_of(const store::Array& array, std::uint64_t chunk);

/// What is known of the values in the chunks of a table: the statistics file where it is
/// valid, otherwise what readers learnt.
///
/// Lifetime  Statistics, learnt ranges and table outlive it.
class ChunkRanges {
 public:
  /// @param statistics  may be null
  /// @param version     may be empty; otherwise the statistics of a chunk are ignored if
  ///        its object has another version than when it was indexed
  ChunkRanges(const reader::Statistics* statistics, const reader::LearntRanges& learnt,
              const ReaderTable& table, ObjectVersion version = {});

  /// Returns the range of an element of a column in a chunk of its own table; nullopt if
  /// it is unknown.
  std::optional<reader::Range> range(const store::Array& table, std::uint64_t chunk,
                                     std::size_t column, std::size_t element) const;

  /// Returns the distinct strings of a column in a chunk, sorted; null if unknown.
  const std::vector<std::string>* texts(const store::Array& table, std::uint64_t chunk,
                                        std::size_t column) const;

  /// Returns whether the values of an element of a column in a chunk are known.
  bool knows(const store::Array& table, std::uint64_t chunk, std::size_t column,
             std::size_t element) const {
    return range(table, chunk, column, element) ||
           texts(table, chunk, column) != nullptr;
  }

  /// Checks a chunk in memory, of an array that stores chunks. Throws changed if it is
  /// not the one of the statistics, or not the one that was learnt from: chunks that were
  /// excluded may have other values too.
  void check(const store::Array& array, std::uint64_t chunk,
             std::uint64_t encoded_bytes) const;

 private:
  std::uint64_t valid_chunks(const store::Array& array) const;
  bool is_indexed(const store::Array& array, std::uint64_t chunk) const;
  std::optional<reader::Range> indexed_range(const store::Array& table,
                                             std::uint64_t chunk,
                                             const zarr::Column& field,
                                             std::size_t element) const;
  std::optional<reader::Range> range_of_speed(const store::Array& table,
                                              std::uint64_t chunk,
                                              const zarr::Column& velocity) const;

  const reader::Statistics* statistics_;
  const reader::LearntRanges& learnt_;
  const reader::View& view_;
  ObjectVersion version_;
  std::map<const store::Array*, std::uint64_t> valid_;
  /// The chunks that were compared: whether their version is the indexed one.
  mutable std::map<std::pair<const store::Array*, std::uint64_t>, bool> current_;
};

/// The ranges of one chunk of an array, for Filter::match.
class RangesOfChunk final : public reader::Filter::Statistics {
 public:
  /// @param level  of the columns that belong to the array
  RangesOfChunk(const reader::View& view, reader::Level level,
                const ChunkRanges& ranges, const store::Array& array,
                std::uint64_t chunk)
      : view_(view), level_(level), ranges_(ranges), array_(array), chunk_(chunk) {}

  std::optional<reader::Range> range(std::size_t column,
                                     std::size_t element) const override;
  const std::vector<std::string>* texts(std::size_t column) const override;

 private:
  const reader::View& view_;
  reader::Level level_;
  const ChunkRanges& ranges_;
  const store::Array& array_;
  std::uint64_t chunk_;
};

}  // namespace bev
