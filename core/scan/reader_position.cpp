// Where a reader is in its epoch, and how it goes elsewhere.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/state.hpp"
#include "core/reader/hash.hpp"
#include "core/scan/reader_query.hpp"

namespace bev {

using reader::Position;
using reader::ShardMode;

void ReaderQuery::seek(const Position& position) {
  state_.clear();
  start_ = position;
  taken_ = 0;
  clear_batch();
  if (table_) go_to(position);
  asked_ = false;
  ready_ = false;
  ask_again();
}

void ReaderQuery::restore(std::string text) {
  if (table_) {
    seek(reader::position_from(text, plan_, fingerprint()));
  } else {
    seek({});
    state_ = std::move(text);
  }
}

std::string ReaderQuery::state_json() const {
  if (!table_) fail(Errc::invalid_argument, {"reader: not open yet"});
  return reader::state_json(plan_, fingerprint(), position());
}

/// Returns a hash of the metadata of the arrays that the items come from.
std::uint64_t ReaderQuery::fingerprint() const {
  std::uint64_t out = 0;
  for (const auto* array : {table_->array, table_->frames, table_->scenes}) {
    if (array == nullptr) continue;
    const auto& meta = array->meta;
    const auto add = [&](const std::string& text) {
      out = reader::hash_of(std::as_bytes(std::span(text)), out);
    };
    add(array->path);
    add(zarr::to_json(meta.dtype).dump());
    for (const auto length : meta.shape) add(std::to_string(length));
    for (const auto length : meta.chunks) add(std::to_string(length));
  }
  return out;
}

/// Sets the cursor to an item of an epoch.
void ReaderQuery::go_to(const Position& position) {
  const auto& shard = plan_.shard;
  order_.emplace(plan_, position.epoch, scanner_->block_count());
  local_ = position.items;
  if (shard.mode == ShardMode::strided) {
    // The first item of this shard that is not before the position.
    const auto before = position.items > shard.index ? position.items - shard.index : 0;
    local_ = before / shard.count + (before % shard.count > 0 ? 1 : 0);
  }
  group_ = 0;
  base_ = 0;
  leave_group();
  blocks_done_ = 0;
  counted_ = 0;
  shard_items_.clear();
  own_.reset();
  limit_.reset();
  at_end_ = false;
  batch_number_ = 0;
  passed_ = 0;
  wanted_.reset();
  refused_.reset();
  supplied_.clear();
}

void ReaderQuery::leave_group() noexcept {
  scanned_ = 0;
  items_.clear();
  loaded_blocks_ = 0;
  item_order_.reset();
  supplied_order_.clear();
  taking_.clear();
  padded_.clear();
}

}  // namespace bev
