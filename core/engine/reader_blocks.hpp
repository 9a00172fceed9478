#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/owned_bytes.hpp"
#include "core/engine/chunk_ranges.hpp"
#include "core/engine/reader_columns.hpp"
#include "core/reader/filter.hpp"
#include "core/reader/plan.hpp"
#include "core/reader/statistics.hpp"
#include "core/scene/tracks.hpp"

namespace bev {

/// Items of some blocks, in stored order.
struct ReaderItems {
  std::vector<TableRow> rows;  ///< of all items and their windows, each once per block
  /// Per item its rows, from the oldest to the newest: indices into `rows`, or
  /// WindowCutter::kAbsent. Empty without windows: item i is row i.
  std::vector<std::uint32_t> windows;
  std::vector<std::size_t> block_ends;  ///< number of rows after each block

  void clear() noexcept {
    rows.clear();
    windows.clear();
    block_ends.clear();
  }
};

/// What a reader did to find its items.
struct ReaderCounts {
  std::uint64_t blocks = 0;                    ///< blocks scanned
  std::uint64_t rows = 0;                      ///< rows in these blocks
  std::uint64_t rows_tested = 0;               ///< rows the filter was evaluated on
  std::uint64_t pieces = 0;                    ///< parts of blocks within one chunk
  std::uint64_t pieces_excluded_by_frame = 0;  ///< not read: filter on frame or scene
  std::uint64_t pieces_excluded = 0;           ///< not read: statistics
  std::uint64_t pieces_included = 0;  ///< not read for the filter: all rows pass
};

/// Finds the items of a table block by block: applies the filter, scene first, then
/// frames, then rows, and cuts windows. A block is a scene, or for tables without
/// scenes one or more chunks.
///
/// Throws         The constructor throws the errors of reader::Filter; scan() those of
///                Reader::read, unsupported if scenes or frames do not follow each
///                other without gaps, limit_exceeded above 2^32 - 2 rows at once.
/// Lifetime       Table, plan and statistics outlive it.
/// Thread safety  As the store.
class BlockScanner {
 public:
  /// @param statistics  may be null
  BlockScanner(const ReaderTable& table, const reader::Plan& plan,
               const reader::Statistics* statistics);

  std::uint64_t block_count() const noexcept { return blocks_; }

  /// Appends the items of a block. Returns false while requests are pending; `out` is
  /// then unchanged.
  bool scan(store::Reader& reader, std::uint64_t block, ReaderItems& out);

  /// Checks the chunks of rows in memory against the statistics. Throws changed; see
  /// ChunkRanges::check.
  void check_chunks(store::Reader& reader, std::span<const TableRow> rows) const;

  /// Returns the rows of the last block if the rows after them will be read too: nothing
  /// but their own values can exclude them. Empty otherwise.
  scene::Interval rows_to_continue() const;

  const ReaderCounts& counts() const noexcept { return counts_; }

  /// Returns the conditions of the filter on scenes, frames and rows as text; empty
  /// where there is none.
  const std::array<std::string, 3>& conditions() const noexcept { return conditions_; }

 private:
  /// Rows of a block in one chunk that are tested together.
  struct Piece {
    scene::Interval rows;
    reader::Filter::Match match = reader::Filter::Match::some;
  };

  bool nothing_passes() const;
  bool scan_block(store::Reader& reader, std::uint64_t block, ReaderItems& out);
  bool read_scene(store::Reader& reader, std::uint64_t block, bool& passes);
  static void check_ends(const scene::Interval& held, std::int64_t first, bool has_last,
                         const scene::IntervalField& field);
  bool read_frames(store::Reader& reader);
  scene::Interval rows_of(std::size_t frame) const;
  std::size_t frame_of(std::int64_t row) const;
  TableRow table_row(std::int64_t row, std::size_t frame) const;

  bool test(store::Reader& reader, reader::Filter& filter, const RowSet& rows,
            std::span<std::uint8_t> mask);
  bool test_frames(store::Reader& reader);
  void cut_pieces();
  void add_piece(std::uint64_t chunk, scene::Interval rows);
  bool test_rows(store::Reader& reader);
  void check_chunk(store::Reader& reader, std::uint64_t chunk) const;
  bool test_piece(store::Reader& reader, const Piece& piece);

  void append_rows(std::span<const std::uint8_t> mask, ReaderItems& out);
  bool cut_windows(store::Reader& reader, ReaderItems& out);
  void append_windows(std::span<const std::uint32_t> windows,
                      std::span<const std::uint8_t> used, ReaderItems& out);

  const ReaderTable& table_;
  const reader::Plan& plan_;
  ChunkRanges ranges_;
  std::optional<reader::Filter> by_scene_, by_frame_, by_row_;
  std::array<std::string, 3> conditions_;
  ColumnLoader loader_;
  std::uint64_t blocks_ = 0;
  std::uint64_t block_rows_ = 1;  ///< of a table without scenes
  ReaderCounts counts_;

  // The current block.
  std::uint32_t scene_ = 0;
  scene::Interval frames_;                  ///< rows of `frames`
  scene::Interval rows_;                    ///< rows of the table
  std::vector<scene::Interval> intervals_;  ///< rows of each frame
  std::vector<std::int64_t> timestamps_;
  std::vector<std::uint8_t> frame_mask_;
  std::vector<std::uint8_t> mask_;  ///< per row of the block
  std::vector<Piece> pieces_;
  std::vector<TableRow> table_rows_;  ///< rows being tested
  std::vector<std::uint64_t> track_ids_;
  std::vector<RawBytes> values_;
  scene::TrackIndex tracks_;
};

}  // namespace bev
