#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/reader/filter.hpp"
#include "core/reader/limits.hpp"

namespace bev::reader {

/// Limits of the values of chunks, learnt from the rows that filters read. They are used
/// once all rows of a chunk have been read, in any order and in any number of parts.
///
/// Reading a chunk whose encoded size has changed forgets what was learnt of it.
/// Above kMaxEntries nothing more is learnt.
///
/// Thread safety  As a container of the standard library.
class LearntRanges {
 public:
  /// Maximum number of chunks times columns; about 300 bytes each.
  static constexpr std::size_t kMaxEntries = 100'000;
  /// Maximum number of separate parts of a chunk; more are not learnt from.
  static constexpr std::size_t kMaxParts = 256;

  /// A chunk of an array.
  struct Chunk {
    std::string_view array;  ///< its path
    std::uint64_t number = 0;

    bool operator==(const Chunk&) const = default;
  };

  /// Rows of a chunk that were read, counted from its first row.
  struct Part {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t chunk_rows = 0;     ///< rows that the chunk holds
    std::uint64_t encoded_bytes = 0;  ///< size of the chunk
    std::size_t first_element = 0;    ///< of the column, that `rows` begin with
  };

  /// Adds the values of elements of a column in a part of a chunk. Ignores a part that is
  /// empty or outside of the chunk.
  void add(const Chunk& chunk, std::string_view column, const Part& part,
           const FieldRows& rows);

  /// Returns the range of one element of a column in a chunk; nullopt if it is unknown.
  std::optional<Range> range(const Chunk& chunk, std::string_view column,
                             std::size_t element) const;

  /// Returns the distinct strings of a column in a chunk, sorted; null if unknown.
  const std::vector<std::string>* texts(const Chunk& chunk,
                                        std::string_view column) const;

  /// Returns the encoded size of a chunk of which something was learnt.
  std::optional<std::uint64_t> encoded_bytes(const Chunk& chunk) const;

  std::size_t entry_count() const noexcept { return entry_count_; }

 private:
  /// Consecutive elements of a column.
  struct Column {
    std::size_t first = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>>
        parts;                   ///< ascending, disjoint
    std::vector<Limits> limits;  ///< per element
    std::optional<std::vector<std::string>> texts = std::vector<std::string>();
    bool is_complete = false;
  };
  struct Learnt {
    std::uint64_t encoded_bytes = 0;
    std::map<std::string, std::vector<Column>, std::less<>> columns;
  };
  using Key = std::pair<std::string, std::uint64_t>;

  const Learnt* find(const Chunk& chunk) const;
  const Column* complete(const Chunk& chunk, std::string_view column,
                         std::size_t element) const;
  Column* entry(Learnt& learnt, std::string_view column, const Part& part,
                std::size_t elements);
  static void cover(Column& column, const Part& part);

  std::map<Key, Learnt> chunks_;
  std::size_t entry_count_ = 0;
};

}  // namespace bev::reader
