#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/owned_bytes.hpp"
#include "core/save/chunk_cache.hpp"

namespace bev::save {

/// How an attribute's rows are stored.
struct RowLayout {
  std::size_t row_bytes = 0;
  std::uint64_t chunk_rows = 0;  ///< rows per chunk, at least 1
  /// Of the values of a field of variable length: the attribute whose rows are their
  /// intervals, and the number of values.
  std::optional<std::size_t> intervals = std::nullopt;
  std::uint64_t values = 0;
};

/// Rows [begin, end) of the data set: a chunk of one attribute.
struct ChunkRequest {
  ChunkId id;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool operator==(const ChunkRequest&) const = default;
};

/// Loads rows of a saved data set from chunks that the host reads and decodes, with the
/// usual loop:
///
///   loader.ask(begin, end);
///   for (auto r = loader.missing(); !r.empty(); r = loader.missing()) supply each of r;
///   loader.take();
///
/// The values of fields of variable length are requested once the intervals of the rows
/// are known, and returned in the order of the rows.
///
/// Chunks stay in memory within a byte budget. A chunk is requested once per question at
/// most; and only once if the rows are asked for in ascending order. Questions that
/// continue each other request the following chunks too: none at first, then one, two,
/// four ..., as far as half of the budget allows.
///
/// Throws         see the functions; otherwise only std::bad_alloc. The loader remains
///                usable.
/// Thread safety  A loader belongs to one thread.
class RowLoader {
 public:
  struct Limits {
    std::size_t byte_budget = 0;  ///< of decoded chunks
    std::size_t chunks = 1;       ///< requested at the same time, at least 1
  };

  /// Throws  limit_exceeded for chunks without rows, or above the address space
  RowLoader(std::vector<RowLayout> layouts, std::uint64_t rows, const Limits& limits);

  std::uint64_t rows() const noexcept { return rows_; }

  /// Asks for rows [begin, end).
  ///
  /// Throws  out_of_range unless begin <= end <= rows(); limit_exceeded for a result
  ///         above the address space
  void ask(std::uint64_t begin, std::uint64_t end);

  /// Asks for these rows, in this order. Negative indices count from the end.
  ///
  /// Throws  out_of_range for an index below -rows() or not below rows();
  ///         limit_exceeded
  void ask(std::span<const std::int64_t> indices);

  /// Copies rows out of the chunks in memory, and returns chunks that are to be read
  /// next; empty when the rows are complete.
  ///
  /// Throws  corrupt_chunk for an interval that is descending or outside of the values;
  ///         limit_exceeded for more than 1 GiB of values
  std::vector<ChunkRequest> missing();

  /// Takes the decoded rows of a request.
  ///
  /// Throws  internal for another number of bytes than the request has
  void supply(const ChunkRequest& request, DecodedChunk chunk);

  /// Returns the rows, one block per attribute.
  std::vector<RawBytes> take();

  /// Forgets all chunks.
  void clear();

  /// Returns the bytes of the chunks in memory.
  std::size_t bytes_held() const noexcept { return cache_.bytes_held(); }

  /// Returns how many chunks were supplied so far.
  std::uint64_t chunks_supplied() const noexcept { return supplied_; }

 private:
  /// Consecutive rows of a chunk, and their position in the result.
  struct Run {
    std::uint64_t row;  // in the chunk
    std::uint64_t count;
    std::size_t at;
  };

  /// What a question needs of one chunk.
  struct Need {
    ChunkId id;
    std::vector<Run> runs;
  };

  void begin_question(std::uint64_t count);
  void need_range(std::size_t attribute, std::uint64_t begin, std::uint64_t end);
  void need_runs(std::size_t attribute, std::span<const Run> runs);
  void need_values(std::size_t attribute);
  void add_missing(std::vector<ChunkRequest>& round);
  bool asks_for_values();
  std::uint64_t length_of(std::size_t attribute) const noexcept {
    const auto& layout = layouts_[attribute];
    return layout.intervals ? layout.values : rows_;
  }
  void copy(const Need& need, const DecodedChunk& chunk);
  bool add(std::vector<ChunkRequest>& round, const ChunkId& id) const;
  void add_ahead(std::vector<ChunkRequest>& round);
  std::size_t ahead_bytes() const;
  ChunkRequest request_of(const ChunkId& id) const noexcept;
  std::size_t bytes_of(const ChunkRequest& request) const noexcept;

  std::vector<RowLayout> layouts_;
  std::uint64_t rows_;
  Limits limits_;
  ChunkCache cache_;
  std::vector<Need> needs_;  // of the question, not in the result yet
  std::vector<RawBytes> result_;
  std::uint64_t end_ = 0;            // of the last range
  std::vector<std::uint64_t> ends_;  // of each attribute's rows in it
  bool has_values_ = true;           // needs_ has the values of the question
  bool is_sequential_ = false;
  std::uint64_t ahead_ = 0;  // chunks per attribute
  std::uint64_t supplied_ = 0;
};

}  // namespace bev::save
