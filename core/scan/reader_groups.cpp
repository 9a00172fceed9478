#include "core/scan/reader_groups.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/scan/reader_query.hpp"

// What a reader does for others, and others for it: batches that other readers of the
// plan read, and groups that they make.

namespace bev {

using reader::Equal;
using reader::OrderMode;

void ReaderQuery::split(std::uint64_t part, std::uint64_t parts) {
  if (part >= parts) {
    fail(Errc::invalid_argument,
         {"reader: part out of range (found ", part, " of ", parts, " parts)"});
  }
  part_ = part;
  parts_ = parts;
  values_.listed = loads_listed();
  if (table_) seek(position());
}

/// Returns whether only the rows of a batch are read, not all rows of its group: also if
/// other readers have whole chunks between this one's batches.
bool ReaderQuery::loads_listed() const noexcept {
  if (plan_.order.mode == OrderMode::full) return true;
  return table_ && plan_.order.mode == OrderMode::none && !plan_.batch.by_block &&
         (parts_ - 1) * plan_.batch.size >= table_->array->meta.chunk_rows();
}

/// Returns the item of the group at a position of its order.
std::uint64_t ReaderQuery::item_at(std::uint64_t position) const {
  if (!supplied_order_.empty()) {
    return supplied_order_[static_cast<std::size_t>(position)];
  }
  const auto item = (*item_order_)(position);
  return tracks_ ? tracks_->item(item) : item;
}

/// Goes on to the next group.
void ReaderQuery::end_group() noexcept {
  base_ += group_items();
  ++group_;
  leave_group();
}

/// Chooses up to `most` next items of the group.
void ReaderQuery::take_items(std::uint64_t most) {
  const auto count = group_items();
  while (taking_.size() < most) {
    const auto wanted = wanted_item();
    if (!wanted || *wanted < base_ || *wanted - base_ >= count) break;
    taking_.push_back(item_at(*wanted - base_));
    if (plan_.shard.equal == Equal::pad) padded_.push_back(local_ >= *own_ ? 1 : 0);
    ++local_;
    ++taken_;
  }
}

/// Goes on to the next batch that this reader reads. Returns false while requests are
/// pending.
bool ReaderQuery::pass_batches(store::Reader& reader) {
  while (!at_end_ && batch_number_ % parts_ != part_) {
    if (!pass_batch(reader)) return false;
  }
  return true;
}

bool ReaderQuery::pass_batch(store::Reader& reader) {
  const auto& batch = plan_.batch;
  do {
    if (!find_group(reader)) return false;
    // An incomplete last batch is passed over, too.
    if (at_end_) return true;
    take_items(batch.by_block ? ~std::uint64_t{0} : batch.size - passed_);
    passed_ += taking_.size();
    taking_.clear();
    padded_.clear();
  } while (!batch.by_block && passed_ < batch.size);
  if (batch.by_block) end_group();
  passed_ = 0;
  ++batch_number_;
  return true;
}

void ReaderQuery::request_groups(const GroupTask& task, std::uint64_t groups) {
  begin_task(task, groups);
}

void ReaderQuery::make_group(const GroupTask& task, MadeGroup spare) {
  begin_task(task, 0);
  items_ = std::move(spare.items);
  items_.clear();
  supplied_order_ = std::move(spare.order);
  supplied_order_.clear();
  if (spare.columns && spare.columns->size() == values_.columns.size()) {
    values_.columns = *std::move(spare.columns);
  }
}

void ReaderQuery::begin_task(const GroupTask& task, std::uint64_t groups) {
  release_pins();
  task_ = task;
  outlined_ = groups;
  start_ = {task.epoch, 0};
  skipped_.clear();
  if (table_) go_to(start_);
  counts_before_ = scanner_ ? scanner_->counts() : ReaderCounts{};
  ask_again();
}

/// Requests the chunks of the task's groups. Returns false while requests are pending.
bool ReaderQuery::outline(store::Reader& reader) {
  reader.request_whole_chunks();
  const auto slots =
      task_->with_values ? loader_->slots_of(batch_->columns()) : scanner_->row_slots();
  bool here = true;
  const auto last = task_->group + outlined_ - 1;
  const auto end = order_->group_begin(last) + order_->group_size(last);
  for (auto at = order_->group_begin(task_->group); at < end; ++at) {
    const auto owner = order_->owner(at);
    if (owner && *owner != plan_.shard.index) continue;
    here = scanner_->request(reader, order_->block(at), slots) && here;
  }
  return here;
}

/// Makes the task's group. Returns false while requests are pending.
bool ReaderQuery::make(store::Reader& reader) {
  reader.request_whole_chunks();
  group_ = task_->group;
  if (!scan_group(reader)) return false;
  if (task_->with_values && !load_group(reader)) return false;
  if (plan_.order.mode == OrderMode::none) return true;
  std::vector<std::uint32_t> order(static_cast<std::size_t>(group_items()));
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<std::uint32_t>(item_at(i));
  }
  supplied_order_ = std::move(order);
  return true;
}

MadeGroup ReaderQuery::take_group() {
  MadeGroup out;
  out.group = group_;
  out.items = std::exchange(items_, {});
  out.order = std::exchange(supplied_order_, {});
  if (task_->with_values) {
    out.columns = std::exchange(values_.columns, {});
    values_.columns.resize(batch_->columns().size());
  }
  out.skipped = std::exchange(skipped_, {});
  out.counts = scanner_->counts().since(counts_before_);
  leave_group();
  return out;
}

std::uint64_t ReaderQuery::group_bytes() const {
  if (!order_ || order_->groups() == 0) return 0;
  std::uint64_t row = sizeof(TableRow);
  for (const auto column : batch_->columns()) row += loader_->row_bytes(column);
  return table_->array->length() / order_->groups() * row;
}

std::vector<std::string> ReaderQuery::indexed_objects() const {
  std::vector<std::string> out;
  if (!table_ || !statistics_ || !statistics_->found) return out;
  for (const auto* array : {table_->array, table_->frames, table_->scenes}) {
    if (array == nullptr || array->meta.shape.size() != 1) continue;
    const auto rows = array->meta.chunk_rows();
    const auto chunks = array->length() / rows + (array->length() % rows > 0 ? 1 : 0);
    for (const auto* stored : store::stored_arrays(*array)) {
      for (std::uint64_t i = 0; i < chunks; ++i) out.push_back(object_of(*stored, i));
    }
  }
  return out;
}

ReaderCounts ReaderQuery::counts() const {
  auto out = supplied_counts_;
  if (scanner_) out.add(scanner_->counts());
  return out;
}

/// Returns whether others have to make the group, which is not supplied yet.
bool ReaderQuery::awaits(std::uint64_t group) {
  if (!awaits_groups_ || refused_ == group || samples_ ||
      plan_.order.mode == OrderMode::full) {
    return false;
  }
  // Ascending from the back; after the end of a shard that is repeated, all are old.
  while (!supplied_.empty() && supplied_.back().group < group) supplied_.pop_back();
  if (!supplied_.empty() && supplied_.back().group > group) supplied_.clear();
  if (!supplied_.empty()) {
    adopt(std::move(supplied_.back()));
    supplied_.pop_back();
    return false;
  }
  // The values of groups before the next item are not used.
  const auto wanted = wanted_item();
  const bool begins_here = wanted && *wanted < base_ + plan_.shard.count;
  wanted_ = {start_.epoch, group, begins_here && parts_ == 1};
  return true;
}

void ReaderQuery::supply_groups(std::vector<MadeGroup> groups) {
  if (!wanted_) return;
  if (groups.empty()) refused_ = wanted_->group;
  wanted_.reset();
  supplied_ = std::move(groups);
  std::reverse(supplied_.begin(), supplied_.end());
}

void ReaderQuery::adopt(MadeGroup group) {
  supplied_counts_.add(group.counts);
  for (auto& [block, error] : group.skipped) skip(block, std::move(error));
  std::swap(items_, group.items);
  std::swap(supplied_order_, group.order);
  if (group.columns) {
    std::swap(values_.columns, *group.columns);
    loaded_blocks_ = items_.block_ends.size();
  }
  scanned_ = order_->group_size(group.group);
  blocks_done_ = std::max(blocks_done_, order_->group_begin(group.group) + scanned_);
  item_order_ = order_->items(group.group, group_items());
  spare_.push_back(std::move(group));
}

std::optional<MadeGroup> ReaderQuery::spare_group() {
  if (spare_.empty()) return std::nullopt;
  auto out = std::move(spare_.back());
  spare_.pop_back();
  return out;
}

}  // namespace bev
