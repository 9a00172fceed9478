#include "core/scan/reader_query.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/engine/state.hpp"
#include "core/reader/hash.hpp"
#include "core/reader/windows.hpp"
#include "core/scan/known_tags.hpp"
#include "core/store/read_ahead.hpp"

namespace bev {
namespace {

using reader::Equal;
using reader::OrderMode;
using reader::Position;
using reader::ShardMode;
using reader::WindowCutter;

// Shards whose items are counted to make them equal.
constexpr std::uint64_t kMaxCountedShards = 1'000'000;

/// Returns the plan whose batches have the values that samples are built from.
reader::Plan row_plan_of(const reader::Plan& plan) {
  auto out = plan;
  if (plan.sample) out.fields = std::vector<std::string>{"row"};
  return out;
}

}  // namespace

ReaderQuery::ReaderQuery(std::shared_ptr<EngineState> state, reader::Plan plan)
    : Query(state, "reader of " + plan.from),
      plan_(std::move(plan)),
      row_plan_(row_plan_of(plan_)) {
  if (plan_.sample) samples_.emplace(std::move(state), plan_);
}

std::uint64_t ReaderQuery::block_count() const noexcept {
  return scanner_ ? scanner_->block_count() : 0;
}

Position ReaderQuery::position() const noexcept {
  const bool strided = plan_.shard.mode == ShardMode::strided;
  return {start_.epoch, start_.items + taken_ * (strided ? plan_.shard.count : 1)};
}

void ReaderQuery::advance() {
  if (asked_ && !std::exchange(ready_, false)) return;
  asked_ = true;
  clear_batch();
  ask_again();
}

void ReaderQuery::clear_batch() noexcept {
  if (batch_) batch_->clear();
  if (samples_) samples_->clear();
  chosen_ = false;
}

std::vector<reader::BatchField> ReaderQuery::fields() const {
  if (!batch_) return {};
  return samples_ ? samples_->fields() : batch_->fields();
}

std::vector<store::Request> ReaderQuery::ahead() {
  if (!scanner_ || samples_ || !plan_.order.keeps_blocks() ||
      plan_.shard.mode != ShardMode::strided) {
    return {};
  }
  auto rows = scanner_->rows_to_continue();
  // From the end of the previous call on, since a batch may need several blocks.
  if (ahead_ < rows.end) rows.begin = std::min(rows.begin, ahead_);
  ahead_ = rows.end;
  if (rows.begin >= rows.end) return {};
  auto slots = scanner_->row_slots();
  const auto values = loader_->slots_of(batch_->columns());
  slots.insert(slots.end(), values.begin(), values.end());
  return store::read_ahead(
      state().store, *table_->array,
      store::RowSelection::range(table_->array->name(), table_->array->length(),
                                 rows.begin, rows.end),
      slots);
}

bool ReaderQuery::open(store::Reader& reader) {
  if (table_) return true;
  // Only filters can use statistics.
  if (plan_.where) statistics_ = KnownStatistics::read(state(), reader);
  if (plan_.where && !statistics_) return false;
  if (samples_ && !samples_->open(reader)) return false;
  auto table = open_table(state(), reader, plan_.from);
  if (!table) return false;
  const bool is_tagged = plan_.where && reader::uses_tags(*plan_.where);
  if (is_tagged && table->view.kind != reader::TableKind::other) {
    table->view.schema.tags = known_tags(state(), reader);
    if (!table->view.schema.tags) return false;
  }
  table_ = std::move(table);
  try {
    const auto* known =
        statistics_ && statistics_->found ? &*statistics_->found : nullptr;
    auto& learnt = state().learnt;
    if (!learnt) learnt = std::make_shared<reader::LearntRanges>();
    scanner_.emplace(*table_, plan_, known, *learnt, state().version);
    loader_.emplace(*table_);
    batch_.emplace(row_plan_, *table_, *loader_);
    if (plan_.order.mode == OrderMode::tracks) tracks_.emplace(*table_, plan_);
    if (!state_.empty()) {
      start_ = reader::position_from(state_, plan_, fingerprint());
    }
  } catch (...) {
    tracks_.reset();
    batch_.reset();
    scanner_.reset();
    table_.reset();
    throw;
  }
  direct_ = plan_.order.mode == OrderMode::full && !plan_.where && !plan_.window &&
            plan_.shard.mode == ShardMode::strided && !chooses_agents() &&
            !loader_->needs_rows(batch_->columns());
  values_.columns.resize(batch_->columns().size());
  values_.listed = loads_listed();
  go_to(start_);
  return true;
}

std::optional<std::uint64_t> ReaderQuery::known_length() const {
  if (limit_) return limit_;
  const auto& shard = plan_.shard;
  if (!table_ || plan_.where || plan_.window || chooses_agents() ||
      shard.mode != ShardMode::strided || plan_.on_damage == reader::OnDamage::skip) {
    return std::nullopt;
  }
  const auto total = table_->array->length();
  const auto rest = total % shard.count;
  if (shard.equal == Equal::drop) return total / shard.count;
  const bool longer = shard.equal == Equal::pad ? rest > 0 : shard.index < rest;
  return total / shard.count + (longer ? 1 : 0);
}

/// Counts the items of all shards; returns false while requests are pending.
bool ReaderQuery::count_items(store::Reader& reader) {
  const auto& shard = plan_.shard;
  if (shard.count > kMaxCountedShards) {
    fail(Errc::limit_exceeded,
         {"plan.shard.count: too many shards to make equal (found ", shard.count,
          ", limit ", kMaxCountedShards, ")"});
  }
  const bool strided = shard.mode == ShardMode::strided;
  shard_items_.resize(static_cast<std::size_t>(strided ? 1 : shard.count));
  for (; counted_ < scanner_->block_count(); ++counted_) {
    items_.clear();
    if (!scan_block(reader, order_->block(counted_))) return false;
    const auto owner = order_->owner(counted_).value_or(0);
    shard_items_[static_cast<std::size_t>(owner)] += group_items();
    reader.release_pins();
  }
  items_.clear();
  auto least = shard_items_.front();
  auto most = least;
  if (strided) {
    own_ = least / shard.count + (shard.index < least % shard.count ? 1 : 0);
    most = least / shard.count + (least % shard.count > 0 ? 1 : 0);
    least /= shard.count;
  } else {
    own_ = shard_items_[static_cast<std::size_t>(shard.index)];
    least = *std::min_element(shard_items_.begin(), shard_items_.end());
    most = *std::max_element(shard_items_.begin(), shard_items_.end());
  }
  limit_ = shard.equal == Equal::drop || *own_ == 0 ? least : most;
  return true;
}

/// Returns the position of the next item in the epoch's order; nullopt if this shard
/// has no further one.
std::optional<std::uint64_t> ReaderQuery::wanted_item() const {
  const auto& shard = plan_.shard;
  if (limit_ && local_ >= *limit_) return std::nullopt;
  const auto local = own_ && local_ >= *own_ ? (local_ - *own_) % *own_ : local_;
  if (shard.mode != ShardMode::strided) return local;
  const auto stride = checked_mul(local, shard.count);
  return stride ? checked_add(*stride, shard.index) : std::nullopt;
}

std::uint64_t ReaderQuery::group_items() const noexcept {
  if (direct_) return table_->array->length();
  return plan_.window ? items_.windows.size() / plan_.window->length()
                      : items_.rows.size();
}

bool ReaderQuery::gather(store::Reader& reader) {
  if (!open(reader)) return false;
  if (task_) return outlined_ > 0 ? outline(reader) : make(reader);
  if (!asked_) return true;
  if (plan_.order.mode != OrderMode::full) reader.request_whole_chunks();
  if (plan_.shard.equal != Equal::none && !limit_ && !count_items(reader)) return false;
  if (!chosen_ && !fill_batch(reader)) return false;
  chosen_ = true;
  if (samples_ && !samples_->gather(reader, *batch_)) return false;
  if (!batch_->load_ragged(reader)) return false;
  ready_ = true;
  return true;
}

bool ReaderQuery::fill_batch(store::Reader& reader) {
  const auto& batch = plan_.batch;
  if (!pass_batches(reader)) return false;
  if (at_end_) return true;
  while (batch.by_block || batch_->size() < batch.size) {
    if (taking_.empty()) {
      if (!find_group(reader)) return false;
      if (at_end_) break;
      take_items(batch.by_block ? ~std::uint64_t{0} : batch.size - batch_->size());
    }
    if (!load_values(reader)) return false;
    batch_->append(taking_, padded_, items_, values_);
    taking_.clear();
    padded_.clear();
    if (batch.by_block) {
      end_group();
      break;
    }
  }
  if (at_end_ && batch.drop_last && batch_->size() < batch.size) batch_->clear();
  // The epoch ends after its last batch, not with it.
  if (batch_->size() > 0) at_end_ = false;
  ++batch_number_;
  return true;
}

/// Scans groups up to the one with the next item. Returns false while requests are
/// pending.
bool ReaderQuery::find_group(store::Reader& reader) {
  while (true) {
    const auto wanted = wanted_item();
    if (!wanted && !plan_.batch.by_block) break;
    if (wanted && *wanted < base_) {
      group_ = 0;
      base_ = 0;
      leave_group();
    }
    if (group_ >= order_->groups() && !(direct_ && group_ == 0)) break;
    if (!scan_group(reader)) return false;
    const bool has_it = wanted && *wanted - base_ < group_items();
    // After a state, batches begin with its next item.
    const bool is_resuming = start_.items > 0 && taken_ == 0;
    if (has_it || (plan_.batch.by_block && !is_resuming)) return true;
    end_group();
  }
  end_epoch();
  return true;
}

bool ReaderQuery::scan_group(store::Reader& reader) {
  if (item_order_) return true;
  if (awaits(group_)) return false;
  if (item_order_) return true;
  if (!direct_) {
    const auto begin = order_->group_begin(group_);
    for (; scanned_ < order_->group_size(group_); ++scanned_) {
      const auto ordinal = begin + scanned_;
      const auto owner = order_->owner(ordinal);
      if (!owner || *owner == plan_.shard.index) {
        if (!scan_block(reader, order_->block(ordinal))) return false;
        reader.release_pins();
      }
      blocks_done_ = std::max(blocks_done_, ordinal + 1);
    }
  }
  if (tracks_ && !tracks_->sort(reader, items_)) return false;
  item_order_ = order_->items(group_, group_items());
  return true;
}

/// Appends the items of a block. Returns false while requests are pending.
bool ReaderQuery::scan_block(store::Reader& reader, std::uint64_t block) {
  if (plan_.on_damage == reader::OnDamage::fail) {
    const auto first = items_.rows.size();
    if (!scanner_->scan(reader, block, items_)) return false;
    if (samples_) samples_->keep_items(items_, first);
    return true;
  }
  const auto rows = items_.rows.size();
  const auto windows = items_.windows.size();
  const auto blocks = items_.block_ends.size();
  const auto remove = [&] {
    items_.rows.resize(rows);
    items_.windows.resize(windows);
    items_.block_ends.resize(blocks);
  };
  try {
    if (scanner_->scan(reader, block, items_) && can_load(reader, rows)) return true;
    remove();
    return false;
  } catch (const Error& error) {
    if (error.code() != Errc::corrupt_chunk && error.code() != Errc::missing_key) throw;
    remove();
    items_.block_ends.push_back(rows);
    skip(block, error.what());
    return true;
  }
}

/// Reads the values of the items' rows from `first` on, to find damaged chunks. Returns
/// false while requests are pending.
bool ReaderQuery::can_load(store::Reader& reader, std::size_t first) {
  const auto rows = std::span(items_.rows).subspan(first);
  if (rows.empty()) return true;
  const auto columns = batch_->columns();
  checked_.resize(columns.size());
  std::vector<std::span<std::byte>> out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    checked_[i].resize(store::result_bytes(*table_->array, rows.size(),
                                           loader_->row_bytes(columns[i])));
    out.emplace_back(checked_[i]);
  }
  return loader_->load(reader, {rows.front().row, rows.size(), rows}, columns, out);
}

void ReaderQuery::skip(std::uint64_t block, std::string error) {
  const bool is_known =
      std::any_of(skipped_.begin(), skipped_.end(),
                  [block](const SkippedBlock& one) { return one.block == block; });
  if (!is_known) skipped_.push_back({block, std::move(error)});
}

void ReaderQuery::end_epoch() {
  const auto& shard = plan_.shard;
  at_end_ = true;
  if (local_ == 0 && shard.count > 1 && !shard.allow_empty) {
    fail(Errc::invalid_argument,
         {"plan.shard: shard ", shard.index, " of ", shard.count,
          " has no items (allow_empty accepts that)"});
  }
}

bool ReaderQuery::load_values(store::Reader& reader) {
  if (taking_.empty() || batch_->columns().empty()) return true;
  return loads_listed() ? load_batch(reader) : load_group(reader);
}

/// Reads the columns of all rows of the group, once.
bool ReaderQuery::load_group(store::Reader& reader) {
  const auto columns = batch_->columns();
  for (std::size_t i = 0; i < columns.size() && loaded_blocks_ == 0; ++i) {
    values_.columns[i].resize(store::result_bytes(*table_->array, items_.rows.size(),
                                                  loader_->row_bytes(columns[i])));
  }
  for (; loaded_blocks_ < items_.block_ends.size(); ++loaded_blocks_) {
    const auto first = loaded_blocks_ == 0 ? 0 : items_.block_ends[loaded_blocks_ - 1];
    const auto end = items_.block_ends[loaded_blocks_];
    const auto rows = std::span(items_.rows).subspan(first, end - first);
    if (!load_rows(reader, rows, first)) return false;
    reader.release_pins();
  }
  return true;
}

/// Reads the columns of the batch's rows.
bool ReaderQuery::load_batch(store::Reader& reader) {
  const auto length = plan_.window ? plan_.window->length() : 1;
  values_.rows.clear();
  for (const auto item : taking_) {
    for (std::uint32_t at = 0; at < length; ++at) {
      if (items_.windows.empty()) {
        values_.rows.push_back(item);
      } else if (const auto row =
                     items_.windows[static_cast<std::size_t>(item) * length + at];
                 row != WindowCutter::kAbsent) {
        values_.rows.push_back(row);
      }
    }
  }
  std::sort(values_.rows.begin(), values_.rows.end());
  values_.rows.erase(std::unique(values_.rows.begin(), values_.rows.end()),
                     values_.rows.end());
  std::vector<TableRow> rows;
  rows.reserve(values_.rows.size());
  for (const auto row : values_.rows) {
    rows.push_back(direct_ ? TableRow{static_cast<std::int64_t>(row), 0, 0, 0}
                           : items_.rows[static_cast<std::size_t>(row)]);
  }
  const auto columns = batch_->columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    values_.columns[i].resize(store::result_bytes(*table_->array, rows.size(),
                                                  loader_->row_bytes(columns[i])));
  }
  return load_rows(reader, rows, 0);
}

/// Reads the columns of rows to the values from `first` on.
bool ReaderQuery::load_rows(store::Reader& reader, std::span<const TableRow> rows,
                            std::size_t first) {
  if (rows.empty()) return true;
  const auto columns = batch_->columns();
  std::vector<std::span<std::byte>> out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto size = loader_->row_bytes(columns[i]);
    out.push_back(
        std::span(values_.columns[i]).subspan(first * size, rows.size() * size));
  }
  const RowSet set{rows.front().row, rows.size(), rows};
  if (!loader_->load(reader, set, columns, out)) return false;
  scanner_->check_chunks(reader, rows);
  return true;
}

void ReaderQuery::derive(ResultSet& results) {
  if (!ready_) return;
  if (samples_) return samples_->emit(results);
  batch_->emit(results);
}

}  // namespace bev
