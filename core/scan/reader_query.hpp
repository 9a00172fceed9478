#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/query.hpp"
#include "core/reader/order.hpp"
#include "core/reader/plan.hpp"
#include "core/scan/reader_batch.hpp"
#include "core/scan/reader_blocks.hpp"
#include "core/scan/reader_columns.hpp"
#include "core/scan/reader_groups.hpp"
#include "core/scan/reader_samples.hpp"
#include "core/scan/reader_tracks.hpp"

namespace bev {

/// Reads a plan's items in batches:
///
///   run the host's loop;  // opens the table
///   do {
///     query.advance(); run the host's loop; query.build();
///   } while (!query.at_end());
///
/// The first step may be left out. build() returns one array per field, <dtype (n, ...): n items in the plan's order;
/// with a window (n, length, ...), or per field and offset "yaw@-10" (n, ...). Also
/// "window.mask", |b1 (n, length), unless incomplete windows are dropped; and "padded",
/// |b1 (n), if shards are padded. At the end of the epoch n is 0.
///
/// With samples, rows of the plan's table are chosen as without, and the arrays are those of
/// SampleQuery, stacked: (n, ...).
///
/// With on_damage "skip", a block is scanned only if the values of its items can be read
/// too; a block with a damaged chunk, or with an absent one if these are refused, has no
/// items. Which blocks these are depends on the data alone: a failed request is always an
/// error.
///
/// Which rows pass, and their order, do not depend on the cache, on the order of
/// answers or on earlier batches.
///
/// Throws  As Query; missing() also throws the errors of reader::Filter and View::find,
///         invalid_argument for an empty shard, and the errors of
///         reader::position_from.
class ReaderQuery final : public Query {
 public:
  ReaderQuery(std::shared_ptr<EngineState> state, reader::Plan plan);

  /// Sets the maps that samples are made from: before the first missing().
  void use_maps(ImageMaps maps) {
    if (samples_) samples_->use_maps(std::move(maps));
  }

  /// Goes on to the next batch; to the first one after construction or seek(). Does
  /// nothing before that batch was read.
  void advance();

  /// Whether the epoch has no further batch; known when missing() is empty.
  bool at_end() const noexcept { return at_end_; }

  /// Reads only every `parts`-th batch, from number `part` on, counted from where the
  /// reader begins: construction, seek() or restore(). Passes over the others: their
  /// items are chosen and not read. The position includes them.
  ///
  /// Throws  invalid_argument unless part < parts
  void split(std::uint64_t part, std::uint64_t parts);

  /// Requests what `groups` groups from the task's on will read, instead of a batch, as far
  /// as that can be known before: repeat missing() until it is empty.
  void request_groups(const GroupTask& task, std::uint64_t groups);

  /// Makes a group's items, instead of a batch, and their values if `with_values`:
  /// repeat missing() until it is empty, then call take_group(). A reader that makes
  /// groups has no batches. Its plan's order must not be "full", and it has no samples.
  ///
  /// @param spare  memory to use
  void make_group(const GroupTask& task, MadeGroup spare = {});

  /// Returns the group that was made, once.
  MadeGroup take_group();

  /// Has groups made by others: where the next group was neither supplied nor refused,
  /// missing() is empty, and wanted_group() tells it. Without effect in order "full", and
  /// for samples.
  void await_groups() noexcept { awaits_groups_ = true; }

  /// The group that must be supplied or refused before missing() continues.
  std::optional<GroupTask> wanted_group() const noexcept { return wanted_; }

  /// Number of groups in an epoch; 0 until the table is open.
  std::uint64_t group_count() const noexcept { return order_ ? order_->groups() : 0; }

  /// Returns the bytes that a group takes on average, if all rows are items.
  std::uint64_t group_bytes() const;

  /// Returns the objects whose versions are compared with the statistics.
  std::vector<std::string> indexed_objects() const;

  /// Supplies groups of the epoch, from the wanted one on without gaps; without any, the
  /// reader makes the wanted one itself.
  void supply_groups(std::vector<MadeGroup> groups);

  /// Returns a group whose batches were read, for its memory.
  std::optional<MadeGroup> spare_group();

  /// Returns the chunks of the next blocks, in stored order and if no part of the filter
  /// excludes chunks.
  std::vector<store::Request> ahead() override;

  /// Goes to an item of an epoch: see reader::Position. The batch after the next
  /// advance() begins there.
  void seek(const reader::Position& position);

  /// Returns the position after the batches read so far.
  reader::Position position() const noexcept;

  /// Returns the position as JSON; throws invalid_argument until the table is open.
  std::string state_json() const;

  /// Goes to the position of a state, which is checked when the table is open.
  void restore(std::string state);

  /// Number of items in the batch.
  std::size_t batch_size() const noexcept { return batch_ ? batch_->size() : 0; }

  /// Makes the arrays of the last build() independent of the query: they are valid as
  /// long as the result. Call it at most once per batch.
  std::shared_ptr<const void> take_memory() {
    return samples_ ? samples_->take_memory() : batch_->take_memory();
  }

  /// Blocks of this epoch whose items are known, and all blocks; both 0 until the table
  /// is open.
  std::uint64_t blocks_done() const noexcept { return blocks_done_; }
  std::uint64_t block_count() const noexcept;

  /// Items of this shard in an epoch, if that is known without reading more.
  std::optional<std::uint64_t> known_length() const;

  using SkippedBlock = MadeGroup::Skipped;

  /// Returns the blocks left out so far, in the order in which they were found, each once.
  const std::vector<SkippedBlock>& skipped() const noexcept { return skipped_; }

  ReaderCounts counts() const;
  const reader::Plan& plan() const noexcept { return plan_; }

  /// Returns the arrays of a batch; none until the table is open.
  std::vector<reader::BatchField> fields() const;

  /// Returns the table; null until it is open.
  const ReaderTable* table() const noexcept { return table_ ? &*table_ : nullptr; }

  /// Returns the plan, the table's columns and what was read as JSON, once the table is
  /// open: {plan, columns: [{name, dtype, shape, level, names}], fields: [{name, dtype,
  /// shape}], blocks, skipped, ...}.
  std::string explain() const;

 private:
  bool gather(store::Reader& reader) override;
  void derive(ResultSet& results) override;

  bool open(store::Reader& reader);
  void clear_batch() noexcept;
  bool chooses_agents() const noexcept {
    return samples_ && samples_->chooses_agents();
  }
  void go_to(const reader::Position& position);
  bool count_items(store::Reader& reader);
  std::optional<std::uint64_t> wanted_item() const;
  std::uint64_t group_items() const noexcept;
  std::uint64_t item_at(std::uint64_t position) const;
  void leave_group() noexcept;

  void begin_task(const GroupTask& task, std::uint64_t groups);
  bool outline(store::Reader& reader);
  bool make(store::Reader& reader);
  bool awaits(std::uint64_t group);
  void adopt(MadeGroup group);

  bool pass_batches(store::Reader& reader);
  bool pass_batch(store::Reader& reader);
  bool loads_listed() const noexcept;

  bool fill_batch(store::Reader& reader);
  bool find_group(store::Reader& reader);
  bool scan_group(store::Reader& reader);
  bool scan_block(store::Reader& reader, std::uint64_t block);
  bool can_load(store::Reader& reader, std::size_t first);
  void skip(std::uint64_t block, std::string error);
  void take_items(std::uint64_t most);
  void end_group() noexcept;
  bool load_values(store::Reader& reader);
  bool load_group(store::Reader& reader);
  bool load_batch(store::Reader& reader);
  bool load_rows(store::Reader& reader, std::span<const TableRow> rows,
                 std::size_t first);
  void end_epoch();

  std::uint64_t fingerprint() const;

  reader::Plan plan_;
  reader::Plan row_plan_;  ///< of the rows that items come from
  std::optional<ReaderSamples> samples_;
  std::shared_ptr<const KnownStatistics> statistics_;
  std::optional<ReaderTable> table_;
  std::optional<BlockScanner> scanner_;
  std::optional<ColumnLoader> loader_;
  std::optional<ReaderBatch> batch_;
  std::string state_;    ///< to restore once the table is open
  bool direct_ = false;  ///< items are rows, and no block needs to be scanned

  // The epoch.
  std::optional<reader::EpochOrder> order_;
  reader::Position start_;         ///< where this reader began
  std::uint64_t local_ = 0;        ///< next item of this shard
  std::uint64_t taken_ = 0;        ///< items since start_
  std::uint64_t blocks_done_ = 0;  ///< highest number of blocks known
  std::uint64_t counted_ = 0;      ///< blocks counted, if shards are made equal
  std::vector<std::uint64_t> shard_items_;
  std::optional<std::uint64_t> own_, limit_;  ///< items of this shard; and made equal
  bool at_end_ = false;
  bool asked_ = false;   ///< a batch was asked for
  bool ready_ = false;   ///< and read
  bool chosen_ = false;  ///< its items are known, and their values but samples

  // The batches that are read, and those that are passed over.
  std::uint64_t part_ = 0, parts_ = 1;
  std::uint64_t batch_number_ = 0;  ///< batches done since start_
  std::uint64_t passed_ = 0;        ///< items of a batch that is passed over

  // Groups that are made for others, or by others.
  std::optional<GroupTask> task_;
  std::uint64_t outlined_ = 0;  ///< groups to request; 0: to make one
  ReaderCounts counts_before_;  ///< the task
  bool awaits_groups_ = false;
  std::optional<GroupTask> wanted_;
  std::optional<std::uint64_t> refused_;
  std::vector<MadeGroup> supplied_;  ///< ascending, from the back
  ReaderCounts supplied_counts_;
  std::vector<MadeGroup> spare_;
  std::vector<std::uint32_t> supplied_order_;  ///< of the current group, if supplied

  // The current group.
  std::uint64_t group_ = 0;
  std::uint64_t base_ = 0;     ///< items of earlier groups
  std::uint64_t scanned_ = 0;  ///< blocks of the group
  ReaderItems items_;
  std::size_t loaded_blocks_ = 0;
  std::optional<reader::EpochOrder::Items> item_order_;  ///< set once it is scanned
  std::optional<ReaderTracks> tracks_;  ///< if items are sorted by track

  std::int64_t ahead_ = 0;  ///< end of the rows that ahead() was called for

  std::vector<SkippedBlock> skipped_;
  std::vector<RawBytes> checked_;  ///< values read to find damaged chunks

  // The current batch.
  std::vector<std::uint64_t> taking_;  ///< items of the group, not copied yet
  std::vector<std::uint8_t> padded_;   ///< of these
  ReaderValues values_;                ///< of the group's rows, or of these items
};

}  // namespace bev
