#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "export.hpp"

namespace bev {

class SemanticMap;
class AerialImage;

/// Maps of a reader's samples, which the plan's config may need.
struct ReaderMaps {
  std::shared_ptr<const SemanticMap> map = nullptr;     ///< lanes and crosswalks
  std::shared_ptr<const AerialImage> aerial = nullptr;  ///< the aerial image
};

/// How a reader reads; the batches and their order do not depend on it.
struct ReaderOptions {
  /// Threads that decode rows, at most as many as there are processors. The source is
  /// called by the calling thread alone, and no thread outlives a call. Chunks that they
  /// read are cached apart from the data set's, with its `byte_budget` for all threads
  /// together; values that wait for their batches take up to 16 MiB per thread, or one
  /// group of blocks. Samples and the order "full" are read by one thread.
  std::size_t threads = 1;

  /// Reads only batches number part, part + parts, ... counted from where the reader
  /// begins, seek() or restore(): `parts` readers with the same position have each batch
  /// once. The others' rows are chosen, which reads the filter's columns, and not read.
  std::uint64_t part = 0;
  std::uint64_t parts = 1;  ///< more than `part`
};

/// A place in a reader's stream.
struct ReaderPosition {
  std::uint64_t epoch = 0;  ///< number of the pass, from 0
  /// Items of the epoch that all shards together have read; of this shard alone if
  /// shards are not strided.
  std::uint64_t items = 0;
};

/// An array of a reader's batches.
struct ReaderField {
  std::string name;   ///< "yaw", "yaw@-10", "window.mask"
  std::string dtype;  ///< NumPy's code; of strings "<U16", of any length "utf8"
  std::vector<std::size_t> shape;  ///< of an item; the largest number: it varies
  /// Of variable length: "array", "bytes", "text", "image" or "npy"; otherwise "".
  std::string kind = {};
  std::string content_type = {};  ///< of images and bytes, if known
  bool nullable = false;  ///< the array NAME.valid says which items are not null

  /// Returns whether all members are equal.
  bool operator==(const ReaderField&) const = default;
};

/// What a reader did to find its items.
struct ReaderDiagnostics {
  std::uint64_t blocks = 0;       ///< blocks (scenes, chunks) examined
  std::uint64_t rows = 0;         ///< rows in these blocks
  std::uint64_t rows_tested = 0;  ///< rows on which the filter was evaluated
  std::uint64_t pieces = 0;       ///< parts of the blocks, each in one chunk
  /// Parts that were not read because their frames or scene do not pass the filter.
  std::uint64_t pieces_excluded_by_frame = 0;
  std::uint64_t pieces_excluded = 0;  ///< parts not read because of statistics
  std::uint64_t pieces_included = 0;  ///< parts that pass as a whole by statistics
};

/// A block of rows that was left out; see Reader::skipped.
struct SkippedBlock {
  std::uint64_t block = 0;  ///< number of the scene, or of the chunk in other tables
  std::string error;        ///< message of the error: which chunk is damaged, and how
};

/// Reads the rows, windows or samples of a plan in batches: choose, window, shuffle, shard,
/// resume. docs/reader.md describes plans.
///
///     auto reader = dataset.reader(R"({"from": "agents", "where": "speed > 10"})");
///     while (const auto batch = reader.next()) train(batch->values<float>("yaw"));
///
/// Lifetime       A batch owns its memory, and may outlive reader and data set.
/// Throws         As Dataset; also invalid_argument for an invalid plan, filter or
///                state, and for a shard without items; not_found for unknown fields;
///                changed for the state of other data.
/// Thread safety  As the Dataset that created it.
class BEV_EXPORT Reader {
 public:
  ~Reader();
  Reader(Reader&&) noexcept;             ///< leaves the other unusable
  Reader& operator=(Reader&&) noexcept;  ///< leaves the other unusable

  /// Returns the next batch, an array per field of shape (items, ...); nullopt at the
  /// end of the epoch. With a window, arrays are of shape (items, length, ...), and
  /// "window.mask" tells which rows are present unless incomplete windows are dropped.
  std::optional<Arrays> next();

  /// Returns the arrays of a batch.
  std::vector<ReaderField> fields();

  /// Returns the number of items in the batch that next() returned last.
  std::size_t batch_size() const noexcept;

  /// Goes to an item of an epoch: the next batch begins there.
  void seek(const ReaderPosition& position);

  /// Returns the position after the batches returned so far.
  ReaderPosition position() const noexcept;

  /// Returns the position as JSON of less than 1 KB.
  std::string state();

  /// Goes to the position of a state, also of a reader with another number of shards.
  void restore(std::string_view state);

  /// Returns the number of items in an epoch of this shard, if it is known without
  /// reading.
  std::optional<std::uint64_t> known_length();

  /// Counts the items in an epoch of this shard, by applying the filter to the whole
  /// data set if necessary. Does not change the position.
  std::uint64_t length();

  /// Describes the fields of this shard's rows as JSON: limits, mean, standard deviation,
  /// quantiles and histogram of each element of a field; docs/reader.md has the members.
  /// Does not change the position.
  ///
  /// @param by  describe the rows of each value of this column: an integer, boolean or
  ///            string; empty: all rows together
  /// Throws     invalid_argument for a plan with windows or shards made equal
  std::string describe(std::string_view by = {});

  /// Returns the plan, the columns of the table and what was read as JSON.
  std::string explain();

  /// Returns how many blocks of the epoch are known, and how many there are.
  std::uint64_t blocks_done() const noexcept;
  std::uint64_t block_count() const noexcept;  ///< 0 before the first batch

  /// Returns what was read and what could be left out.
  ReaderDiagnostics diagnostics() const noexcept;

  /// Returns the blocks that were left out so far because of damaged chunks, each once.
  /// Only plans with "on_damage": "skip" leave out any; otherwise reading fails.
  std::vector<SkippedBlock> skipped() const;

  struct Impl;  ///< private to the library

  /// Created by Dataset.
  explicit Reader(std::unique_ptr<Impl> impl) noexcept;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace bev
