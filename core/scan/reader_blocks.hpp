#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/owned_bytes.hpp"
#include "core/reader/filter.hpp"
#include "core/reader/learnt_ranges.hpp"
#include "core/reader/plan.hpp"
#include "core/reader/statistics.hpp"
#include "core/scan/block_rows.hpp"
#include "core/scan/chunk_ranges.hpp"
#include "core/scan/reader_columns.hpp"
#include "core/scan/reader_filter.hpp"
#include "core/scan/reader_windows.hpp"

namespace bev {

/// What a reader did to find its items.
struct ReaderCounts {
  std::uint64_t blocks = 0;                    ///< blocks scanned
  std::uint64_t rows = 0;                      ///< rows in these blocks
  std::uint64_t rows_tested = 0;               ///< rows the filter was evaluated on
  std::uint64_t pieces = 0;                    ///< parts of blocks within one chunk
  std::uint64_t pieces_excluded_by_frame = 0;  ///< not read: filter on frame or scene
  std::uint64_t pieces_excluded = 0;           ///< not read: statistics
  std::uint64_t pieces_included = 0;  ///< not read for the filter: all rows pass

  void add(const ReaderCounts& other) noexcept;
  /// Returns what was done since `before`.
  ReaderCounts since(const ReaderCounts& before) const noexcept;
};

/// Finds the items of a table block by block: applies the filter, scene first, then
/// frames, then rows, and cuts windows. A block is a scene, or for tables without
/// scenes one or more chunks.
///
/// Throws         The constructor throws the errors of reader::Filter; scan() those of
///                Reader::read, unsupported if scenes or frames do not follow each
///                other without gaps, limit_exceeded above 2^32 - 2 rows at once.
/// Lifetime       Table, plan, statistics and learnt ranges outlive it.
/// Thread safety  As the store.
class BlockScanner {
 public:
  /// @param statistics  may be null
  /// @param learnt      is used, and extended by the chunks that filters read
  BlockScanner(const ReaderTable& table, const reader::Plan& plan,
               const reader::Statistics* statistics, reader::LearntRanges& learnt,
               ObjectVersion version = {});

  std::uint64_t block_count() const noexcept { return blocks_; }

  /// Appends the items of a block. Returns false while requests are pending; `out` is
  /// then unchanged.
  bool scan(store::Reader& reader, std::uint64_t block, ReaderItems& out);

  /// Requests the chunks that scan() will read of a block, and without a condition on rows
  /// those of `values`. Returns false while more may have to be requested.
  bool request(store::Reader& reader, std::uint64_t block,
               std::span<const zarr::ColumnSlot> values);

  /// Checks the chunks of rows in memory against the statistics. Throws changed; see
  /// ChunkRanges::check.
  void check_chunks(store::Reader& reader, std::span<const TableRow> rows) const;

  /// Returns the rows of the last block if the rows after them will be read too: nothing
  /// but their own values can exclude them. Empty otherwise.
  scene::Interval rows_to_continue() const;

  /// Returns what the condition on rows reads of the table.
  std::vector<zarr::ColumnSlot> row_slots() const {
    return filter_.by_row ? row_loader_.slots_of(filter_.by_row->columns())
                          : std::vector<zarr::ColumnSlot>();
  }

  const ReaderCounts& counts() const noexcept { return counts_; }

  /// Returns the conditions of the filter on scenes, frames and rows as text; empty
  /// where there is none.
  const std::array<std::string, 3>& conditions() const noexcept {
    return filter_.conditions;
  }

 private:
  /// Rows of a block in one chunk that are tested together.
  struct Piece {
    scene::Interval rows;
    reader::Filter::Match match = reader::Filter::Match::some;
  };

  bool excludes(const std::optional<reader::Filter>& filter, reader::Level level,
                const store::Array* array, scene::Interval rows) const;
  bool nothing_passes() const;
  enum class Found : std::uint8_t { pending, nothing, rows };
  Found find_block(store::Reader& reader, std::uint64_t block);
  bool scan_block(store::Reader& reader, std::uint64_t block, ReaderItems& out);
  bool read_scene(store::Reader& reader, std::uint64_t scene, bool& passes);
  bool test(store::Reader& reader, reader::Filter& filter, const RowSet& rows,
            std::span<std::uint8_t> mask);
  bool test_frames(store::Reader& reader);
  void cut_pieces();
  void add_piece(std::uint64_t chunk, scene::Interval rows);
  bool request_pieces(store::Reader& reader, std::span<const zarr::ColumnSlot> slots,
                      reader::Filter::Match match) const;
  bool test_rows(store::Reader& reader);
  void check_chunk(store::Reader& reader, std::uint64_t chunk) const;
  void narrow();
  void learn(store::Reader& reader, const reader::Filter& filter,
             scene::Interval rows) const;
  void learn_column(store::Reader& reader, std::size_t column,
                    reader::ElementRange elements, scene::Interval rows,
                    std::span<const std::byte> values) const;
  bool test_piece(store::Reader& reader, const Piece& piece);
  bool can_test_chunks() const;
  bool test_chunk(store::Reader& reader, scene::Interval rows);
  bool test_run(store::Reader& reader, scene::Interval rows,
                std::span<std::uint8_t> mask);

  const ReaderTable& table_;
  const reader::Plan& plan_;
  reader::LearntRanges& learnt_;
  ChunkRanges ranges_;
  ReaderFilter filter_;
  ColumnLoader loader_;      ///< of the conditions on scenes and frames
  ColumnLoader row_loader_;  ///< of those on rows, with the elements they compare
  std::vector<const store::Array*> stored_;  ///< arrays that hold the table's rows
  std::optional<BlockWindows> windows_;
  std::uint64_t blocks_ = 0;
  std::uint64_t block_rows_ = 1;  ///< of a table without scenes
  ReaderCounts counts_;
  bool tests_chunks_ = false;

  // The chunk that was tested last.
  scene::Interval chunk_rows_;
  std::vector<std::uint8_t> chunk_mask_;

  // The current block.
  BlockRows block_;
  std::vector<std::uint8_t> frame_mask_;
  std::vector<std::uint8_t> mask_;  ///< per row of the block
  std::vector<Piece> pieces_;
  std::vector<TableRow> table_rows_;  ///< rows being tested
  std::vector<RawBytes> values_;
};

}  // namespace bev
