#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/engine/query.hpp"
#include "core/engine/state.hpp"
#include "core/reader/statistics.hpp"
#include "core/reader/statistics_fields.hpp"
#include "core/store/catalogue.hpp"

namespace bev {

/// Options of StatisticsQuery.
struct StatisticsOptions {
  /// Paths of one-dimensional arrays and of tables that are stored by column; if empty, L5Kit's arrays, or the store itself if
  /// it is an array.
  std::vector<std::string> arrays = {};
  /// Chunks [begin_chunk, end_chunk) of each array are read, no others.
  std::uint64_t begin_chunk = 0;
  std::uint64_t end_chunk = std::numeric_limits<std::uint64_t>::max();
  /// Fields whose every value is kept (see reader::Statistics::set_keys), of the arrays
  /// that have them; nullopt: those of `earlier`.
  std::optional<std::vector<std::string>> keys = {};
  /// Statistics to complete; unchanged chunks are not read again.
  reader::Statistics earlier = {};
  /// A chunk is unchanged if its object has the same mark as in `earlier`. Called before
  /// the object is read.
  ObjectVersion version = {};
};

/// The statistics of a data set's chunks, one chunk per step:
///
///   while (query.next()) { run the host's loop; query.build(); }
///
/// Has no result arrays. Unchanged chunks take no step.
///
/// Throws  As Query; also next() throws invalid_argument if the current chunk has not
///         been read, and for a key whose values cannot be kept; not_found for an unknown
///         array and a key that no array has; unsupported for one with several
///         axes, and errors of reader::Statistics.
class StatisticsQuery final : public Query {
 public:
  StatisticsQuery(std::shared_ptr<EngineState> state, StatisticsOptions options);

  /// Advances to the next chunk that must be read. Returns false after the last one and
  /// stays there.
  bool next();

  /// Statistics of the chunks so far.
  const reader::Statistics& statistics() const noexcept { return statistics_; }

  /// An array's chunks; known after the first step.
  struct Array {
    std::string path;
    std::uint64_t chunk_count = 0;
    std::uint64_t read_count = 0;     ///< chunks read
    std::uint64_t encoded_bytes = 0;  ///< of chunks read
  };
  const std::vector<Array>& arrays() const noexcept { return arrays_; }

  /// Chunks of all arrays, and those of them that were read or skipped.
  std::uint64_t chunk_count() const noexcept { return chunk_count_; }
  std::uint64_t done_count() const noexcept { return done_count_; }

 private:
  struct Source {
    const store::Array* array;
    reader::StatisticsFields fields;
  };

  bool gather(store::Reader& reader) override;
  void derive(ResultSet&) override {}

  bool open(store::Reader& reader);
  bool find_arrays(store::Reader& reader);
  void add_array(const store::Array& array);
  void begin_array(const store::Array& array);
  std::vector<std::string> keys_of(const store::Array& array);
  void check_keys() const;
  bool find_chunk();
  bool is_unchanged(const Source& source);
  bool read_chunk(store::Reader& reader);

  StatisticsOptions options_;
  reader::Statistics statistics_;
  std::vector<Source> sources_;
  std::vector<Array> arrays_;
  std::vector<const store::Array*> found_;
  std::set<std::string> found_keys_;
  std::size_t source_ = 0;  // of the current chunk
  std::uint64_t chunk_ = 0;
  std::string version_;  // of the current chunk's object
  std::uint64_t chunk_count_ = 0;
  std::uint64_t done_count_ = 0;
  std::vector<std::vector<std::byte>> buffers_;  // per column
  bool begun_ = false;
  bool is_open_ = false;
  bool read_ = false;
};

}  // namespace bev
